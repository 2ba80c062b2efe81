/**
 * A token is looked up as it is at the endpoints that take one; introspection and revocation put this before it. It stands apart
 * from what reads tokens, because that loads the provider, which a server that serves no application starts without.
 */
export const tokenMark = '~';
