import { describe, expect, test } from 'vitest';
import { hourMs, Lifecycle, minuteMs } from './nudge-lifecycle.ts';

const lifetimeMs = 15 * minuteMs;

/** Creates a user with one open prompt, shown at time 0. */
function prompted(count = 0): Lifecycle {
  const user = new Lifecycle({ count, snoozedAtMs: null });
  user.show('p1');
  return user;
}

/** Creates a user with one open prompt on the error screen. */
function failed(count = 0): Lifecycle {
  const user = prompted(count);
  user.next('p1');
  user.fail('p1');
  return user;
}

describe('R9: closing the browser', () => {
  test('A41: the unload beacon itself does not count and leaves the prompt open', () => {
    expect(prompted().leave('p1')).toEqual({ state: 'prompted', count: 0, snoozedAtMs: null, open: ['p1'] });
  });

  test('R9: a settled pending close is a snooze that starts when the page was closed (A41)', () => {
    const user = prompted();
    user.wait(4 * minuteMs);
    user.leave('p1');
    user.wait(5 * minuteMs);
    expect(user.settle()).toEqual({ state: 'snoozed', count: 1, snoozedAtMs: 4 * minuteMs, open: [] });
  });

  test.for([
    [lifetimeMs - 1, 'prompted', 0, null],
    [lifetimeMs, 'snoozed', 1, minuteMs],
    [lifetimeMs + 1, 'snoozed', 1, minuteMs],
  ] as const)(
    'A41: the result of a pending close %i ms after the prompt was shown is %s',
    ([atMs, state, count, snoozedAtMs]) => {
      const user = prompted();
      user.wait(minuteMs);
      user.leave('p1');
      expect(user.wait(atMs - minuteMs)).toMatchObject({ state, count, snoozedAtMs });
    },
  );

  test('A41: a pending close becomes one snooze, regardless of how often it is settled', () => {
    const user = prompted();
    user.leave('p1');
    const once = user.settle();
    expect(user.settle()).toEqual(once);
    expect(user.wait(hourMs)).toEqual(once);
  });

  test.for(['comeBack', 'next'] as const)('A41: %s withdraws the pending close', (request) => {
    const user = prompted();
    user.leave('p1');
    user[request]('p1');
    expect(user.settle()).toEqual({ state: 'prompted', count: 0, snoozedAtMs: null, open: ['p1'] });
  });

  test('A41: a failed setup withdraws the pending close', () => {
    const user = prompted();
    user.next('p1');
    user.leave('p1');
    user.fail('p1');
    expect(user.settle()).toMatchObject({ count: 0, open: ['p1'] });
  });

  test('A41: a rejected skip withdraws the pending close', () => {
    const user = prompted(3);
    user.leave('p1');
    user.skip('p1');
    expect(user.settle()).toMatchObject({ count: 3, open: ['p1'] });
  });

  test('A41: a skip after a pending close counts once, at the time of the skip', () => {
    const user = prompted();
    user.leave('p1');
    user.wait(minuteMs);
    expect(user.skip('p1')).toMatchObject({ count: 1, snoozedAtMs: minuteMs });
    expect(user.settle()).toMatchObject({ count: 1, snoozedAtMs: minuteMs });
  });

  test('A41: closing the page again after returning uses the time of the second close', () => {
    const user = prompted();
    user.leave('p1');
    user.comeBack('p1');
    user.wait(2 * minuteMs);
    user.leave('p1');
    expect(user.settle()).toMatchObject({ count: 1, snoozedAtMs: 2 * minuteMs });
  });

  test('A25: closing a completed prompt changes nothing', () => {
    const user = prompted();
    const answered = user.skip('p1');
    user.leave('p1');
    expect(user.settle()).toEqual(answered);
  });

  test('A11: closing after Next, before completion, is a snooze', () => {
    const user = prompted();
    user.next('p1');
    user.leave('p1');
    expect(user.settle()).toMatchObject({ state: 'snoozed', count: 1, snoozedAtMs: 0 });
  });

  test('A10: closing on the error screen does not count', () => {
    const user = failed(2);
    user.leave('p1');
    expect(user.settle()).toEqual({ state: 'notPrompted', count: 2, snoozedAtMs: null, open: [] });
  });

  test('A10: closing after a retry from the error screen is a snooze', () => {
    const user = failed(2);
    user.next('p1');
    user.leave('p1');
    expect(user.settle()).toMatchObject({ state: 'snoozed', count: 3 });
  });

  test('A41: settling does not affect an open prompt that was not closed', () => {
    const user = prompted();
    user.show('p2');
    user.leave('p1');
    expect(user.settle()).toMatchObject({ state: 'snoozed', count: 1, open: ['p2'] });
  });

  test('A41: of two pending closes with one snooze left, the earlier one counts, from the time of its close', () => {
    const user = prompted(2);
    user.show('p2');
    user.wait(3 * minuteMs);
    user.leave('p2');
    user.wait(2 * minuteMs);
    user.leave('p1');
    expect(user.settle()).toEqual({ state: 'snoozed', count: 3, snoozedAtMs: 3 * minuteMs, open: [] });
  });

  test('A41: settling an older pending close does not move the timer of a later snooze back', () => {
    const user = prompted();
    user.show('p2');
    user.leave('p1');
    user.wait(minuteMs);
    user.skip('p2');
    expect(user.settle()).toEqual({ state: 'snoozed', count: 2, snoozedAtMs: minuteMs, open: [] });
  });

  test.for(['leaving', 'outliving'] as const)(
    'A2: %s a prompt shown as required changes nothing, even if the limit is off by then',
    (way) => {
      const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
      user.show('p1', { required: true });
      user.limited = false;
      if (way === 'leaving') user.leave('p1');
      user.wait(way === 'leaving' ? minuteMs : lifetimeMs);
      user.settle();
      expect(user.seen).toEqual({ state: 'registrationRequired', count: 3, snoozedAtMs: 0, open: [] });
    },
  );

  test('A39: a pending close is settled under the limit at settling time, not at closing time', () => {
    const user = prompted(3);
    user.limited = false;
    user.leave('p1');
    user.limited = true;
    expect(user.settle()).toMatchObject({ count: 3, snoozedAtMs: null, open: [] });
  });
});

