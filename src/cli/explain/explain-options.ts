import { browsers, mfaMethods, mfaProviders, operatingSystems, surfaces } from '../../../machines/vocabulary.ts';
import { parseInstant } from '../../core/clock.ts';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { ArgumentsOf } from '../command.ts';
import { rulesetOption, serverUrlOption, setOption, tenantDefault } from '../common-options.ts';
import { controlKeyOption } from '../control-key.ts';
import { choice, flag, instant, list, text } from '../option.ts';

/** Options of `nudgelab explain`. */
export const explainOptions = {
  facts: text('--facts <file>', 'evaluate this file of facts, one JSON object per line; - reads standard input'),
  ruleset: rulesetOption(
    'id or file of the ruleset for facts that do not name one',
    'ruleset of the configuration, or seed; with --url the ruleset of the sandbox',
  ),
  set: setOption,
  user: text('--user <name>', 'user of a single sign-in: a fixture, or the id of a user with --url'),
  tenant: text('--tenant <fixture>', 'tenant of a single sign-in', { default: tenantDefault }),
  url: text('--url <address>', 'evaluate on this running server, with its users, tenant and clock', {
    whenOmitted: `${serverUrlOption.initial} with --sandbox`,
  }),
  controlKey: controlKeyOption,
  sandbox: text('--sandbox <id>', 'id of a sandbox of the running server', {
    whenOmitted: `${defaultSandboxId} with --url`,
  }),
  os: choice('--os <system>', 'operating system', operatingSystems, { whenOmitted: 'windows' }),
  browser: choice('--browser <browser>', 'browser', [...browsers, 'none'] as const, { whenOmitted: 'chrome' }),
  surface: choice('--surface <surface>', 'surface of the sign-in', surfaces, { whenOmitted: 'browser' }),
  device: text('--device <id>', 'id of the device', { whenOmitted: 'device-1' }),
  mfaMethod: choice('--mfa-method <method>', 'second factor of this sign-in', mfaMethods, {
    whenOmitted: 'first method of the user',
  }),
  mfaProvider: choice('--mfa-provider <provider>', 'provider of the second factor', mfaProviders, {
    whenOmitted: 'service',
  }),
  sso: flag('--sso', 'the user is already signed in (SSO)'),
  at: list('--at <instants>', 'explain a single sign-in at each of these times, or facts at one'),
  clock: instant('--clock <instant>', 'virtual time of the sign-in', '2026-01-05T09:00:00.000Z'),
} as const;

/** Arguments of `nudgelab explain`. */
export type ExplainArguments = ArgumentsOf<typeof explainOptions>;

/** Returns the times of `--at` in milliseconds. Throws `usage-invalid` for a text that is no instant. */
export function parseTimes({ at }: Pick<ExplainArguments, 'at'>): readonly number[] {
  return at.map((text) => {
    const atMs = parseInstant(text);
    if (atMs !== null) return atMs;
    const message = `${JSON.stringify(text)} is no instant; write one such as 2027-02-01 or 2027-02-01T09:00:00Z`;
    throw new NudgeLabError('usage-invalid', { problems: [{ location: '--at', message }] });
  });
}
