/**
 * Returns the parameter `claims` of a request without the claims of the access token, which some libraries request with
 * every token. The provider knows none, and rejects requests that have no others.
 *
 * @param claims - value of the parameter
 * @returns the other claims. `undefined` if there are none
 */
export function withoutAccessTokenClaims(claims: string): string | undefined {
  try {
    const { access_token: _unknown, ...others } = JSON.parse(claims) as Record<string, unknown>;
    return Object.keys(others).length === 0 ? undefined : JSON.stringify(others);
  } catch {
    return claims;
  }
}
