import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { evaluate } from '../../machines/evaluate.ts';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { dayMs, enabledFacts, nowMs } from './facts-builder.ts';
import { Lifecycle } from './nudge-lifecycle.ts';

/** Second state table of the specification, with one test for each row, in its order. */
describe('Per-user nudge', () => {
  test('R7: a lifecycle starts not prompted, with the given nudge status', () => {
    const { value, context } = createActor(nudgeMachine, { input: { count: 2, snoozedAtMs: 7 } }).getSnapshot();
    expect({ value, context }).toEqual({
      value: 'notPrompted',
      context: { count: 2, snoozedAtMs: 7, openPrompts: [], registered: null },
    });
  });

  test('R1: not prompted becomes prompted when a prompt is shown after MFA', () => {
    const user = new Lifecycle();
    expect(user.seen.state).toBe('notPrompted');
    expect(user.show('p1')).toEqual({ state: 'prompted', count: 0, snoozedAtMs: null, open: ['p1'] });
  });

  test('R10.1: prompted becomes registered when the user selects Next and completes setup', () => {
    const user = new Lifecycle();
    user.show('p1');
    expect(user.next('p1').state).toBe('prompted');
    expect(user.register('p1')).toEqual({ state: 'registered', count: 0, snoozedAtMs: null, open: [] });
  });

  test('R10.1: a registered user is no longer prompted for that method', () => {
    const facts = enabledFacts('vendorAuthenticator', ({ user }) => {
      user.methods = ['sms', 'authenticator-push'];
    });
    expect(evaluate(facts, seedRuleset)).toMatchObject({ outcome: 'none', reason: 'already-registered' });
  });

  test.for([0, 1, 2])('R6: prompted becomes snoozed by a skip with %i snoozes used', (count) => {
    const user = new Lifecycle({ count, snoozedAtMs: null });
    user.nowMs = 5 * dayMs;
    user.show('p1');
    expect(user.skip('p1')).toEqual({ state: 'snoozed', count: count + 1, snoozedAtMs: 5 * dayMs, open: [] });
  });

  test.for([3, 4, 50])('R6: with the limit off, a skip snoozes and counts even after %i snoozes (A4)', (count) => {
    const user = new Lifecycle({ count, snoozedAtMs: null });
    user.limited = false;
    user.show('p1');
    expect(user.skip('p1')).toEqual({ state: 'snoozed', count: count + 1, snoozedAtMs: 0, open: [] });
  });

  test.for([
    [dayMs - 1, 'none'],
    [dayMs, 'skippable'],
    [dayMs + 1, 'skippable'],
  ] as const)(
    'R5: snoozed becomes prompted at the next MFA, %i ms after a snooze of one day: %s',
    ([agoMs, outcome]) => {
      const user = new Lifecycle({ count: 1, snoozedAtMs: nowMs - agoMs }, 'snoozed');
      const facts = enabledFacts('vendorAuthenticator', (draft) => {
        draft.user.snooze = { count: user.seen.count, snoozedAtMs: user.seen.snoozedAtMs };
      });
      expect(evaluate(facts, seedRuleset).outcome).toBe(outcome);
      if (outcome === 'skippable') expect(user.show('p1').state).toBe('prompted');
    },
  );

  test('R6: prompted becomes registration required by a skip if the limit is on and three snoozes are used', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1');
    expect(user.skip('p1')).toEqual({ state: 'registrationRequired', count: 3, snoozedAtMs: 0, open: ['p1'] });
  });
});

