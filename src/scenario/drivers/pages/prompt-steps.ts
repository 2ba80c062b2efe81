import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { StepOf } from '../../../contract/scenario.schema.ts';
import { defaultPasskeyType, type PageName, pageNames } from '../../../contract/step-names.ts';
import type { Observation } from '../../driver.ts';
import { noPageOfSteps, refusePasskeyForApp } from '../../pages.ts';
import type { DisplayedPage, SignInFlow } from './sign-in-flow.ts';

/** The steps that answer a prompt on its page. */
type PromptStepKind = 'next' | 'skip' | 'skipError' | 'register' | 'failRegistration';

/** A prompt action as a scenario states it. */
export type PromptStep = { [K in PromptStepKind]: StepOf<K> }[PromptStepKind];

/** A passkey that is to be created. */
export interface WantedPasskey {
  readonly type: PasskeyType;
  readonly deviceId: string;
}

/** The tab in which a prompt is answered. */
export interface PromptTab {
  readonly flow: SignInFlow;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** Creates a passkey on the page of setup. */
  createPasskey(wanted: WantedPasskey): Promise<void>;
  /** Has the authenticator reject a passkey on the page of setup; without it, the user reports that setup failed. */
  rejectPasskey?(wanted: WantedPasskey): Promise<void>;
}

/** Performs a step at the prompt of a tab. */
export async function performPromptStep(tab: PromptTab, step: PromptStep): Promise<DisplayedPage> {
  const { flow } = tab;
  switch (step.kind) {
    case 'next':
      return flow.next();
    case 'skip':
      return flow.skip();
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
  refusePasskeyForApp(step, method);
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

/** Returns the outcome that a page shows: whether it is a prompt, and whether that has a skip button. */
export function displayedOutcome({ page, skippable }: DisplayedPage): 'none' | 'skippable' | 'required' {
  if (page !== 'prompt' && page !== 'required') return 'none';
  return skippable === true ? 'skippable' : 'required';
}

/** Returns the page under its name in scenarios. Throws `driver-failed` for a page that scenarios do not name. */
export function scenarioPageName({ page, error }: Pick<DisplayedPage, 'page' | 'error'>): PageName {
  // Setup has several pages; scenarios name them as one.
  const name = page.startsWith('setup-') ? 'setup' : page;
  if (isPageName(name)) return name;
  throw noPageOfSteps(page, error);
}

function isPageName(text: string): text is PageName {
  return (pageNames as readonly string[]).includes(text);
}

/** Converts the state of a tab to the observation of a step. */
export function toObservation(displayed: DisplayedPage): Observation {
  const { interstitials, signInId, status } = displayed;
  return {
    page: scenarioPageName(displayed),
    visitedPages: interstitials.filter(isPageName),
    ...idPart(signInId),
    status,
  };
}

/** The id of a sign-in as part of an observation; nothing without one. */
export function idPart(signInId: string | null): { readonly signInId?: string } {
  return signInId === null ? {} : { signInId };
}
