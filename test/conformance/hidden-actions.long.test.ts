import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { checkOwnRows, type LoggedRuleset, loggedRulesets } from './own-checked-log.ts';
import { type OwnRow, simulateLog } from './own-random-logs.ts';
import { createChooser } from './random-logs.ts';

/** Seeds of random logs. In that of 37, a hidden answer fits only between the ends of the time that it can have. */
const seeds = [1, 37];
const size = 40;
const names = [...loggedRulesets.keys()];

/** What users do on the pages of a prompt and elsewhere, and a log of sign-ins does not contain. */
const hidden = [
  'next-selected',
  'skipped',
  'skip-rejected',
  'skip-ignored',
  'closed',
  'resumed',
  'registered',
  'registered-elsewhere',
  'setup-failed',
  'error-skipped',
];
const outcomes = ['prompt-skippable', 'prompt-required', 'not-prompted'];

const isVisible = ({ what }: OwnRow): boolean => !hidden.includes(what);

function getLogged(name: string): LoggedRuleset {
  const logged = loggedRulesets.get(name);
  if (logged === undefined) throw new RangeError(`No ruleset is called ${name}.`);
  return logged;
}

describe('logs of own campaigns that hide what users do', () => {
  it.each(['passkey-week', 'passkey-90-days'])(
    'CF56: %s: a prompt just after a sign-in without one is impossible',
    async (name) => {
      const minutes = [0, 21_000, 21_001, 21_002];
      const rows = ['prompt-skippable', 'not-prompted', 'not-prompted', 'prompt-skippable'].map((what, at): OwnRow => {
        return {
          atMs: Date.UTC(2026, 0, 5, 9) + (minutes[at] as number) * 60_000,
          what,
          prompt: '',
          answer: '',
          facts: {},
        };
      });
      const keys = { start: 'fresh', unobserved: hidden };
      expect(await checkOwnRows(getLogged(name), rows, keys)).toMatchObject({ fits: false, examples: [{ line: 4 }] });
    },
  );

  it.each(nonEmpty(names))('CF54: %s: without the actions, a log that fits still fits', async (name) => {
    const logged = getLogged(name);
    const misfits: object[] = [];
    let dropped = 0;
    for (const seed of nonEmpty(seeds)) {
      const rows = simulateLog(logged.ruleset, createChooser(seed), size, logged.settings);
      const visible = rows.filter(isVisible);
      dropped += rows.length - visible.length;
      for (const start of ['fresh', 'unknown']) {
        const { fits, examples } = await checkOwnRows(logged, visible, { start, unobserved: hidden });
        if (!fits) misfits.push({ seed, start, examples });
      }
    }
    expect(dropped).toBeGreaterThan(0);
    expect(misfits).toEqual([]);
  });

  it.each(nonEmpty(names))('CF55: %s: what misfits without the actions misfits with them', async (name) => {
    const logged = getLogged(name);
    let found = 0;
    for (const seed of nonEmpty(seeds)) {
      const { pick } = createChooser(seed);
      const rows = simulateLog(logged.ruleset, createChooser(seed), size, logged.settings);
      const at = pick(rows.flatMap(({ what }, index) => (outcomes.includes(what) ? [index] : [])));
      const row = rows[at] as OwnRow;
      const edited = rows.with(at, { ...row, what: pick(outcomes.filter((one) => one !== row.what)) });
      const alone = await checkOwnRows(logged, edited.filter(isVisible), { start: 'fresh', unobserved: hidden });
      const whole = await checkOwnRows(logged, edited, { start: 'fresh', prompt: 'prompt' });
      if (!alone.fits) found += 1;
      expect(alone.fits || !whole.fits, `random seed ${seed}`).toBe(true);
    }
    expect(found).toBeGreaterThan(0);
  });
});
