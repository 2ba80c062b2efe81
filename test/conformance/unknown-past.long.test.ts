import { describe, expect, it } from 'vitest';
import { checkLog } from '../../src/conformance/check-log.ts';
import { ImportFacts } from '../../src/conformance/log/import-facts.ts';
import { importOptions } from '../../src/conformance/log/import-log.ts';
import { type LogEntry, noFacts } from '../../src/conformance/model/log-event.ts';
import { PolicyTimeline } from '../../src/conformance/model/policy-timeline.ts';
import { plainVariant } from '../../src/conformance/model/verdict-table.ts';
import { factsSchema } from '../../src/contract/facts.schema.ts';
import { deviceCode } from '../../src/replay/attempt-code.ts';
import { nonEmpty } from '../non-empty.ts';
import { checkOwnRows, type LoggedRuleset, loggedRulesets } from './own-checked-log.ts';
import { type OwnRow, simulateLog } from './own-random-logs.ts';
import { createChooser } from './random-logs.ts';

const user = 'ada';
const { tenant } = factsSchema.parse({ user: { id: user } });
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 5, 9);
const seeds = [1, 2, 3, 4];
const names = [...loggedRulesets.keys()];
const cuts = [0, 1, 2, 5, 13];

function getLogged(name: string): LoggedRuleset {
  const logged = loggedRulesets.get(name);
  if (logged === undefined) throw new RangeError(`No ruleset is called ${name}.`);
  return logged;
}

/** Describes a log that does not fit. */
async function describeMisfit(
  logged: LoggedRuleset,
  rows: readonly OwnRow[],
  keys: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { fits, examples } = await checkOwnRows(logged, rows, keys);
  if (fits) return [];
  const upTo = rows.slice(0, examples[0]?.line).map(({ atMs, what, prompt, answer, facts }) => {
    return `${atMs} ${what} ${prompt} ${answer} ${JSON.stringify(facts)}`;
  });
  return [[JSON.stringify(keys), examples[0]?.sentence, ...upTo].join('\n')];
}

