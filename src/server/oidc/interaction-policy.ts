import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { acrValues } from './authentication-context.ts';

const { Check, Prompt, base } = interactionPolicy;

/**
 * Creates the policy that determines when the provider needs a page: to select an account, to sign in, or for consent.
 * It differs from the default policy in seven ways:
 * - Users can select an account.
 * - Sessions of deleted users are ignored.
 * - Sessions of a user other than the suggested one are ignored.
 * - Sessions other than the one that `sid` names are ignored.
 * - A session without the second factor in `acr_values` requires it.
 * - An essential `acr` that the sign-in did not reach is an error instead of an endless loop of sign-ins.
 * - A stronger `acr` also satisfies an essential one.
 */
export function createInteractionPolicy(sandbox: Sandbox): interactionPolicy.Prompt[] {
  const policy = base();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  const signIn = policy.get('login');
  signIn?.checks.add(
    new Check('account_gone', 'the user of the session no longer exists', 'login_required', ({ oidc }) => {
      const userId = oidc.session?.accountId;
      return userId !== undefined && !sandbox.recorder.state().users.has(userId);
    }),
  );
  signIn?.checks.add(
    new Check('other_user_suggested', 'the application suggests another user', 'login_required', ({ oidc }) => {
      const { result, session, params } = oidc;
      // A user who has just signed in or was selected explicitly takes precedence over a suggestion.
      if (result?.login !== undefined || result?.['select_account'] !== undefined) return false;
      const suggested = sandbox.directory.userNamed(String(params?.['login_hint'] ?? ''));
      return suggested !== null && session?.accountId !== undefined && session.accountId !== suggested.id;
    }),
  );
  signIn?.checks.add(
    new Check('other_session_named', 'the application names another session', 'login_required', ({ oidc }) => {
      const { result, session, params, client } = oidc;
      if (result?.login !== undefined || result?.['select_account'] !== undefined) return false;
      const named = params?.['sid'];
      if (named === undefined || session?.accountId === undefined) return false;
      return session.sidFor(client?.clientId ?? '') !== named;
    }),
  );
  signIn?.checks.add(
    new Check('second_factor_asked', 'the application requests a second factor', 'login_required', ({ oidc }) => {
      const { result, session, params, prompts } = oidc;
      // `acr_values` is voluntary, so it is requested only once, and never with `prompt=none`.
      if (result?.login !== undefined || prompts.has('none') || session?.accountId === undefined) return false;
      return requiresSecondFactor(String(params?.['acr_values'] ?? '')) && session.acr !== acrValues[0];
    }),
  );
  for (const reason of ['essential_acr', 'essential_acrs']) {
    const check = signIn?.checks.get(reason);
    if (check !== undefined) check.check = unlessStronger(onceSignedIn(check.check));
  }
  // Consent depends on the client configuration, not on the platform of the client.
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** Returns `true` if `acr_values` contain the class with a second factor but not the one without it. */
function requiresSecondFactor(wanted: string): boolean {
  const classes = wanted.split(' ');
  return classes.includes(acrValues[0]) && !classes.includes(acrValues[1]);
}

type AsksFor = interactionPolicy.Check['check'];

/**
 * Accepts a stronger authentication class, because a user with a second factor also satisfies the password class. The
 * response names the requested class, as it must be one of the requested ones (OpenID Connect Core 1.0, section
 * 5.5.1.1). The session keeps the stronger one.
 */
function unlessStronger(check: AsksFor): AsksFor {
  return async (ctx: KoaContextWithOIDC) => {
    const { oidc } = ctx;
    const acrClaim = oidc.claims.id_token?.['acr'];
    const wanted: unknown = acrClaim?.values ?? [acrClaim?.value];
    const [strong, weak] = acrValues;
    if (oidc.acr !== strong || !Array.isArray(wanted) || wanted.includes(strong) || !wanted.includes(weak))
      return check(ctx);
    Object.defineProperty(oidc, 'acr', { value: weak });
    return false;
  };
}

function onceSignedIn(check: AsksFor): AsksFor {
  return async (ctx: KoaContextWithOIDC) => {
    const asks = await check(ctx);
    if (asks && ctx.oidc.result?.login !== undefined) {
      throw new errors.AccessDenied('the sign-in did not satisfy the requested authentication context');
    }
    return asks;
  };
}
