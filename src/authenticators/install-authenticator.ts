import type { CeremonyContext, CeremonyOutcome } from './ceremony.ts';
import { CeremonyError } from './ceremony-error.ts';
import { type CeremonyNote, ceremonyNote } from './ceremony-note.ts';
import { type PageAnswer, type PageRequest, pageScript } from './page-script.ts';
import type { SoftwareAuthenticator } from './software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson, SignalsJson } from './webauthn-json.ts';

/** The frame and page that a call of a binding comes from, as Playwright tells it. */
export interface BindingSource {
  readonly page: object;
  readonly frame: { url(): string };
}

/** What is used of Playwright's browser context; its page has the same members. */
export interface ScriptedContext {
  exposeBinding(
    name: string,
    answer: (source: BindingSource, request: PageRequest) => Promise<PageAnswer>,
  ): Promise<unknown>;
  addInitScript(script: { content: string }): Promise<unknown>;
}

/** What came of picking a passkey from autofill. */
export type AutofillChoice = 'chosen' | 'nothing-offered' | 'no-request';

/** An authenticator in the pages of a context. */
export interface InstalledAuthenticator {
  /** Answers the ceremonies from now on; the statics of pages that are open already stay as they were. */
  use(authenticator: SoftwareAuthenticator): void;
  /**
   * Picks a passkey from the autofill of a page, of the page that asked last when none is named: the newest passkey that fits,
   * or the one whose id is given. Until then a conditional request stays open, as it does before a person.
   */
  chooseFromAutofill(choice?: { readonly page?: object; readonly credentialId?: string }): Promise<AutofillChoice>;
}

/** Hears of what pages do with an authenticator. */
export interface PageWatcher {
  readonly onCeremony?: (note: CeremonyNote) => void;
}

/** Name of the binding in the page. */
const binding = '__nudgelabAuthenticator';

interface OpenAutofill {
  readonly page: object;
  readonly ceremony: number;
  readonly options: RequestOptionsJson;
  readonly origin: string;
  readonly answer: (answer: PageAnswer) => void;
}

/**
 * Puts a software authenticator in the place of the browser's own for every page of a context that is opened afterwards, under
 * any Content-Security-Policy. The origin is taken from the frame, so a page cannot name another. Takes a Playwright context
 * or page, once each; another authenticator is put in with `use`. Takes who hears of what the pages do.
 */
export async function installAuthenticator(
  context: ScriptedContext,
  authenticator: SoftwareAuthenticator,
  watcher: PageWatcher = {},
): Promise<InstalledAuthenticator> {
  const bridge = new CeremonyBridge(authenticator, watcher);
  const { attachment, userVerification } = authenticator.profile;
  await context.exposeBinding(binding, (source, request) => bridge.answer(source, request));
  await context.addInitScript({
    content: pageScript({ binding, userVerifyingPlatform: attachment === 'platform' && userVerification }),
  });
  return bridge;
}

/** Takes the requests of the pages to the authenticator. */
class CeremonyBridge implements InstalledAuthenticator {
  #authenticator: SoftwareAuthenticator;
  readonly #watcher: PageWatcher;
  /** The open conditional requests, the latest last; a page has one at most. */
  #autofills: readonly OpenAutofill[] = [];

  constructor(authenticator: SoftwareAuthenticator, watcher: PageWatcher) {
    this.#authenticator = authenticator;
    this.#watcher = watcher;
  }

  use(authenticator: SoftwareAuthenticator): void {
    this.#authenticator = authenticator;
  }

  async chooseFromAutofill(choice: { page?: object; credentialId?: string } = {}): Promise<AutofillChoice> {
    const { page, credentialId } = choice;
    const open = this.#autofills.findLast((autofill) => page === undefined || autofill.page === page);
    if (open === undefined) return 'no-request';
    const offered = this.#authenticator.fitting(open.options, open.origin);
    if (!offered.some(({ id }) => credentialId === undefined || id === credentialId)) return 'nothing-offered';
    this.#forget(open.page);
    const picked = credentialId === undefined ? {} : { credentialId };
    const outcome = this.#noted('get', open.options, { origin: open.origin, ...picked });
    if (outcome.kind !== 'unanswered') open.answer(asAnswer(outcome));
    return 'chosen';
  }

  async answer({ page, frame }: BindingSource, request: PageRequest): Promise<PageAnswer> {
    const context: CeremonyContext = { origin: new URL(frame.url()).origin };
    switch (request.kind) {
      case 'create':
        return settled(this.#noted('create', request.options as CreationOptionsJson, context));
      case 'conditional-create':
        return settled(
          this.#noted('create', request.options as CreationOptionsJson, { ...context, conditional: true }),
        );
      case 'get':
        return settled(this.#noted('get', request.options as RequestOptionsJson, context));
      case 'signal':
        this.#authenticator.signal(request.options as SignalsJson);
        return { kind: 'answered', response: {} };
      case 'autofill':
        return this.#waitForChoice(page, request, context.origin);
      case 'end':
        this.#forget(page, request.ceremony);
        return asAnswer({ kind: 'failed', error: new CeremonyError('aborted') });
    }
  }

  /** Has the authenticator answer, and tells anyone who watches. */
  #noted(
    type: CeremonyNote['type'],
    options: CreationOptionsJson | RequestOptionsJson,
    context: CeremonyContext,
  ): CeremonyOutcome<object> {
    const outcome =
      type === 'create'
        ? this.#authenticator.answerCreation(options as CreationOptionsJson, context)
        : this.#authenticator.answerRequest(options as RequestOptionsJson, context);
    this.#watcher.onCeremony?.(ceremonyNote({ type, options, context, outcome }));
    return outcome;
  }

  #waitForChoice(page: object, { ceremony, options }: PageRequest, origin: string): Promise<PageAnswer> {
    this.#forget(page);
    return new Promise((answer) => {
      const autofill = { page, ceremony, options: options as RequestOptionsJson, origin, answer };
      this.#autofills = [...this.#autofills, autofill];
    });
  }

  /** Drops the conditional request of a page: any, or that of one ceremony. */
  #forget(page: object, ceremony?: number): void {
    this.#autofills = this.#autofills.filter(
      (open) => open.page !== page || (ceremony !== undefined && open.ceremony !== ceremony),
    );
  }
}

/** The answer to a page; an outcome that no one answers leaves the page to its own time limit and signal. */
function settled(outcome: CeremonyOutcome<object>): Promise<PageAnswer> {
  return outcome.kind === 'unanswered' ? Promise.race<PageAnswer>([]) : Promise.resolve(asAnswer(outcome));
}

function asAnswer(outcome: Exclude<CeremonyOutcome<object>, { kind: 'unanswered' }>): PageAnswer {
  if (outcome.kind === 'answered') return outcome;
  const { name, message } = outcome.error;
  return { kind: 'failed', name, message };
}
