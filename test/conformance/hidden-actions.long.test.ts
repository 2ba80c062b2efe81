import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { checkOwnRows, type LoggedRuleset, loggedRulesets } from './own-checked-log.ts';
import { type OwnRow, simulateLog } from './own-random-logs.ts';
import { createChooser } from './random-logs.ts';

const seeds = [1, 2, 3];
const size = 40;

/** What a log of sign-ins does not contain: everything that users do on the pages of a prompt. */
const unobserved = ['next-selected', 'skipped', 'skip-rejected', 'skip-ignored', 'closed', 'resumed', 'registered'];
const hidden = [...unobserved, 'setup-failed', 'error-skipped'];
const outcomes = ['prompt-skippable', 'prompt-required', 'not-prompted'];

const isVisible = ({ what }: OwnRow): boolean => !hidden.includes(what);

function getLogged(name: string): LoggedRuleset {
  const logged = loggedRulesets.get(name);
  if (logged === undefined) throw new RangeError(`No ruleset is called ${name}.`);
  return logged;
}

describe('logs of own campaigns that hide what users do on the pages', () => {
  it.each(nonEmpty([...loggedRulesets.keys()]))('CF54: %s: the sign-ins of a log that fits do so alone', async (name) => {
    const logged = getLogged(name);
    const misfits: string[] = [];
    let dropped = 0;
    for (const seed of nonEmpty(seeds)) {
      const rows = simulateLog(logged.ruleset, createChooser(seed), size, logged.settings);
      const visible = rows.filter(isVisible);
      dropped += rows.length - visible.length;
      for (const start of ['fresh', 'unknown']) {
        const t = performance.now();
        const { fits, examples } = await checkOwnRows(logged, visible, { start, unobserved: hidden });
        console.error(name, seed, start, visible.length, Math.round(performance.now() - t));
        if (!fits) misfits.push(`${name} ${seed} ${start}: ${JSON.stringify(examples[0])} ${JSON.stringify(rows.map((r)=>[r.atMs,r.what,r.prompt,r.answer]))}`);
      }
    }
    expect(dropped).toBeGreaterThan(0);
    expect(misfits).toEqual([]);
  });

  it.each(nonEmpty([...loggedRulesets.keys()]))('CF55: %s: what misfits without the actions misfits with them', async (name) => {
    const logged = getLogged(name);
    let found = 0;
    for (const seed of nonEmpty(seeds)) {
      const { pick } = createChooser(seed);
      const rows = simulateLog(logged.ruleset, createChooser(seed), size, logged.settings);
      const signIns = rows.flatMap(({ what }, at) => (outcomes.includes(what) ? [at] : []));
      const at = pick(signIns);
      const row = rows[at] as OwnRow;
      const edited = rows.with(at, { ...row, what: pick(outcomes.filter((one) => one !== row.what)) });
      const alone = await checkOwnRows(logged, edited.filter(isVisible), { start: 'fresh', unobserved: hidden });
      const whole = await checkOwnRows(logged, edited, { start: 'fresh', prompt: 'prompt' });
      if (!alone.fits) found += 1;
      console.error(name, seed, alone.fits, whole.fits);
      expect(alone.fits || !whole.fits, `random seed ${seed}`).toBe(true);
    }
    expect(found).toBeGreaterThan(0);
  });
});
