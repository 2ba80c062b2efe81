import type { OperatingSystem, PasskeyType, VerdictOutcome } from '../../../../machines/vocabulary.ts';
import type { StepOf } from '../../../contract/scenario.schema.ts';
import { defaultPasskeyType, type PageName, pageNames } from '../../../contract/step-names.ts';
import type { Observation } from '../../driver.ts';
import { noPageOfSteps, refusePasskeyForApp } from '../../pages.ts';
import type { Credentials, DisplayedPage, SignInFlow } from './sign-in-flow.ts';

/** Steps that are user actions on the page of a prompt. */
type PromptStepKind = 'next' | 'skip' | 'skipError' | 'register' | 'failRegistration';

/** User action on a prompt, as defined in a scenario. */
export type PromptStep = { [K in PromptStepKind]: StepOf<K> }[PromptStepKind] & {
  /** Id of the answer that a skip gives in an own campaign. */
  readonly answer?: string;
};

/** Passkey to create. */
export interface WantedPasskey {
  readonly type: PasskeyType;
  readonly deviceId: string;
}

/** Tab that shows a prompt. */
export interface PromptTab {
  readonly flow: SignInFlow;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** Code and password of the user, which the setup of an own campaign can request. */
  readonly secrets: Pick<Credentials, 'code' | 'password'>;
  /** Creates a passkey on the setup page. */
  createPasskey(wanted: WantedPasskey): Promise<void>;
  /**
   * Rejects the creation of a passkey by the authenticator on the setup page. Without this method, the user reports
   * the failure.
   */
  rejectPasskey?(wanted: WantedPasskey): Promise<void>;
}

/** Performs a step on the prompt of a tab. */
export async function performPromptStep(tab: PromptTab, step: PromptStep): Promise<DisplayedPage> {
  const { flow } = tab;
  switch (step.kind) {
    case 'next':
      return flow.next();
    case 'skip':
      return flow.skip(step.answer);
    case 'skipError':
      return flow.skipError();
    case 'register':
      return register(tab, step);
    case 'failRegistration':
      return failRegistration(tab);
  }
}

async function register(tab: PromptTab, step: StepOf<'register'>): Promise<DisplayedPage> {
  const { flow } = tab;
  const method = await flow.reachSetup();
  if (method === null) return flow.display();
  refusePasskeyForApp(step, method === 'own' ? 'vendorAuthenticator' : method);
  if (method === 'own') return flow.completeSetup(tab.secrets);
  if (method === 'vendorAuthenticator') return flow.registerApp();
  return flow.registerPasskey(() => tab.createPasskey(wantedPasskey(tab, step.say.passkey)));
}

async function failRegistration(tab: PromptTab): Promise<DisplayedPage> {
  const { flow } = tab;
  const method = await flow.reachSetup();
  if (method === null) return flow.display();
  const canReject = method === 'fido2' && tab.rejectPasskey !== undefined;
  return flow.failSetup(canReject ? async () => tab.rejectPasskey?.(wantedPasskey(tab)) : undefined);
}

/** Returns the passkey that a step names, or the one that the device of its tab creates. */
export function wantedPasskey(
  { os, deviceId }: Pick<PromptTab, 'os' | 'deviceId'>,
  passkey?: StepOf<'register'>['say']['passkey'],
): WantedPasskey {
  return { type: passkey?.type ?? defaultPasskeyType(os), deviceId: passkey?.deviceId ?? deviceId };
}

/** Returns the outcome that a page shows, derived from the prompt and its skip button. */
export function displayedOutcome({ page, skippable }: DisplayedPage): VerdictOutcome {
  // Other sign-ins pass this page and end on another one.
  if (page === 'blocked') return 'blocked';
  if (page !== 'prompt' && page !== 'required') return 'none';
  return skippable === true ? 'skippable' : 'required';
}

/** Returns the name of a page in scenarios. Throws `driver-failed` for a page without such a name. */
export function scenarioPageName({ page, error }: Pick<DisplayedPage, 'page' | 'error'>): PageName {
  // The setup consists of several pages with a single name in scenarios.
  const name = page.startsWith('setup-') ? 'setup' : page;
  if (isPageName(name)) return name;
  throw noPageOfSteps(page, error);
}

function isPageName(text: string): text is PageName {
  return (pageNames as readonly string[]).includes(text);
}

/** Converts the state of a tab to the observation of a step. */
export function toObservation(displayed: DisplayedPage): Observation {
  const { interstitials, signInId, status, answers } = displayed;
  return {
    page: scenarioPageName(displayed),
    ...(answers.length === 0 ? {} : { answers }),
    visitedPages: interstitials.filter(isPageName),
    ...idPart(signInId),
    status,
  };
}

/** Returns the id of a sign-in as part of an observation, or an empty object if there is no id. */
export function idPart(signInId: string | null): { readonly signInId?: string } {
  return signInId === null ? {} : { signInId };
}