describe('Snooze limit', () => {
  test('A1: with three snoozes used, the next prompt enters registration required instead of prompted', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    expect(user.show('p1', { required: true })).toMatchObject({ state: 'registrationRequired', open: ['p1'] });
  });

  test('A1: a skip of a required prompt does not count, keeps registration required and keeps the prompt open', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.show('p1', { required: true });
    for (const seen of [user.skip('p1'), user.skip('p1')]) {
      expect(seen).toEqual({ state: 'registrationRequired', count: 3, snoozedAtMs: 0, open: ['p1'] });
    }
  });

  test('A1: the required prompt can still register', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.show('p1', { required: true });
    user.skip('p1');
    user.next('p1');
    expect(user.register('p1')).toMatchObject({ state: 'registered', count: 3, open: [] });
  });

  test('A2: the third skip starts a normal snooze', () => {
    const user = new Lifecycle({ count: 2, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1');
    expect(user.skip('p1')).toEqual({ state: 'snoozed', count: 3, snoozedAtMs: dayMs, open: [] });
  });

  test.for(['closing', 'expiring'] as const)('A2: %s a required page changes nothing', (ending) => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1', { required: true });
    if (ending === 'closing') {
      user.leave('p1');
      user.settle();
    } else user.wait(15 * 60_000);
    expect(user.seen).toEqual({ state: 'registrationRequired', count: 3, snoozedAtMs: 0, open: [] });
  });

  test('A13: skipping the error screen of a required user does not count and leaves the user required', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1', { required: true });
    user.next('p1');
    expect(user.fail('p1').state).toBe('registrationRequired');
    expect(user.skipError('p1')).toEqual({ state: 'registrationRequired', count: 3, snoozedAtMs: 0, open: [] });
  });

  test('A39: if the limit is enabled while a prompt is open, prompted becomes registration required', () => {
    const user = new Lifecycle({ count: 7, snoozedAtMs: 0 }, 'snoozed');
    user.limited = false;
    user.show('p1');
    user.limited = true;
    expect(user.skip('p1')).toEqual({ state: 'registrationRequired', count: 7, snoozedAtMs: 0, open: ['p1'] });
  });

  test('A39: if the limit is disabled while a required prompt is open, its skip snoozes and counts', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1', { required: true });
    user.limited = false;
    expect(user.skip('p1')).toEqual({ state: 'snoozed', count: 4, snoozedAtMs: dayMs, open: [] });
  });

  test('A39: if the limit is enabled with fewer than three snoozes, a skip is unaffected', () => {
    const user = new Lifecycle({ count: 2, snoozedAtMs: 0 }, 'snoozed');
    user.limited = false;
    user.show('p1');
    user.limited = true;
    expect(user.skip('p1')).toMatchObject({ state: 'snoozed', count: 3 });
  });

  test('A42: of two open prompts at the limit, the second rejects a skip, and closing it does not count', () => {
    const user = new Lifecycle({ count: 2, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1');
    user.show('p2');
    expect(user.skip('p1')).toMatchObject({ state: 'snoozed', count: 3, open: ['p2'] });
    expect(user.skip('p2')).toMatchObject({ state: 'registrationRequired', count: 3, open: ['p2'] });
    user.leave('p2');
    expect(user.settle()).toEqual({ state: 'registrationRequired', count: 3, snoozedAtMs: dayMs, open: [] });
  });

  test('A42: a prompt at the limit that is only closed does not count, and the snooze continues', () => {
    const user = new Lifecycle({ count: 2, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1');
    user.show('p2');
    user.skip('p1');
    expect(user.wait(15 * 60_000)).toEqual({ state: 'snoozed', count: 3, snoozedAtMs: dayMs, open: [] });
  });

  test('A42: below the limit, the second counted skip restarts the timer', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.show('p2');
    user.skip('p1');
    user.wait(60_000);
    expect(user.skip('p2')).toEqual({ state: 'snoozed', count: 2, snoozedAtMs: 60_000, open: [] });
  });
});

describe('A38: two tabs and a reset nudge status', () => {
  /** Creates a user who skipped the prompt in one tab while the other one is still open. */
  function skippedInOneTab(): Lifecycle {
    const user = new Lifecycle();
    user.show('p1');
    user.show('p2');
    user.skip('p1');
    return user;
  }

  test('A38: the user is snoozed before the reset and prompted by the other tab after it', () => {
    const user = skippedInOneTab();
    expect(user.seen.state).toBe('snoozed');
    const seen = user.setSnooze({ count: 0, snoozedAtMs: null });
    expect(seen).toEqual({ state: 'prompted', count: 0, snoozedAtMs: null, open: ['p2'] });
  });

  test('A3: the user stays snoozed if the new nudge status has a snooze', () => {
    const user = skippedInOneTab();
    expect(user.setSnooze({ count: 3, snoozedAtMs: 7 })).toMatchObject({ state: 'snoozed', snoozedAtMs: 7 });
  });

  test('A38: the prompt of the other tab can be completed like any other', () => {
    const user = skippedInOneTab();
    user.setSnooze({ count: 0, snoozedAtMs: null });
    expect(user.skip('p2')).toEqual({ state: 'snoozed', count: 1, snoozedAtMs: 0, open: [] });
  });

  test('A12: after the error screen of the other tab is skipped, the user is not prompted', () => {
    const user = skippedInOneTab();
    user.setSnooze({ count: 0, snoozedAtMs: null });
    user.next('p2');
    user.fail('p2');
    expect(user.skipError('p2')).toMatchObject({ state: 'notPrompted', snoozedAtMs: null, open: [] });
  });
});

describe('A26: each prompt counts once', () => {
  test('A26: the second skip of a completed prompt changes nothing', () => {
    const user = new Lifecycle();
    user.show('p1');
    const once = user.skip('p1');
    user.nowMs = 60_000;
    expect(user.skip('p1')).toEqual(once);
  });

  test('A26: actions at a prompt that was never shown change nothing', () => {
    const user = new Lifecycle({ count: 1, snoozedAtMs: 0 }, 'snoozed');
    const before = user.seen;
    for (const answer of ['next', 'skip', 'leave', 'comeBack', 'register', 'fail', 'skipError'] as const) {
      expect(user[answer]('p9'), answer).toEqual(before);
    }
  });

  test('A26: two prompts of two tabs, both shown before the first action, count twice', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.show('p2');
    expect(user.skip('p2')).toMatchObject({ state: 'snoozed', count: 1, open: ['p1'] });
    expect(user.skip('p1')).toMatchObject({ state: 'snoozed', count: 2, open: [] });
  });
});
