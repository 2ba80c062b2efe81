import { parseInstant } from '../../../core/clock.ts';
import type { OwnPromptView, OwnScreenView } from '../../../sandbox/own-prompt-view.ts';
import type { TextKey } from '../texts/english.ts';
import type { PageTexts } from '../texts/page-texts.ts';
import type { SignInPage } from './sign-in-page.ts';

/** Screens of an own campaign that a ruleset can word. */
type OwnScreenName = 'prompt' | 'required' | 'error' | 'blocked';

/** Texts of one screen of an own campaign: those of its ruleset, else the generic ones. They are not escaped. */
export interface OwnScreenTexts {
  readonly heading: string;
  readonly text: string;
  /** Returns the label of a button: that of the ruleset, else the given one. */
  readonly button: (name: string, label: string) => string;
}

const dayMs = 86_400_000;

/** Headings by kind of the method. */
const headings: Readonly<Record<OwnPromptView['method']['kind'], TextKey>> = {
  passkey: 'own.set-up',
  app: 'own.set-up',
  totp: 'own.set-up',
  phone: 'own.verify',
  email: 'own.verify',
  password: 'own.change',
  terms: 'own.accept',
  form: 'own.complete',
};

/** Returns the generic heading of an own campaign's method. */
export function ownHeading({ tenant: { texts } }: Pick<SignInPage, 'tenant'>, { method }: OwnPromptView): string {
  return texts.text(headings[method.kind], { method: method.label });
}

/** Returns the texts of a screen of an own campaign. */
export function ownScreenTexts(page: SignInPage, own: OwnPromptView, name: OwnScreenName): OwnScreenTexts {
  const { texts } = page.tenant;
  const screen: OwnScreenView | undefined = own.screens[name];
  const values = namedValues(page, own);
  const generic: Readonly<Record<OwnScreenName, { heading: string; text: string }>> = {
    prompt: { heading: ownHeading(page, own), text: texts.text('own.lead') },
    required: { heading: ownHeading(page, own), text: texts.text('own.required') },
    error: {
      heading: texts.text('error-screen.heading'),
      text: texts.text(own.errorSkippable ? 'own.error' : 'own.error-required'),
    },
    blocked: { heading: texts.text('own.blocked'), text: texts.text('own.blocked-lead', { method: own.method.label }) },
  };
  return {
    heading: screen?.heading == null ? generic[name].heading : fill(screen.heading, values),
    text: screen?.text == null ? generic[name].text : fill(screen.text, values),
    button: (button, label) => fill(screen?.buttons[button] ?? label, values),
  };
}

/** Returns what the names in braces of a ruleset's texts stand for (OC38). */
function namedValues(page: SignInPage, own: OwnPromptView): Readonly<Record<string, string>> {
  const { texts, branding } = page.tenant;
  return {
    method: own.method.label,
    product: branding?.name ?? 'NudgeLab',
    days: own.waitMs === null ? '' : String(Math.ceil(own.waitMs / dayMs)),
    left: own.snoozesLeft === null ? texts.text('own.unlimited') : String(own.snoozesLeft),
    deadline: own.deadlineAt === null ? texts.text('own.no-deadline') : formatDeadline(texts, own.deadlineAt),
    user: page.userPrincipalName,
  };
}

function fill(words: string, values: Readonly<Record<string, string>>): string {
  return words.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Formats the end of a deadline in the language of the page, in UTC. */
export function formatDeadline({ language }: PageTexts, deadlineAt: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language === 'en' ? 'en-US' : language, options).format(parseInstant(deadlineAt) ?? 0)} UTC`;
}
