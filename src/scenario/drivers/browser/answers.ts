import type { StepOf } from '../../../contract/scenario.schema.ts';
import { defaultPasskeyType, type PageName, pageNames } from '../../../contract/step-names.ts';
import type { Observation } from '../../driver.ts';
import { noPageOfSteps, refusePasskeyForApp } from '../../pages.ts';
import type { DisplayedPage, SignInNavigation, WalkPlace } from './sign-in-navigation.ts';

/** The steps that answer a prompt on its page. */
export type AnswerKind = 'next' | 'skip' | 'skipError' | 'register' | 'failRegistration';

/** An answer in the words of scenarios. */
export type AnswerStep = { [K in AnswerKind]: StepOf<K> }[AnswerKind];

/** The tab that an answer is given in. */
export interface AnsweredTab {
  readonly walk: SignInNavigation;
  readonly place: Pick<WalkPlace, 'os' | 'deviceId'>;
  /** Whether the tenant asks for makes of passkeys or attestation. */
  readonly restricted: boolean;
}

/** Gives an answer at the page that a tab shows, or at the one that it showed before it was closed. */
export async function answerIn(tab: AnsweredTab, step: AnswerStep): Promise<DisplayedPage> {
  const { walk, place } = tab;
  switch (step.kind) {
    case 'next':
      return walk.next();
    case 'skip':
      return walk.skip();
    case 'skipError':
      return walk.skipError();
    case 'register':
      return register(tab, step);
    case 'failRegistration': {
      const method = await walk.reachSetup();
      return method === null ? walk.shown() : walk.failSetup(method, defaultPasskeyType(place.os));
    }
  }
}

async function register({ walk, place, restricted }: AnsweredTab, step: StepOf<'register'>): Promise<DisplayedPage> {
  const method = await walk.reachSetup();
  if (method === null) return walk.shown();
  refusePasskeyForApp(step, method);
  if (method === 'vendorAuthenticator') return walk.registerApp();
  const { passkey } = step.say;
  const type = passkey?.type ?? defaultPasskeyType(place.os);
  return walk.registerPasskey({ type, deviceId: passkey?.deviceId ?? place.deviceId, restricted });
}

/** What a sign-in ended at, read from the page: its name, and whether it has a way to put the prompt off. */
export function outcomeSeen({ page, skippable }: DisplayedPage): 'none' | 'skippable' | 'required' {
  if (page !== 'prompt' && page !== 'required') return 'none';
  return skippable === true ? 'skippable' : 'required';
}

/** The page that a tab shows, by the name that scenarios know it by. Throws `driver-failed` for one that they do not know. */
export function getPageName({ page, error }: DisplayedPage): PageName {
  // Set-up has several pages, and scenarios know it as one.
  const name = page.startsWith('setup-') ? 'setup' : page;
  if (isPageName(name)) return name;
  throw noPageOfSteps(page, error);
}

/** Whether a page is one that scenarios know. */
function isPageName(text: string): text is PageName {
  return (pageNames as readonly string[]).includes(text);
}

/** What a tab shows, as a step tells it. */
export function createObservation(shown: DisplayedPage): Observation {
  const passed = shown.interstitials.filter(isPageName);
  return { page: getPageName(shown), passed, ...withSignInId(shown.signInId), status: shown.status };
}

/** The id of a sign-in as part of what was seen; nothing where there is none. */
export function withSignInId(signInId: string | null): { readonly signInId?: string } {
  return signInId === null ? {} : { signInId };
}
