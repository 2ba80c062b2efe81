import type { RulesetInForce, SignIn } from '../control/answers.ts';
import { formatInstant } from '../parts/labels.ts';

/** Returns heading and buttons of a screen as an own campaign words them; nothing for a screen that it does not word. */
export type OwnScreenTexts = (screen: string) => { readonly heading?: string; readonly buttons?: readonly string[] };

/** Names of the screens in a ruleset. */
const namesOfScreens: Readonly<Record<string, string>> = {
  prompt: 'prompt',
  required: 'required',
  errorScreen: 'error',
  blocked: 'blocked',
};

/** First word of the generic heading of a prompt, by kind of the method, as the pages have it in English. */
const genericHeadings: Readonly<Record<string, string>> = {
  phone: 'Verify',
  email: 'Verify',
  password: 'Change',
  terms: 'Accept',
  form: 'Complete',
};

/**
 * Creates the texts of the screens of a sign-in with the words of its own campaign.
 *
 * @param own - prompt of the sign-in; `undefined` if it has none
 * @param ruleset - ruleset of the sandbox, whose answers are the buttons
 */
export function createOwnScreenTexts(
  own: SignIn['own'],
  ruleset: RulesetInForce | undefined,
): OwnScreenTexts | undefined {
  if (own === undefined || ruleset?.base !== 'own') return undefined;
  const fill = (text: string): string =>
    text
      .replaceAll('{method}', own.method.label)
      .replaceAll('{left}', own.snoozesLeft === null ? 'any number of' : String(own.snoozesLeft))
      .replaceAll('{deadline}', own.deadlineAt === null ? 'no date' : formatInstant(own.deadlineAt));
  return (screen) => {
    const name = namesOfScreens[screen];
    if (name === undefined) return {};
    const { heading = null, buttons: labels = {} } = own.screens[name] ?? {};
    const offered = ruleset.answers.filter(
      ({ hasButton, whenRequired }) => hasButton && (name === 'prompt' || whenRequired === 'offered'),
    );
    const buttons = [
      labels['next'] ?? 'Next',
      ...offered.map(({ id, label }) => labels[id] ?? (label === '' ? id : label)),
    ].map(fill);
    const { kind, label } = own.method;
    if (name !== 'prompt' && name !== 'required') return heading === null ? {} : { heading: fill(heading) };
    return { heading: fill(heading ?? `${genericHeadings[kind] ?? 'Set up'}: ${label}`), buttons };
  };
}
