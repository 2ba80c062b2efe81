import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { acrValues } from './authentication-context.ts';

const { Check, Prompt, base } = interactionPolicy;

/**
 * When the provider asks the pages for something: the choice of an account where the application wants one, a sign-in, a
 * consent. It differs from the provider's own in six things: an account can be chosen, a session of a user who is gone is none,
 * nor is one of another user than the application suggests, a session without the second factor that `acr_values` ask for is asked
 * for it, an `acr` that has to be reached and was not is an error instead of another sign-in without end, and one that has to be
 * reached is reached by a stronger one.
 */
export function createInteractionPolicy(sandbox: Sandbox): interactionPolicy.Prompt[] {
  const policy = base();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  const signIn = policy.get('login');
  signIn?.checks.add(
    new Check('account_gone', 'the user of the session is no longer there', 'login_required', ({ oidc }) => {
      const userId = oidc.session?.accountId;
      return userId !== undefined && !sandbox.recorder.state().users.has(userId);
    }),
  );
  signIn?.checks.add(
    new Check('other_user_suggested', 'the application suggests another user', 'login_required', ({ oidc }) => {
      const { result, session, params } = oidc;
      // Who has just signed in, or was picked on purpose, goes before a suggestion.
      if (result?.login !== undefined || result?.['select_account'] !== undefined) return false;
      const suggested = sandbox.directory.userNamed(String(params?.['login_hint'] ?? ''));
      return suggested !== null && session?.accountId !== undefined && session.accountId !== suggested.id;
    }),
  );
  signIn?.checks.add(
    new Check('second_factor_asked', 'the application asks for a second factor', 'login_required', ({ oidc }) => {
      const { result, session, params, prompts } = oidc;
      // A wish is none to fail for: asked once, and not where no page may be shown.
      if (result?.login !== undefined || prompts.has('none') || session?.accountId === undefined) return false;
      return secondFactorAsked(String(params?.['acr_values'] ?? '')) && session.acr !== acrValues[0];
    }),
  );
  for (const reason of ['essential_acr', 'essential_acrs']) {
    const check = signIn?.checks.get(reason);
    if (check !== undefined) check.check = unlessStronger(onceSignedIn(check.check));
  }
  // Whether users are asked is a matter of the client, not of where it runs.
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}

/** Whether `acr_values` name the class with a second factor, and the one without it is not as good. */
function secondFactorAsked(wanted: string): boolean {
  const classes = wanted.split(' ');
  return classes.includes(acrValues[0]) && !classes.includes(acrValues[1]);
}

type AsksFor = interactionPolicy.Check['check'];

/**
 * Anyone who gave a second factor has given the password's class of authentication too. The answer then names the class that was
 * asked for, since it has to be one of them (OpenID Connect Core 1.0, 5.5.1.1); the session keeps the stronger one.
 */
function unlessStronger(check: AsksFor): AsksFor {
  return async (ctx: KoaContextWithOIDC) => {
    const { oidc } = ctx;
    const asked = oidc.claims.id_token?.['acr'];
    const wanted: unknown = asked?.values ?? [asked?.value];
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
      throw new errors.AccessDenied('the sign-in did not reach the authentication context that was asked for');
    }
    return asks;
  };
}
