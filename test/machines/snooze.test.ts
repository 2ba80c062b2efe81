import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { nudgeStateAt, snoozeEndsAtMs } from '../../machines/snooze.ts';
import { nudgeStates } from '../../machines/vocabulary.ts';
import { dayMs, enabledFacts, nowMs } from './facts-builder.ts';
import { openPrompt } from './nudge-lifecycle.ts';
import { expectAlways } from './property.ts';

describe('End of a snooze', () => {
  test.for([
    // Columns: days, milliseconds since the snooze started (`null` for none), and milliseconds until it ends.
    [1, null, null],
    [1, 0, dayMs],
    [1, dayMs - 1, 1],
    [1, dayMs, null],
    [1, dayMs + 1, null],
    [14, 14 * dayMs - 1, 1],
    [14, 14 * dayMs, null],
    [0, 0, null],
    // After a clock is set back no time has elapsed (R5), but a snooze of zero days has ended.
    [1, -dayMs, 2 * dayMs],
    [0, -dayMs, null],
  ] as const)('R5, A6: with %i days and %i ms ago it ends in %i ms', ([snoozeDays, agoMs, inMs]) => {
    const nudgeStatus = { snoozedAtMs: agoMs === null ? null : nowMs - agoMs };
    const endsAtMs = snoozeEndsAtMs(nudgeStatus, { nowMs, snoozeDays });
    expect(endsAtMs).toBe(inMs === null ? null : nowMs + inMs);
  });

  test('A6: a ruleset with a different length of a day has different snoozes', () => {
    expect(snoozeEndsAtMs({ snoozedAtMs: 0 }, { nowMs: 5, snoozeDays: 2 }, { dayMs: 3 })).toBe(6);
    expect(snoozeEndsAtMs({ snoozedAtMs: 0 }, { nowMs: 6, snoozeDays: 2 }, { dayMs: 3 })).toBeNull();
  });
});

describe('State at a given time', () => {
  const offered = openPrompt('p1');
  const required = openPrompt('p2', { required: true });

  test.for([
    ['snoozed', dayMs - 1, [], 'snoozed'],
    ['snoozed', dayMs, [], 'notPrompted'],
    ['snoozed', null, [], 'notPrompted'],
    ['snoozed', dayMs - 1, [offered], 'snoozed'],
    ['snoozed', dayMs, [offered], 'prompted'],
    ['snoozed', dayMs, [offered, required], 'prompted'],
    ['notPrompted', null, [], 'notPrompted'],
    ['notPrompted', dayMs, [], 'notPrompted'],
    // A7: the duration was raised after an error screen, so the stored snooze is running again.
    ['notPrompted', dayMs - 1, [], 'snoozed'],
    ['prompted', dayMs - 1, [offered], 'prompted'],
    ['registrationRequired', dayMs - 1, [], 'registrationRequired'],
    ['registered', dayMs - 1, [], 'registered'],
  ] as const)('A38: %s, snoozed %i ms ago, with prompts %j: %s', ([state, agoMs, openPrompts, expected]) => {
    const context = { snoozedAtMs: agoMs === null ? null : nowMs - agoMs, openPrompts };
    expect(nudgeStateAt(state, context, { nowMs, snoozeDays: 1 })).toBe(expected);
  });

  test('R5: a user without an open prompt is snoozed exactly while the rules stop with snoozed', () => {
    const moments = fc.record({
      state: fc.constantFrom(...nudgeStates.filter((name) => name === 'snoozed' || name === 'notPrompted')),
      snoozeDays: fc.integer({ min: 0, max: 14 }),
      agoMs: fc.option(
        fc.oneof(
          fc.integer({ min: -2 * dayMs, max: 15 * dayMs }),
          fc.tuple(fc.nat({ max: 14 }), fc.constantFrom(-1, 0, 1)).map(([days, ms]) => days * dayMs + ms),
        ),
      ),
    });
    expectAlways(
      moments,
      ({ state, snoozeDays, agoMs }) => {
        const snoozedAtMs = agoMs === null ? null : nowMs - agoMs;
        const facts = enabledFacts('vendorAuthenticator', (draft) => {
          draft.tenant.campaign.snoozeDurationInDays = snoozeDays;
          draft.user.snooze = { count: 1, snoozedAtMs };
        });
        const word = nudgeStateAt(state, { snoozedAtMs, openPrompts: [] }, { nowMs, snoozeDays });
        return (word === 'snoozed') === (evaluate(facts, seedRuleset).reason === 'snoozed');
      },
      2_000,
    );
  });
});
