/** OpenID Connect scopes that every client can request. */
export const openidScopes: readonly string[] = ['openid', 'profile', 'email', 'offline_access'];
