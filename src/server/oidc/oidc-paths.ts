/** Paths of the provider below a sandbox. */
export const oidcPaths = ['/oauth2', '/.well-known'] as const;

/** Path of the page that devices show to their users. */
export const devicePath = '/device';