describe('logs of own campaigns with an unknown past', () => {
  it.each(nonEmpty(names))('CF50: %s: a log that is cut off at its start fits', async (name) => {
    const logged = getLogged(name);
    const kinds = new Set<string>();
    const misfits: string[] = [];
    for (const seed of nonEmpty(seeds)) {
      const rows = simulateLog(logged.ruleset, createChooser(seed), 40, logged.settings);
      for (const { what } of rows) kinds.add(what);
      for (const prompt of [{ prompt: 'prompt' }, {}]) {
        misfits.push(...(await describeMisfit(logged, rows, { start: 'fresh', ...prompt })));
        for (const from of cuts) misfits.push(...(await describeMisfit(logged, rows.slice(from), prompt)));
      }
    }
    expect(kinds.size).toBeGreaterThan(5);
    expect(misfits.slice(0, 3).join('\n\n')).toBe('');
  });

  it.each(nonEmpty(names))('CF51: %s: what misfits after a cut misfits in the whole log', async (name) => {
    const logged = getLogged(name);
    const outcomes = ['prompt-skippable', 'prompt-required', 'not-prompted'];
    let [whole, cut] = [0, 0];
    for (const seed of nonEmpty(seeds)) {
      const { pick, below } = createChooser(seed);
      const rows = simulateLog(logged.ruleset, createChooser(seed), 40, logged.settings);
      const signIns = rows.flatMap(({ what }, at) => (outcomes.includes(what) ? [at] : []));
      const at = pick(signIns.slice(Math.floor(signIns.length / 2)));
      const row = rows[at] as OwnRow;
      const edited = rows.with(at, { ...row, what: pick(outcomes.filter((one) => one !== row.what)) });
      const from = below(Math.floor(at / 2) + 1);
      const before = await checkOwnRows(logged, edited, { start: 'fresh', prompt: 'prompt' });
      const after = await checkOwnRows(logged, edited.slice(from), { prompt: 'prompt' });
      if (!before.fits) whole += 1;
      if (!after.fits) cut += 1;
      expect(after.fits || !before.fits, `random seed ${seed}`).toBe(true);
    }
    expect(whole).toBeGreaterThan(seeds.length / 2);
    expect(cut).toBeGreaterThan(whole / 4);
  });

  it.each(nonEmpty(names))('CF53: %s: an import of prompts and other sign-ins fits', async (name) => {
    const { ruleset, settings } = getLogged(name);
    const code = deviceCode('windows', 'chrome', 'browser');
    for (const seed of nonEmpty(seeds)) {
      const all = simulateLog(ruleset, createChooser(seed), 40, settings);
      // An import does not hide resets of an administrator: there are none.
      const rows = all.slice(all.findLastIndex(({ what }) => what === 'reset') + 1);
      const entries = rows.flatMap(({ what, atMs }, at): readonly LogEntry[] => {
        const kind = what === 'not-prompted' ? 'signed-in' : what;
        if (kind !== 'signed-in' && kind !== 'prompt-skippable' && kind !== 'prompt-required') return [];
        const imported = { code, device: 0, texts: [] };
        const [lo, hi] = [atMs - 2_000, atMs + 2_000];
        const fixed = { type: 'user', user, line: at + 1, prompt: null, facts: noFacts, sets: null } as const;
        return [{ ...fixed, lo, hi, kinds: [kind], variant: plainVariant, imported }];
      });
      const policies = [{ fromMs: null, tenant: { facts: {}, settings } }];
      const readFacts = () => new ImportFacts(ruleset, [], policies);
      const log = { timeline: new PolicyTimeline(tenant, true), options: importOptions(3), readFacts };
      const { rulesets } = await checkLog({ ...log, batches: [entries] }, [ruleset]);
      expect(rulesets[0], `random seed ${seed}`).toMatchObject({ fits: true, misfits: 0 });
    }
  });

  it.each<readonly [string, string, readonly (readonly [day: number, what: string])[], number | null, object]>([
    [
      'a prompt within a snooze of the log',
      'passkey-90-days',
      [
        [0, 'prompt-skippable'],
        [0.001, 'skipped'],
        [80, 'prompt-skippable'],
      ],
      3,
      { rule: 'X.cadence', code: 'prompt-suppressed' },
    ],
    [
      'a prompt after it',
      'passkey-90-days',
      [
        [0, 'prompt-skippable'],
        [0.001, 'skipped'],
        [90.001, 'prompt-skippable'],
      ],
      null,
      {},
    ],
    [
      'an answer to a prompt from before, and a prompt within its snooze',
      'passkey-week',
      [
        [0, 'skipped'],
        [5, 'prompt-skippable'],
      ],
      2,
      { code: 'prompt-suppressed' },
    ],
    [
      'a wait that is longer than a snooze from before',
      'passkey-week',
      [
        [0, 'not-prompted'],
        [8, 'not-prompted'],
        [9, 'prompt-skippable'],
      ],
      3,
      { code: 'prompt-suppressed' },
    ],
    [
      'a wait as long as one',
      'passkey-week',
      [
        [0, 'not-prompted'],
        [6.9, 'not-prompted'],
        [7, 'prompt-skippable'],
      ],
      null,
      {},
    ],
    [
      'a required prompt that becomes skippable',
      'a limit of snoozes',
      [
        [0, 'prompt-required'],
        [2, 'prompt-skippable'],
      ],
      2,
      { rule: 'limit', code: 'prompt-must-be-required' },
    ],
    [
      'one that becomes skippable after a reset',
      'a limit of snoozes',
      [
        [0, 'prompt-required'],
        [1, 'reset'],
        [2, 'prompt-skippable'],
      ],
      null,
      {},
    ],
    [
      'a fourth skippable prompt after three snoozes',
      'a limit of snoozes',
      [
        [0, 'prompt-skippable'],
        [0.001, 'skipped'],
        [2, 'prompt-skippable'],
        [2.001, 'skipped'],
        [4, 'prompt-skippable'],
        [4.001, 'skipped'],
        [6, 'prompt-skippable'],
      ],
      7,
      { code: 'prompt-must-be-required' },
    ],
    [
      'a deadline that was over',
      'growing waits and a deadline',
      [
        [0, 'prompt-required'],
        [30, 'prompt-skippable'],
      ],
      2,
      { code: 'prompt-must-be-required' },
    ],
    [
      'a deadline that passes later than any past allows',
      'growing waits and a deadline',
      [
        [0, 'prompt-skippable'],
        [21, 'prompt-skippable'],
      ],
      2,
      { code: 'prompt-must-be-required' },
    ],
    [
      'a prompt after a registration',
      'passkey-by-ecosystem',
      [
        [0, 'prompt-skippable'],
        [0.001, 'next-selected'],
        [0.001, 'registered'],
        [3, 'prompt-skippable'],
      ],
      4,
      { rule: 'X.done' },
    ],
  ])('CF52: %s (%s)', async (_, name, events, line, misfit) => {
    let prompt = 'before';
    const rows = events.map(([day, what], at): OwnRow => {
      if (what.startsWith('prompt-')) prompt = `prompt ${at}`;
      return { atMs: startMs + Math.round(day * dayMs), what, prompt, answer: '', facts: {} };
    });
    const { fits, examples } = await checkOwnRows(getLogged(name), rows, { prompt: 'prompt' });
    expect(fits).toBe(line === null);
    if (line !== null) expect(examples).toMatchObject([{ line, ...misfit }]);
  });
});
