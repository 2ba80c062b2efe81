import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NudgeEvent } from '../../machines/nudge.machine.ts';
import { findDifference } from './difference.ts';
import { type Action, actions } from './nudge-actions.ts';
import { minuteMs } from './nudge-lifecycle.ts';
import { auditorDiffers, firstDifference, play, type Step } from './nudge-run.ts';
import { expectAlways, expectFoundOut, propertySeed } from './property.ts';

/** Asserts that a property is true for every step of any run. A failure reports the step and its changes. */
function holds(claim: (step: Step) => boolean): void {
  const describeViolation = (step: Step): string | null =>
    claim(step)
      ? null
      : (findDifference(step.after, step.before) ?? 'nothing changed').replace('expected', 'before it');
  expectAlways(actions, (taken) => firstDifference(play(taken), describeViolation), 500);
}

const mayCount: readonly NudgeEvent['type'][] = ['prompt.skipped', 'time.passed', 'pendingClose.settled', 'snooze.set'];

describe('Any run of the nudge lifecycle', () => {
  test('R7: the snooze count decreases only if the nudge status is set', () => {
    holds(({ event, before, after }) => event.type === 'snooze.set' || after.count >= before.count);
  });

  test('A26: no event counts more than the prompts that it closes, and a closed prompt never reopens', () => {
    const countsOnce = (taken: readonly Action[]): boolean => {
      const closed = new Set<string>();
      return play(taken).every(({ event, before, after }) => {
        const gone = before.open.filter((id) => !after.open.includes(id));
        for (const id of gone) closed.add(id);
        const counted = event.type === 'snooze.set' ? 0 : after.count - before.count;
        return counted <= gone.length && !after.open.some((id) => closed.has(id));
      });
    };
    expectAlways(actions, countsOnce, 500);
  });

  test('R6: with the limit on, the count never exceeds three', () => {
    holds(
      ({ event, limited, before, after }) =>
        event.type === 'snooze.set' || !limited || before.count < 3 || after.count === before.count,
    );
  });

  test('R11.8: only skips, expiries, closes and nudge status changes affect count or timer, and the error screen never does', () => {
    holds(
      ({ event, before, after }) =>
        mayCount.includes(event.type) || (after.count === before.count && after.snoozedAtMs === before.snoozedAtMs),
    );
  });

  test('R5: the timer changes only if a snooze counts, and never moves back or into the future', () => {
    holds(({ event, nowMs, before, after }) => {
      if (event.type === 'snooze.set') return true;
      if (after.count === before.count) return after.snoozedAtMs === before.snoozedAtMs;
      const movedTo = after.snoozedAtMs ?? Number.NaN;
      return movedTo >= (before.snoozedAtMs ?? 0) && movedTo <= nowMs;
    });
  });

  test('A38: every counted snooze leads to snoozed', () => {
    holds(
      ({ event, before, after }) =>
        event.type === 'snooze.set' || after.count === before.count || after.state === 'snoozed',
    );
  });

  test('A38: prompted has an open prompt, registered and notPrompted have none', () => {
    const promptsOf = {
      prompted: true,
      registered: false,
      notPrompted: false,
      snoozed: null,
      registrationRequired: null,
    };
    holds(({ after: { state, open } }) => promptsOf[state] === null || promptsOf[state] === open.length > 0);
  });

  test('A40: no prompt is open beyond its lifetime once time has passed', () => {
    const noneIsOld = (taken: readonly Action[]): boolean => {
      const shownAtMs = new Map<string, number>();
      return play(taken).every(({ event, nowMs, after }) => {
        if (event.type === 'prompt.shown') shownAtMs.set(event.promptId, nowMs);
        return (
          event.type !== 'time.passed' || after.open.every((id) => nowMs - (shownAtMs.get(id) ?? 0) < 15 * minuteMs)
        );
      });
    };
    expectAlways(actions, noneIsOld, 500);
  });

  test('A40: the result does not depend on how often the time is evaluated', () => {
    /** Splits a duration into steps of one minute, for at most an hour, and one step with the remainder. */
    const inPieces = (ms: number): readonly number[] => {
      const minutes = Math.min(Math.floor(ms / minuteMs), 60);
      return [...new Array<number>(minutes).fill(minuteMs), ms - minutes * minuteMs];
    };
    expectAlways(
      actions,
      (taken) => findDifference(play(taken, inPieces).at(-1)?.after, play(taken).at(-1)?.after),
      300,
    );
  });

  test('R6, R9: an auditor that knows only the events computes the same state, count, timer and open prompts', () => {
    expectAlways(actions, (taken) => auditorDiffers(play(taken)), 2000);
  });

  test.for([
    'prompt.skipped',
    'pendingClose.settled',
    'prompt.resumed',
    'setup.failed',
    'time.passed',
    'method.registered',
  ] as const)('R6 canary: an auditor that does not receive %s disagrees', (unheard) => {
    expectFoundOut(actions, (taken) => auditorDiffers(play(taken), ({ type }) => type !== unheard), 2000);
  });

  test('A38: random runs reach every state and count in every way, so these properties are not vacuous', () => {
    const steps = fc.sample(actions, { seed: propertySeed, numRuns: 500 }).flatMap((taken) => play(taken));
    expect([...new Set(steps.map(({ after }) => after.state))].sort()).toEqual([
      'notPrompted',
      'prompted',
      'registered',
      'registrationRequired',
      'snoozed',
    ]);
    const counting = steps.filter(({ before, after }) => after.count > before.count).map(({ event }) => event.type);
    expect([...new Set(counting)].sort()).toEqual([...mayCount].sort());
  });
});
