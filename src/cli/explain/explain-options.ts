import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { browsers, mfaMethods, mfaProviders, operatingSystems, surfaces } from '../../../machines/vocabulary.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, instant, text } from '../option.ts';

/** The options of `nudgelab explain`. */
export const explainOptions = {
  facts: text('--facts <file>', 'evaluate this file of facts, one JSON object per line; - reads standard input'),
  ruleset: choice('--ruleset <id>', 'ruleset for facts that name none', rulesetIds, 'seed'),
  user: text('--user <fixture>', 'user of a single sign-in'),
  tenant: text('--tenant <fixture>', 'tenant of a single sign-in (default: app-enabled)'),
  os: choice('--os <system>', 'operating system', operatingSystems, 'windows'),
  browser: choice('--browser <browser>', 'browser', [...browsers, 'none'] as const, 'chrome'),
  surface: choice('--surface <surface>', 'surface that the sign-in runs in', surfaces, 'browser'),
  device: text('--device <id>', 'id of the device (default: device-1)'),
  mfaMethod: choice(
    '--mfa-method <method>',
    'second factor of this sign-in',
    mfaMethods,
    'the first that the user has',
  ),
  mfaProvider: choice('--mfa-provider <provider>', 'provider of the second factor', mfaProviders, 'service'),
  sso: flag('--sso', 'the user is already signed in (SSO)'),
  now: instant('--now <instant>', 'time of the sign-in (default: 2026-01-05T09:00:00.000Z)'),
} as const;

/** What the command is given. */
export type ExplainArguments = ArgumentsOf<typeof explainOptions>;
