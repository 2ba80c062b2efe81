import type { KoaContextWithOIDC } from 'oidc-provider';
import { splitWords } from './consent.ts';
import { listRequestedWords } from './scope-resolution.ts';

const scope = 'offline_access';

/**
 * Parameter that preserves the request for offline access in a pushed request, whose scope is reduced before it is read
 * again: the place of the scope among the requested ones.
 */
const parameter = 'nl_offline';

const placePattern = /^\d{1,4}$/;

/**
 * Grants `offline_access` without `prompt=consent`. The provider drops the scope in this case, as OpenID Connect
 * allows, but many clients request it this way, also when they refresh tokens. The client configuration of the sandbox
 * determines the consent. The check of an additional parameter restores the scope in its place (CL32), because the
 * provider runs it directly after dropping the scope.
 */
export const offlineAccess = {
  [parameter]: (
    ctx: KoaContextWithOIDC,
    value: string | undefined,
    client: { grantTypeAllowed(type: string): boolean },
  ) => {
    const { params } = ctx.oidc;
    const place = findPlace(ctx.oidc, value);
    if (params === undefined || place === null || !client.grantTypeAllowed('refresh_token')) return;
    const kept = splitWords(params['scope']);
    params['scope'] = (kept.includes(scope) ? kept : kept.toSpliced(place, 0, scope)).join(' ');
    params[parameter] = String(place);
  },
};

/** Returns the place of the scope in the request, or in the pushed one. `null` if it was not requested. */
function findPlace(oidc: KoaContextWithOIDC['oidc'], pushed: string | undefined): number | null {
  const place = listRequestedWords(oidc).indexOf(scope);
  if (place !== -1) return place;
  return pushed !== undefined && placePattern.test(pushed) ? Number(pushed) : null;
}
