import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';

/** Where an authorization that was interrupted for a sign-in goes on. */
const resumed = /\/oauth2\/authorize\/([\w-]{1,64})$/;

type Session = Awaited<ReturnType<Provider['Session']['get']>>;

/**
 * Makes the session of a browser ready for a sign-in that has ended, whatever other tabs have done meanwhile. The provider itself
 * would send a form to itself before another user takes over, which the policy of the pages does not let through to the
 * application; refuse a session that another tab has renewed; and never let a session last that once was to end with the browser.
 */
export function settleSessions(provider: Provider): void {
  provider.use(async (ctx, next) => {
    const uid = resumed.exec(ctx.path)?.[1];
    const interaction = uid === undefined ? undefined : await provider.Interaction.find(uid);
    if (interaction !== undefined) await settle(interaction, await provider.Session.get(ctx));
    await next();
  });
}

async function settle(interaction: Interaction, session: Session): Promise<void> {
  const { accountId, uid } = session;
  if (accountId === undefined) return;
  const signedIn = interaction.result?.login;
  const before = interaction.session;
  // Renewed by another tab: it is still the browser's, and its user signs in now or is the same.
  if (before !== undefined && before.uid !== uid && (signedIn !== undefined || before.accountId === accountId)) {
    before.uid = uid;
    await interaction.persist();
  }
  if (signedIn === undefined) return;
  const isAnother = signedIn.accountId !== accountId;
  if (isAnother)
    for (const part of ['accountId', 'loginTs', 'amr', 'acr', 'authorizations'] as const) delete session[part];
  if (isAnother || signedIn.remember === true) delete session.transient;
  await session.persist();
}
