import type { KoaContextWithOIDC } from 'oidc-provider';
import { splitWords } from './consent.ts';

const scope = 'offline_access';

/**
 * Parameter that preserves the request for offline access in a pushed request, whose scope is reduced before it is read
 * again.
 */
const parameter = 'nl_offline';

/**
 * Grants `offline_access` without `prompt=consent`. The provider drops the scope in this case, as OpenID Connect
 * allows, but many clients request it this way, also when they refresh tokens. The client configuration of the sandbox
 * determines the consent. The check of an additional parameter restores the scope, because the provider runs it
 * directly after dropping the scope.
 */
export const offlineAccess = {
  [parameter]: (
    ctx: KoaContextWithOIDC,
    value: string | undefined,
    client: { grantTypeAllowed(type: string): boolean },
  ) => {
    const { params, body } = ctx.oidc;
    const isRequested =
      [...splitWords(ctx.query['scope']), ...splitWords(body?.['scope'])].includes(scope) || value === 'yes';
    if (params === undefined || !isRequested || !client.grantTypeAllowed('refresh_token')) return;
    const kept = splitWords(params['scope']);
    params['scope'] = kept.includes(scope) ? kept.join(' ') : [...kept, scope].join(' ');
    params[parameter] = 'yes';
  },
};
