/** The form of an origin in published schemas: a scheme and an authority, without a path. */
export const originPattern = '^[a-z][a-z0-9+.-]*://[^/?#@\\s]+$';
