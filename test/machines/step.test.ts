import { describe, expect, test } from 'vitest';
import { transition } from 'xstate';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { signInMachine } from '../../machines/sign-in.machine.ts';
import { createStepper } from '../../machines/step.ts';
import { findDifference } from './difference.ts';
import { type Action, actions } from './nudge-actions.ts';
import { nudgeSnapshot, observeSnapshot } from './nudge-lifecycle.ts';
import { firstDifference, play } from './nudge-run.ts';
import { expectAlways } from './property.ts';

describe('Step of a machine', () => {
  test('A26: it equals the package’s own transition for any run of the nudge lifecycle', () => {
    const differs = (taken: readonly Action[]): string | null => {
      let snapshot = nudgeSnapshot('notPrompted');
      return firstDifference(play(taken), ({ event, after }) => {
        [snapshot] = transition(nudgeMachine, snapshot, event);
        return findDifference(after, observeSnapshot(snapshot));
      });
    };
    expectAlways(actions, differs, 200);
  });

  test('A26: it does not modify its input snapshot', () => {
    const step = createStepper(nudgeMachine, { count: 0, snoozedAtMs: null });
    const before = nudgeSnapshot('notPrompted');
    const copy = structuredClone(before.context);
    step(before, { type: 'prompt.shown', promptId: 'p1', method: 'fido2', required: false, nowMs: 0 });
    expect([before.value, before.context]).toEqual(['notPrompted', copy]);
  });

  test('A26: it needs no input for a machine without input, and reports a final state', () => {
    const step = createStepper(signInMachine);
    const context = { pending: [], required: false };
    const begun = signInMachine.resolveState({ value: 'name', context });
    const ended = step(begun, {
      type: 'attempt.evaluated',
      outcome: 'none',
      interstitials: [],
    });
    expect([begun.status, ended.status, ended.value]).toEqual(['active', 'done', 'notNudged']);
  });
});
