import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { checkLog, getOptions } from '../../src/conformance/check-log.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { noFacts, type UserEvent } from '../../src/conformance/model/log-event.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import { plainVariant } from '../../src/conformance/model/verdict-table.ts';

const mapping = readMappingText(
  'large.mapping.yaml',
  'user: u\ntime: { field: t }\nevent: { field: e, values: { a: skipped } }\npolicy: { days: 1, limited: true }\n',
);
const dayMs = 86_400_000;
const users = 20_000;

/** Five days of sign-ins and skips of all users, interleaved; the last day has a prompt that must be required. */
function* log(): Generator<readonly UserEvent[], void> {
  for (let step = 0; step < 10; step += 1) {
    yield Array.from({ length: users }, (_, user): UserEvent => {
      const atMs = (step >> 1) * dayMs * 2 + user;
      const required = step >= 6 && user % 1_000 !== 0;
      const kinds =
        step % 2 === 1
          ? (['signed-in'] as const)
          : required
            ? (['prompt-required'] as const)
            : (['prompt-skippable'] as const);
      const shown = {
        type: 'user',
        user: `u${user}`,
        line: step * users + user + 1,
        lo: atMs,
        hi: atMs,
        prompt: null,
      } as const;
      return { ...shown, kinds, facts: noFacts, variant: plainVariant, sets: null };
    });
  }
}

describe('large logs', () => {
  it('A40: 200,000 interleaved events keep little per user, and find the users with a wrong last prompt', async () => {
    let growthBytes = 0;
    const before = process.memoryUsage().arrayBuffers;
    const { events, rulesets } = await checkLog(
      { timeline: createTimeline(mapping), batches: log(), options: getOptions(mapping, 3) },
      [seedRuleset],
      () => {
        growthBytes = process.memoryUsage().arrayBuffers - before;
      },
    );
    const [fit] = rulesets;
    expect(events).toBe(200_000);
    expect([fit?.users, fit?.fittingUsers]).toEqual([users, users - users / 1_000]);
    expect(fit?.clusters).toMatchObject([{ rule: 'R6', code: 'prompt-must-be-required', users: 20 }]);
    expect(fit?.examples).toHaveLength(3);
    expect(growthBytes).toBeLessThan(users * 400);
  });
});
