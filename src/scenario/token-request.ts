import type { TokenDescription } from '../contract/scenario.schema.ts';

/** A request for a token, as the control API takes it. */
export type TokenRequestBody = Exclude<TokenDescription, string>;

/** What an administrator's token says: both permissions that a delegated write needs, and the role. */
const administrator: TokenRequestBody = {
  permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
  roles: ['Authentication Policy Administrator'],
};

/** A text that is no token, for the wish "invalid". */
export const invalidToken = 'invalid';

/** What to ask for a described token; `null` for none, the text itself for an invalid one. */
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
