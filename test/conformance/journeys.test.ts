import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { checkLog, journeyOptions } from '../../src/conformance/check-log.ts';
import { readJourneyLog } from '../../src/conformance/log/journey-log.ts';
import { exportJourney } from '../../src/journal/journeys/export-journey.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { acts, played } from '../journal/random-journal.ts';
import { openText } from '../replay/journey-text.ts';
import { byTier } from '../tier.ts';

async function fitOf(text: string) {
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
      const fit = await fitOf(text);
      events += text.split('\n').length;
      expect(fit?.examples).toEqual([]);
      expect(fit?.fits).toBe(true);
    });
    await fc.assert(property, { numRuns: byTier({ quick: 40, all: 1_000 }) });
    expect(events).toBeGreaterThan(500);
  });
});
