/**
 * Prefix that introspection and revocation add to tokens before the lookup. It has its own module because the code that
 * reads tokens loads the provider, which servers without applications do not need.
 */
export const tokenMark = '~';
