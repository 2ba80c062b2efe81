import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BareLine } from '../../src/journal/journeys/journey-state.ts';
import { JourneySeal } from '../../src/journal/journeys/journey-writer.ts';
import { compareOwnJourney } from '../../src/replay/compare/compare-own-journey.ts';
import { replayJourney } from '../../src/replay/replay-journey.ts';
import { parseOutput, runHere } from '../cli/command-context.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';
import { readOwn, recordOwn } from './compare/own-history.ts';
import { openText } from './journey-text.ts';

const daily = { cadence: 'cadence: { kind: fixed, every: 1d }' };
const weekly = { cadence: 'cadence: { kind: fixed, every: 7d }' };
const ruleset = readOwn('oc35-journey', daily);
let text = '';

beforeAll(async () => {
  text = await recordOwn(ruleset, async ({ signInAndSkip }) => signInAndSkip('ada'));
});

/** Returns a journey with another first line, whose digests fit. */
function withHead(changes: Readonly<Record<string, unknown>>): string {
  const seal = new JourneySeal();
  return text
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      const { digest: _before, ...bare } = JSON.parse(line) as { digest: string } & Record<string, unknown>;
      return seal.line((index === 0 ? { ...bare, ...changes } : bare) as unknown as BareLine);
    })
    .join('\n');
}

describe('rulesets of journeys', () => {
  it('OC35 the first line of a journey has the digest of the file, and a replay reports it', async () => {
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
      ruleset: 'oc35-journey',
      rulesetDigest: ruleset.digest,
    });
    const report = await replayJourney(await openText(text));
    expect(report).toMatchObject({ same: true, rulesetDigest: ruleset.digest });
    expect(report).not.toHaveProperty('warnings');
  });

  it('ruleset-missing OC35 a journey whose ruleset is not loaded is refused with id and digest', async () => {
    const gone = withHead({ ruleset: 'oc35-gone' });
    const work = openText(gone).then((journey) => replayJourney(journey));
    await expect(work).rejects.toMatchObject({
      code: 'ruleset-missing',
      message: expect.stringMatching(new RegExp(`oc35-gone.*${ruleset.digest}`)),
    });
  });

  it('OC35 a journey of another version is replayed with a notice', async () => {
    const other = withHead({ rulesetDigest: 'a'.repeat(64) });
    const { warnings, same } = await replayJourney(await openText(other));
    expect(same).toBe(true);
    expect(warnings?.map(({ code }) => code)).toEqual(['ruleset-digest-differs']);
  });

  it('OC35 a comparison with another version of the ruleset of the journey has a warning', async () => {
    const options = { variants: [{ name: 'variant', ruleset }], assumedAction: 'skip' as const };
    const same = await compareOwnJourney(await openText(text), 'journey', { ...options, baseline: ruleset });
    expect(same.baseWarnings).toEqual([]);
    const baseline = readOwn('oc35-journey', weekly);
    const { baseWarnings } = await compareOwnJourney(await openText(text), 'journey', { ...options, baseline });
    expect(baseWarnings.map(({ code, rule }) => [code, rule])).toEqual([['ruleset-digest-differs', 'OC35']]);
  });

  it('OC35 the command takes the version of the journey as the baseline, whatever the order, and replays it', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-oc35-'));
    const file = (name: string, lines: Readonly<Record<string, string>>): void =>
      writeFileSync(join(cwd, name), rulesetText({ ruleset: 'ruleset: oc35-journey', ...lines }));
    file('daily.ruleset.yaml', daily);
    file('weekly.ruleset.yaml', weekly);
    writeFileSync(join(cwd, 'journey.ndjson'), text);
    const files = 'weekly.ruleset.yaml,daily.ruleset.yaml';
    const ran = await runHere(['compare', 'journey.ndjson', '--ruleset', files, '--json'], { cwd });
    expect(parseOutput(ran)).toMatchObject({ baseWarnings: [] });
    const replayed = await runHere(['replay', 'journey.ndjson', '--ruleset', 'daily.ruleset.yaml', '--json'], { cwd });
    expect(parseOutput(replayed)).toMatchObject({ same: true, rulesetDigest: ruleset.digest });
  });
});
