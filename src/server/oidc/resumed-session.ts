import Provider, { type Interaction } from 'oidc-provider';
import { uidResumed } from './bound-browser.ts';

type Session = Awaited<ReturnType<Provider['Session']['get']>>;

/**
 * Names the cookie by which an authorization goes on after the interaction that it goes on with. The provider has one name for all
 * and tells them by their paths: where paths are not heeded, one tab goes on with the sign-in of another.
 */
export function nameResumptions(provider: Provider): void {
  const nameOf = provider.cookieName.bind(provider);
  provider.cookieName = (type) => {
    const { oidc, path = '' } = Provider.ctx ?? {};
    const uid = type === 'resume' ? (oidc?.entities.Interaction?.uid ?? uidResumed(path)) : undefined;
    return uid === undefined ? nameOf(type) : `${nameOf(type)}-${uid}`;
  };
}

/**
 * Makes the session of a browser ready for a sign-in that has ended, whatever other tabs have done meanwhile. The provider itself
 * would send a form to itself before another user takes over, which the policy of the pages does not let through to the
 * application; refuse a session that another tab has renewed or ended; and never let a session last that once was to end with the
 * browser.
 */
export function settleSessions(provider: Provider): void {
  provider.use(async (ctx, next) => {
    const uid = uidResumed(ctx.path);
    const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid);
    if (interaction !== undefined) await settle(provider, interaction, await provider.Session.get(ctx));
    await next();
  });
}

async function settle(provider: Provider, interaction: Interaction, session: Session): Promise<void> {
  const signedIn = await signInOf(provider, interaction);
  const { session: before, result = {} } = interaction;
  // The pages of this tab spoke of one user, and the browser is another one's by now, or no one's: they are asked again.
  const isOutdated = before !== undefined && before.accountId !== session.accountId;
  if (signedIn === undefined && (isOutdated || result.login !== undefined) && result['error'] === undefined)
    interaction.result = {};
  if (before !== undefined) {
    interaction.session = undefined;
    await interaction.persist();
  }
  if (signedIn === undefined || session.accountId === undefined) return;
  if (session.accountId !== signedIn.accountId) {
    // What the other user's applications were given goes on by his session, which no browser has any more.
    session.resetIdentifier();
    await session.persist();
  } else if (signedIn.remember === true) {
    delete session.transient;
    await session.persist();
  }
}

/** The sign-in that an interaction goes on with; `undefined` without one, or when its user has signed out since. */
async function signInOf(provider: Provider, { prompt, result, session }: Interaction) {
  if (prompt.name !== 'consent' || session === undefined) return result?.login;
  // A consent carries the sign-in that came before it.
  const made = await provider.Session.findByUid(session.uid);
  return made?.accountId === result?.login?.accountId ? result?.login : undefined;
}
