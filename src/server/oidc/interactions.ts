import type Provider from 'oidc-provider';
import type { Interaction, InteractionResults } from 'oidc-provider';
import { NudgeLabError } from '../../core/errors.ts';
import { withClock } from '../../core/sandbox-date.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type GivenMfa, getAcr, listAmr } from './authentication-context.ts';
import { grantAsked } from './consent.ts';
import { createInteractionView, type InteractionView } from './interaction-view.ts';
import type { Providers } from './providers.ts';

export type { InteractionView } from './interaction-view.ts';

/** The provider's word for a sign-in in what an interaction results in. */
const signInResult = 'login';

/** How a user has signed in. */
export interface FinishedSignIn {
  readonly userId: string;
  /** The second factor of this sign-in. It makes `amr` and `acr`. */
  readonly mfa: GivenMfa;
  /** The sign-in of the journal. */
  readonly signInId: string;
  /** Whether the browser keeps the session over its own end ("stay signed in"). */
  readonly remember: boolean;
}

/**
 * What the pages and the provider have to say to each other. The provider sends the browser to
 * `{base}/sign-in?interaction=UID`; each call that ends an interaction returns the address to send it to, with 303.
 * The address checks a cookie of its own, so these calls rely on none. All throw `interaction-unknown` for an
 * interaction that is over or never was.
 */
export class Interactions {
  readonly #providers: Providers;

  /** Takes the providers of all sandboxes. */
  constructor(providers: Providers) {
    this.#providers = providers;
  }

  /** An interaction that waits; `null` when it is over, has expired or never was. */
  find(sandbox: Sandbox, uid: string): Promise<InteractionView | null> {
    return this.#inSandbox(sandbox, async (provider) => {
      const interaction = await provider.Interaction.find(uid);
      return interaction === undefined ? null : createInteractionView(provider, interaction);
    });
  }

  /** The user has signed in, or chose the account of another user and signed in to that. */
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

  /** The user goes on with the account of the session that the browser has. */
  keepAccount(sandbox: Sandbox, uid: string): Promise<string> {
    return this.#finish(sandbox, uid, async () => ({ select_account: {} }));
  }

  /** The user agreed to what the application asks for, or refused: then the application hears `access_denied`. */
  finishConsent(sandbox: Sandbox, uid: string, granted: boolean): Promise<string> {
    if (!granted) return this.abort(sandbox, uid, 'access_denied');
    return this.#finish(sandbox, uid, async (provider, interaction) => ({
      consent: { grantId: await grantAsked(provider, interaction) },
    }));
  }

  /** The sign-in ends without a result. Takes the error code that the application hears, such as `access_denied`. */
  abort(sandbox: Sandbox, uid: string, error: string): Promise<string> {
    return this.#finish(sandbox, uid, async () => ({
      error,
      error_description: 'The user ended the sign-in, or was not let through.',
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
    message: 'The application’s sign-in is over, or was never begun in this sandbox.',
  });
}
