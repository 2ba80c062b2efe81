import Provider, { type Interaction } from 'oidc-provider';
import { uidResumed } from './bound-browser.ts';

type Session = Awaited<ReturnType<Provider['Session']['get']>>;

/**
 * Adds the interaction to the name of the cookie that resumes an authorization. The provider uses one name and
 * distinguishes interactions by cookie path. In clients that ignore the path, one tab would resume the sign-in of
 * another.
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
 * Prepares the browser's session for a finished sign-in, regardless of changes in other tabs. The provider by itself
 * would submit an intermediate form when the user changes, which the form policy of the pages blocks. It would also
 * reject sessions that another tab has renewed or ended, and it would never make a temporary session persistent.
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
  const signedIn = await findSignIn(provider, interaction);
  const { session: before, result = {} } = interaction;
  // The pages of this tab were for a user who has since been replaced or signed out, so they are shown again.
  const isOutdated = before !== undefined && before.accountId !== session.accountId;
  if (signedIn === undefined && (isOutdated || result.login !== undefined) && result['error'] === undefined)
    interaction.result = {};
  if (before !== undefined) {
    interaction.session = undefined;
    await interaction.persist();
  }
  if (signedIn === undefined || session.accountId === undefined) return;
  if (session.accountId !== signedIn.accountId) {
    // Grants to the applications of the other user continue in that user's session, which no browser uses any more.
    session.resetIdentifier();
    await session.persist();
  } else if (signedIn.remember === true) {
    delete session.transient;
    await session.persist();
  }
}

/** Returns the sign-in that an interaction continues. `undefined` if there is none or its user has signed out since. */
async function findSignIn(provider: Provider, { prompt, result, session }: Interaction) {
  if (prompt.name !== 'consent' || session === undefined) return result?.login;
  // A consent interaction contains the result of the preceding sign-in.
  const made = await provider.Session.findByUid(session.uid);
  return made?.accountId === result?.login?.accountId ? result?.login : undefined;
}
