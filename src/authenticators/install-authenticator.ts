import type { CeremonyContext, CeremonyOutcome } from './ceremony.ts';
import { CeremonyError } from './ceremony-error.ts';
import { type CeremonyNote, ceremonyNote } from './ceremony-note.ts';
import { type PageAnswer, type PageRequest, pageScript } from './page-script.ts';
import type { SoftwareAuthenticator } from './software-authenticator.ts';
import type { CreationOptionsJson, RequestOptionsJson, SignalsJson } from './webauthn-json.ts';

/** Frame and page that called a binding, as Playwright reports them. */
export interface BindingSource {
  readonly page: object;
  readonly frame: { url(): string };
}

/** Members of a Playwright browser context that are used. A Playwright page has the same members. */
export interface ScriptedContext {
  exposeBinding(
    name: string,
    answer: (source: BindingSource, request: PageRequest) => Promise<PageAnswer>,
  ): Promise<unknown>;
  addInitScript(script: { content: string }): Promise<unknown>;
}

/** Result of selecting a passkey from autofill. */
export type AutofillChoice = 'chosen' | 'nothing-offered' | 'no-request';

/** Software authenticator that is installed in the pages of a browser context. */
export interface InstalledAuthenticator {
  /**
   * Replaces the authenticator for all later ceremonies. Pages that are already open keep their static capabilities.
   */
  use(authenticator: SoftwareAuthenticator): void;
  /**
   * Selects a passkey from the autofill of a page. The default page is the one with the latest request, and the
   * default passkey is the newest match. The conditional request stays pending until a passkey is selected.
   */
  chooseFromAutofill(choice?: { readonly page?: object; readonly credentialId?: string }): Promise<AutofillChoice>;
}

/** Callbacks that observe how pages use an authenticator. */
export interface PageWatcher {
  readonly onCeremony?: (note: CeremonyNote) => void;
}

/** Name of the Playwright binding in the page. */
const binding = '__nudgelabAuthenticator';

interface OpenAutofill {
  readonly page: object;
  readonly ceremony: number;
  readonly options: RequestOptionsJson;
  readonly origin: string;
  readonly answer: (answer: PageAnswer) => void;
}

/**
 * Installs a software authenticator in all pages that a Playwright context or page opens afterwards. It replaces
 * the browser's own authenticator and works under any Content-Security-Policy. The origin comes from the frame, so
 * a page cannot claim another origin. Call it once per context or page, and call `use` to replace the
 * authenticator.
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

/** Forwards ceremony requests from pages to the authenticator. */
class CeremonyBridge implements InstalledAuthenticator {
  #authenticator: SoftwareAuthenticator;
  readonly #watcher: PageWatcher;
  /** Pending conditional requests, the latest last. A page has at most one. */
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

  /** Runs a ceremony on the authenticator and notifies the page watcher. */
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

  /** Removes the conditional request of a page, or only that of one ceremony. */
  #forget(page: object, ceremony?: number): void {
    this.#autofills = this.#autofills.filter(
      (open) => open.page !== page || (ceremony !== undefined && open.ceremony !== ceremony),
    );
  }
}

/**
 * Converts an outcome to the response for a page. An unanswered ceremony stays pending, so the page's timeout and
 * signal apply.
 */
function settled(outcome: CeremonyOutcome<object>): Promise<PageAnswer> {
  return outcome.kind === 'unanswered' ? Promise.race<PageAnswer>([]) : Promise.resolve(asAnswer(outcome));
}

function asAnswer(outcome: Exclude<CeremonyOutcome<object>, { kind: 'unanswered' }>): PageAnswer {
  if (outcome.kind === 'answered') return outcome;
  const { name, message } = outcome.error;
  return { kind: 'failed', name, message };
}
