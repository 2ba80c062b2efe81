import type { TokenDescription } from '../contract/scenario.schema.ts';

/** Request for a token in the format of the control API. */
export type TokenRequestBody = Exclude<TokenDescription, string>;

/** Administrator token with the role and both permissions that a delegated write requires. */
const administrator: TokenRequestBody = {
  permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
  roles: ['Authentication Policy Administrator'],
};

/** Text that is not a valid token, for the description "invalid". */
export const invalidToken = 'invalid';

/** Returns the request for a described token, `null` for no token, or the text of an invalid token. */
export function parseTokenRequest(description: TokenDescription): TokenRequestBody | typeof invalidToken | null {
  switch (description) {
    case 'administrator':
      return administrator;
    case 'none':
      return null;
    case 'invalid':
      return invalidToken;
    default:
      return description;
  }
}
