import type { KoaContextWithOIDC } from 'oidc-provider';
import { splitWords } from './consent.ts';

const scope = 'offline_access';

/** Carries the wish through a pushed request, whose own scope is cut before it is read again. */
const wish = 'nl_offline';

/**
 * Grants `offline_access` without `prompt=consent`. The provider drops it there, as OpenID Connect lets it; but clients of the
 * field ask for it so, and ask for it again when they refresh. Whether users are asked is for the client of the sandbox to say.
 * This is a check of a parameter, which the provider makes right after it has dropped the scope.
 */
export const offlineAccess = {
  [wish]: (
    ctx: KoaContextWithOIDC,
    wished: string | undefined,
    client: { grantTypeAllowed(type: string): boolean },
  ) => {
    const { params, body } = ctx.oidc;
    const asked =
      [...splitWords(ctx.query['scope']), ...splitWords(body?.['scope'])].includes(scope) || wished === 'yes';
    if (params === undefined || !asked || !client.grantTypeAllowed('refresh_token')) return;
    const kept = splitWords(params['scope']);
    params['scope'] = kept.includes(scope) ? kept.join(' ') : [...kept, scope].join(' ');
    params[wish] = 'yes';
  },
};
