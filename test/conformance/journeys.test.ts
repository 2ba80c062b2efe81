import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { checkLog, journeyOptions } from '../../src/conformance/check-log.ts';
import { readJourneyLog } from '../../src/conformance/log/journey-log.ts';
import { exportJourney } from '../../src/journal/journeys/export-journey.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { acts, played } from '../journal/random-journal.ts';
import { openText, resealed } from '../replay/journey-text.ts';
import { byTier } from '../tier.ts';

async function getFit(text: string) {
  const { timeline, batches } = readJourneyLog(await openText(text));
  const { rulesets } = await checkLog({ timeline, batches, options: journeyOptions(5) }, [seedRuleset]);
  return rulesets[0];
}

async function exported(store: MemoryStore): Promise<string> {
  const lines: string[] = [];
  for await (const line of await exportJourney({ store, sandboxId: 'random', digest: '' })) lines.push(line);
  return `${lines.join('\n')}\n`;
}

describe('conformance of journeys', () => {
  it('R5, R6, R9: the journey of every random sandbox fits, also with restores and changed policies', async () => {
    let events = 0;
    const property = fc.asyncProperty(acts({ goingBack: true }), async (given) => {
      const store = new MemoryStore();
      const [sandboxes] = await played(store, given);
      const text = await exported(store);
      await sandboxes.close();
      const fit = await getFit(text);
      events += text.split('\n').length;
      expect(fit?.examples).toEqual([]);
      expect(fit?.fits).toBe(true);
    });
    await fc.assert(property, { numRuns: byTier({ quick: 40, all: 1_000 }) });
    expect(events).toBeGreaterThan(500);
  });

  it('R7: a journey with a changed count or verdict does not fit from that step', async () => {
    const { store, close } = await signedIn();
    const text = await exported(store);
    await close();
    expect((await getFit(text))?.fits).toBe(true);
    const lines = text.split('\n');
    const skips = lines.findIndex((line) => line.includes('"type":"prompt.skipped"'));
    const wrong = resealed(lines.with(skips, (lines[skips] as string).replace('"count":1', '"count":2')).join('\n'));
    expect((await getFit(wrong))?.examples[0]).toMatchObject({
      rule: 'R7',
      nearest: [{ edit: 'another-value', fact: 'count', value: 1 }, { edit: 'dropped' }],
    });
    const asks = lines.findIndex((line) => line.includes('"outcome":"skippable"'));
    const required = (lines[asks] as string).replace('"outcome":"skippable"', '"outcome":"required"');
    expect((await getFit(resealed(lines.with(asks, required).join('\n'))))?.examples[0]).toMatchObject({ rule: 'R6' });
  });
});

/** Records a user who is prompted and skips. */
async function signedIn() {
  const store = new MemoryStore();
  const [sandboxes] = await played(store, [
    async (_all, { signIns }) => {
      const { id } = await signIns.start('user-0');
      await signIns.acceptPassword(id);
      await signIns.completeMfa(id);
      await signIns.skip(id);
    },
  ]);
  return { store, close: () => sandboxes.close() };
}
