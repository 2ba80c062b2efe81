import { parse } from 'yaml';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { checkLog, getOptions } from '../../src/conformance/check-log.ts';
import { readRows } from '../../src/conformance/log/log-rows.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import { logEventKinds } from '../../src/contract/conformance.schema.ts';
import type { RulesetFit } from '../../src/contract/conformance-report.ts';
import { readShipped } from '../properties/own-canaries.ts';
import type { OwnRow } from './own-random-logs.ts';

/** Ruleset of random logs, with settings of its tenant. */
export interface LoggedRuleset {
  readonly ruleset: OwnRuleset;
  readonly settings: Readonly<Record<string, boolean>>;
}

/** Returns the example `passkey-90-days` with other keys, which are YAML. */
function withKeys(keys: string): OwnRuleset {
  return readShipped('passkey-90-days', () => parse(keys) as object);
}

/** Rulesets of the random logs: the worked examples, and versions that keep more in their ledgers. */
export const loggedRulesets: ReadonlyMap<string, LoggedRuleset> = new Map([
  ['passkey-90-days', { ruleset: readShipped('passkey-90-days'), settings: {} }],
  ['passkey-week', { ruleset: readShipped('passkey-week'), settings: {} }],
  ['passkey-by-ecosystem', { ruleset: readShipped('passkey-by-ecosystem'), settings: {} }],
  [
    'second-factor-deadline',
    {
      ruleset: readShipped('second-factor-deadline', () => ({ done: { any: [] } })),
      settings: { graceOn: true },
    },
  ],
  [
    'a limit of snoozes',
    {
      ruleset: withKeys(`
cadence: { kind: fixed, every: 1d }
limit: { of: 3, counts: snoozes, then: required, after: wait }
answers: { notNow: { label: Not now, effect: snooze } }
ledger: { keys: [[user]] }
`),
      settings: {},
    },
  ],
  [
    'a limit of showings',
    {
      ruleset: withKeys(`
cadence: { kind: everySignIn }
limit: { of: 3, counts: shown, then: required, after: now }
answers: { notNow: { label: Not now, effect: snooze } }
ledger: { keys: [[user]] }
`),
      settings: {},
    },
  ],
  [
    'what was before a prompt',
    {
      ruleset: withKeys(`
cadence: { kind: everySignIn }
requirement: { required: { any: [{ fact: kept.previousSignInAt, olderThan: 3d }, { fact: kept.lastShownAt, youngerThan: 6h }] } }
answers: { notNow: { label: Not now, effect: snooze } }
ledger: { keys: [[user]] }
`),
      settings: {},
    },
  ],
  [
    'growing waits and a deadline',
    {
      ruleset: withKeys(`
cadence: { kind: growing, durations: [1d, 3d, 7d] }
deadline: { ends: [{ after: 20d, since: firstShown }], then: required }
answers: { notNow: { label: Not now, effect: snooze }, close: { effect: nothing } }
ledger: { keys: [[user]] }
resets: [{ on: registered, clears: [count, timer, shown] }, { on: control, clears: [timer, shown] }]
`),
      settings: {},
    },
  ],
  [
    'a deadline since the creation',
    {
      ruleset: withKeys(`
cadence: { kind: daily }
deadline: { ends: [{ after: 40d, since: created }], opens: 39d, then: blocked }
`),
      settings: {},
    },
  ],
  [
    'every third sign-in',
    { ruleset: withKeys('{ cadence: { kind: signIns, signIns: 3 }, ledger: { keys: [[user]] } }'), settings: {} },
  ],
]);

/** Checks the rows of one user, whose history before them is unknown unless `keys` say otherwise. */
export async function checkOwnRows(
  { ruleset, settings }: LoggedRuleset,
  rows: readonly OwnRow[],
  keys: Readonly<Record<string, unknown>> = {},
): Promise<RulesetFit> {
  const flags = Object.entries(ruleset.facts.attempt).filter(([, { type }]) => type === 'boolean');
  const mapping = readMappingText(
    'test.mapping.yaml',
    JSON.stringify({
      user: 'user',
      time: { field: 'at' },
      event: { field: 'what', values: Object.fromEntries(logEventKinds.map((kind) => [kind, kind])) },
      answer: { field: 'answer' },
      attempt: {
        'attempt.os': { field: 'os' },
        'attempt.deviceId': { field: 'deviceId' },
        ...Object.fromEntries(flags.map(([name]) => [`attempt.facts.${name}`, { field: name }])),
      },
      start: 'unknown',
      constants: Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [`tenant.settings.${name}`, value]),
      ),
      ...keys,
    }),
  );
  const lines = rows.map(({ atMs, what, prompt, answer, facts }) =>
    JSON.stringify({ user: 'user', at: new Date(atMs).toISOString(), what, prompt, answer, ...facts }),
  );
  const first = Buffer.from(`${lines.join('\n')}\n`);
  const all = (async function* () {
    yield first;
  })();
  const { batches } = readRows({ first, all }, 'test.ndjson', mapping);
  const log = { timeline: createTimeline(mapping), batches, options: getOptions(mapping, 10) };
  const { rulesets: fits } = await checkLog(log, [ruleset]);
  return fits[0] as RulesetFit;
}
