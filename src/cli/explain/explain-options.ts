import { rulesetIds } from '../../../machines/rulesets/register.ts';
import { browsers, mfaMethods, mfaProviders, operatingSystems, surfaces } from '../../../machines/vocabulary.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, instant, text } from '../option.ts';

/** The options of `nudgelab explain`. */
export const explainOptions = {
  facts: text('--facts <file>', 'judge this file of facts, one JSON object a line; - reads the standard input'),
  ruleset: choice('--ruleset <id>', 'ruleset to judge by where the facts name none', rulesetIds, 'seed'),
  user: text('--user <fixture>', 'the user of a single question'),
  tenant: text('--tenant <fixture>', 'the tenant of a single question; default: app-enabled'),
  os: choice('--os <system>', 'operating system', operatingSystems, 'windows'),
  browser: choice('--browser <browser>', 'browser', [...browsers, 'none'] as const, 'chrome'),
  surface: choice('--surface <surface>', 'what the sign-in runs in', surfaces, 'browser'),
  device: text('--device <id>', 'id of the device; default: device-1'),
  mfaMethod: choice(
    '--mfa-method <method>',
    'second factor of this sign-in',
    mfaMethods,
    'the first that the user has',
  ),
  mfaProvider: choice('--mfa-provider <provider>', 'whose second factor it was', mfaProviders, 'service'),
  sso: flag('--sso', 'the user was signed in already'),
  now: instant('--now <instant>', 'time of the sign-in; default: 2026-01-05T09:00:00.000Z'),
} as const;

/** What the command is given. */
export type ExplainArguments = ArgumentsOf<typeof explainOptions>;
