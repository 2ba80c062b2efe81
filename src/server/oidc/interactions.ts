import type Provider from 'oidc-provider';
import type { Interaction, InteractionResults } from 'oidc-provider';
import { NudgeLabError } from '../../core/errors.ts';
import { withClock } from '../../core/sandbox-date.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type GivenMfa, getAcr, listAmr } from './authentication-context.ts';
import { grantRequestedScopes } from './consent.ts';
import { createInteractionView, type InteractionView } from './interaction-view.ts';
import type { Providers } from './providers.ts';

export type { InteractionView } from './interaction-view.ts';

/** Provider's name for a sign-in in the result of an interaction. */
const signInResult = 'login';

/** Completed sign-in of a user. */
export interface FinishedSignIn {
  readonly userId: string;
  /** Second factor of this sign-in, which determines `amr` and `acr`. */
  readonly mfa: GivenMfa;
  /** Id of the sign-in in the journal. */
  readonly signInId: string;
  /** `true` keeps the session after the browser is closed ("stay signed in"). */
  readonly remember: boolean;
}

/**
 * Connects the sign-in pages with the provider. The provider redirects the browser to `{base}/sign-in?interaction=UID`.
 * Each call that ends an interaction returns the URL for the next redirect with 303. That URL checks its own cookie, so
 * these calls need none. All calls except `find` throw `interaction-unknown` if the interaction has ended or never
 * existed.
 */
export class Interactions {
  readonly #providers: Providers;

  /** Creates the connection for the providers of all sandboxes. */
  constructor(providers: Providers) {
    this.#providers = providers;
  }

  /** Finds a pending interaction. Returns `null` if it has ended, has expired, or never existed. */
  find(sandbox: Sandbox, uid: string): Promise<InteractionView | null> {
    return this.#inSandbox(sandbox, async (provider) => {
      const interaction = await provider.Interaction.find(uid);
      return interaction === undefined ? null : createInteractionView(provider, interaction);
    });
  }

  /** Completes an interaction after the user signed in, also with an account other than the current one. */
  finishSignIn(sandbox: Sandbox, uid: string, signIn: FinishedSignIn): Promise<string> {
    const { userId, mfa, signInId, remember } = signIn;
    return this.#finish(sandbox, uid, async () => {
      const ts = Math.floor(sandbox.clock.nowMs() / 1000);
      return {
        [signInResult]: { accountId: userId, remember, amr: listAmr(mfa), acr: getAcr(mfa), ts, signInId },
        select_account: {},
      };
    });
  }

  /** Completes an interaction with the account of the browser's session. */
  keepAccount(sandbox: Sandbox, uid: string): Promise<string> {
    return this.#finish(sandbox, uid, async () => ({ select_account: {} }));
  }

  /** Completes an interaction after consent. If the user denies it, the application receives `access_denied`. */
  finishConsent(sandbox: Sandbox, uid: string, granted: boolean): Promise<string> {
    if (!granted) return this.abort(sandbox, uid, 'access_denied');
    return this.#finish(sandbox, uid, async (provider, interaction) => ({
      consent: { grantId: await grantRequestedScopes(provider, interaction) },
    }));
  }

  /** Ends an interaction with an error code for the application, such as `access_denied`. */
  abort(sandbox: Sandbox, uid: string, error: string): Promise<string> {
    return this.#finish(sandbox, uid, async () => ({
      error,
      error_description: 'The user canceled the sign-in, or the sign-in was blocked.',
    }));
  }

  async #finish(
    sandbox: Sandbox,
    uid: string,
    resultOf: (provider: Provider, interaction: Interaction) => Promise<InteractionResults>,
  ): Promise<string> {
    return this.#inSandbox(sandbox, async (provider) => {
      const interaction = await provider.Interaction.find(uid);
      if (interaction === undefined) throw interactionUnknown();
      const result = await resultOf(provider, interaction);
      interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
      await interaction.persist();
      return interaction.returnTo;
    });
  }

  async #inSandbox<T>(sandbox: Sandbox, task: (provider: Provider) => Promise<T>): Promise<T> {
    const provider = await this.#providers.of(sandbox);
    return withClock(
      () => sandbox.clock.nowMs(),
      () => task(provider),
    );
  }
}

function interactionUnknown(): NudgeLabError {
  return new NudgeLabError('interaction-unknown', {
    message: 'The sign-in of the application has ended, or was not started in this sandbox.',
  });
}