describe('A25, A40: prompt lifetime', () => {
  test.for([
    [lifetimeMs - 1, 'prompted', 0, null, ['p1']],
    [lifetimeMs, 'snoozed', 1, lifetimeMs, []],
    [lifetimeMs + 1, 'snoozed', 1, lifetimeMs, []],
    [40 * hourMs, 'snoozed', 1, lifetimeMs, []],
  ] as const)('A40: %i ms after it was shown, an open prompt is %s', ([ms, state, count, snoozedAtMs, open]) => {
    expect(prompted().wait(ms)).toEqual({ state, count, snoozedAtMs, open });
  });

  test.for([
    [lifetimeMs - 1, 1, lifetimeMs - 1],
    [lifetimeMs, 1, lifetimeMs],
    [lifetimeMs + hourMs, 1, lifetimeMs],
  ] as const)('A40: a skip %i ms after the prompt was shown counts once in total', ([ms, count, snoozedAtMs]) => {
    const user = prompted();
    user.wait(ms);
    expect(user.skip('p1')).toEqual({ state: 'snoozed', count, snoozedAtMs, open: [] });
  });

  test('A40: an expiry after Next is also a snooze (A11)', () => {
    const user = prompted();
    user.next('p1');
    expect(user.wait(lifetimeMs)).toMatchObject({ state: 'snoozed', count: 1, snoozedAtMs: lifetimeMs });
  });

  test('A40: an abandoned error screen does not count', () => {
    expect(failed(1).wait(lifetimeMs)).toEqual({ state: 'notPrompted', count: 1, snoozedAtMs: null, open: [] });
  });

  test('A40: setup does not extend the lifetime', () => {
    const user = prompted();
    user.wait(14 * minuteMs);
    user.next('p1');
    expect(user.wait(minuteMs)).toMatchObject({ count: 1, snoozedAtMs: lifetimeMs, open: [] });
  });

  test('A40: two prompts expire separately, and each counts', () => {
    const user = prompted();
    user.wait(minuteMs);
    user.show('p2');
    expect(user.wait(14 * minuteMs)).toEqual({ state: 'snoozed', count: 1, snoozedAtMs: lifetimeMs, open: ['p2'] });
    expect(user.wait(minuteMs)).toEqual({ state: 'snoozed', count: 2, snoozedAtMs: 16 * minuteMs, open: [] });
  });

  test.for([
    { days: 0, phase: 'error' },
    { days: 1, phase: 'error' },
    { days: 0, phase: 'offered' },
  ] as const)(
    'A40: the result does not depend on an evaluation at the first expiry, $days days, $phase',
    ({ days, phase }) => {
      const [early, late] = [0, 1].map((asks) => {
        const user = new Lifecycle({ count: 2, snoozedAtMs: null });
        user.snoozeDays = days;
        user.show('p1');
        user.wait(minuteMs);
        user.show('p2');
        if (phase === 'error') {
          user.next('p2');
          user.fail('p2');
        }
        if (asks === 0) user.wait(14 * minuteMs);
        user.wait(asks === 0 ? 48 * hourMs : 14 * minuteMs + 48 * hourMs);
        return user.seen;
      });
      expect(early).toEqual(late);
      expect(late).toEqual({ state: 'snoozed', count: 3, snoozedAtMs: lifetimeMs, open: [] });
    },
  );

  test('A43: closing or expiry of a prompt after registration in another tab changes nothing', () => {
    const user = prompted();
    user.show('p2');
    user.leave('p2');
    user.next('p1');
    const registered = user.register('p1');
    expect(registered).toEqual({ state: 'registered', count: 0, snoozedAtMs: null, open: [] });
    user.leave('p2');
    expect(user.settle()).toEqual(registered);
    expect(user.wait(hourMs)).toEqual(registered);
  });
});
