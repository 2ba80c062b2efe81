import { describe, expect, it } from 'vitest';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { checkLog, getOptions } from '../../src/conformance/check-log.ts';
import { readRows } from '../../src/conformance/log/log-rows.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import { logEventKinds } from '../../src/contract/conformance.schema.ts';
import type { RulesetFit } from '../../src/contract/conformance-report.ts';
import { readShipped } from '../properties/own-canaries.ts';
import { type OwnRow, simulateLog } from './own-random-logs.ts';
import { createChooser } from './random-logs.ts';

/** Rulesets of the random logs: the worked examples, and versions that keep more in their ledgers. */
const rulesets: readonly (readonly [string, OwnRuleset, Readonly<Record<string, boolean>>])[] = [
  ['passkey-90-days', readShipped('passkey-90-days'), {}],
  ['passkey-week', readShipped('passkey-week'), {}],
  ['passkey-by-ecosystem', readShipped('passkey-by-ecosystem'), {}],
  ['second-factor-deadline', readShipped('second-factor-deadline', () => ({ done: { any: [] } })), { graceOn: true }],
  [
    'a limit of snoozes',
    readShipped('passkey-90-days', () => ({
      cadence: { kind: 'fixed', every: '1d' },
      limit: { of: 3, counts: 'snoozes', then: 'required', after: 'wait' },
      answers: { notNow: { label: 'Not now', effect: 'snooze' } },
      ledger: { keys: [['user']] },
    })),
    {},
  ],
  [
    'growing waits and a deadline',
    readShipped('passkey-90-days', () => ({
      cadence: { kind: 'growing', durations: ['1d', '3d', '7d'] },
      deadline: { ends: [{ after: '20d', since: 'firstShown' }], then: 'required' },
      answers: { notNow: { label: 'Not now', effect: 'snooze' }, close: { effect: 'nothing' } },
      ledger: { keys: [['user']] },
      resets: [{ on: 'registered', clears: ['count', 'timer', 'shown'] }],
    })),
    {},
  ],
  [
    'a deadline since the creation',
    readShipped('passkey-90-days', () => ({
      cadence: { kind: 'daily' },
      deadline: { ends: [{ after: '10d', since: 'created' }], opens: '5d', then: 'blocked' },
    })),
    {},
  ],
  [
    'every third sign-in',
    readShipped('passkey-90-days', () => ({ cadence: { kind: 'signIns', signIns: 3 }, ledger: { keys: [['user']] } })),
    {},
  ],
];

/** Checks the rows of one user, whose history before them is unknown unless `start` says otherwise. */
async function check(
  ruleset: OwnRuleset,
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

const seeds = Number(process.env['H3_SEEDS'] ?? 12);

describe('logs of own campaigns with an unknown past', () => {
  it.each(rulesets)('CF50: %s: a log that is cut off at its start fits', async (_, ruleset, settings) => {
    const constants = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`tenant.settings.${name}`, value]),
    );
    const misfits: unknown[] = [];
    const kinds = new Set<string>();
    for (let seed = 1; seed <= seeds; seed += 1) {
      const rows = simulateLog(ruleset, createChooser(seed), 40, settings);
      for (const { what } of rows) kinds.add(what);
      for (const prompt of [{ prompt: 'prompt' }, {}]) {
        const whole = await check(ruleset, rows, { start: 'fresh', constants, ...prompt });
        if (!whole.fits)
          misfits.push(['whole', seed, prompt, whole.examples[0]?.line, whole.examples[0]?.sentence].join(' '));
        for (const from of [0, 1, 2, 3, 5, 8, 13, 21]) {
          const { fits, examples } = await check(ruleset, rows.slice(from), { constants, ...prompt });
          if (!fits)
            misfits.push(
              [
                seed,
                from,
                JSON.stringify(prompt),
                JSON.stringify(examples[0]).slice(0, 700),
                ...rows
                  .slice(from, from + (examples[0]?.line ?? 0))
                  .map((r) => `\n ${r.atMs} ${r.what} ${r.prompt} ${r.answer} ${JSON.stringify(r.facts)}`),
              ].join(' '),
            );
        }
      }
    }
    expect(kinds.size).toBeGreaterThan(6);
    expect(misfits.length, String(misfits.slice(0, 2).join('\n\n'))).toBe(0);
  });
});
