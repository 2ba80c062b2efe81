import { describe, expect, test } from 'vitest';
import { dayMs, Lifecycle, minuteMs } from './nudge-lifecycle.ts';

describe('R11.8, A12, A45: error screen', () => {
  test.for(['vendorAuthenticator', 'fido2'] as const)(
    'A45: skipping it does not count and starts no timer, for %s',
    (method) => {
      const user = new Lifecycle({ count: 2, snoozedAtMs: null });
      user.show('p1', { method });
      user.next('p1');
      user.fail('p1');
      expect(user.skipError('p1')).toEqual({ state: 'notPrompted', count: 2, snoozedAtMs: null, open: [] });
    },
  );

  test('A12: skips of the error screen never accumulate', () => {
    const user = new Lifecycle();
    for (const id of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      user.show(id);
      user.next(id);
      user.fail(id);
      user.skipError(id);
    }
    expect(user.seen).toEqual({ state: 'notPrompted', count: 0, snoozedAtMs: null, open: [] });
  });

  test.for([
    [1, dayMs - 1, 'snoozed'],
    [1, dayMs, 'notPrompted'],
    [3, dayMs, 'snoozed'],
    [0, 0, 'notPrompted'],
  ] as const)(
    'A44: after an error skip an older snooze is measured with the current duration: %i days, %i ms: %s',
    ([days, elapsedMs, state]) => {
      const user = new Lifecycle({ count: 1, snoozedAtMs: 0 }, 'snoozed');
      user.nowMs = elapsedMs;
      user.snoozeDays = days;
      user.show('p1');
      user.fail('p1');
      expect(user.skipError('p1')).toEqual({ state, count: 1, snoozedAtMs: 0, open: [] });
    },
  );

  test('A44: a snooze in the future, after a clock is set back, is running', () => {
    const user = new Lifecycle({ count: 1, snoozedAtMs: 5 * dayMs }, 'snoozed');
    user.show('p1');
    user.fail('p1');
    expect(user.skipError('p1').state).toBe('snoozed');
  });

  test('A38: after an error skip in one tab, the other tab keeps the user prompted', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.show('p2');
    user.fail('p1');
    expect(user.skipError('p1')).toEqual({ state: 'prompted', count: 0, snoozedAtMs: null, open: ['p2'] });
  });

  test('A38: after one error screen expires, the other tab keeps the user prompted', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.wait(minuteMs);
    user.show('p2');
    user.fail('p1');
    expect(user.wait(14 * minuteMs)).toMatchObject({ state: 'prompted', count: 0, open: ['p2'] });
  });

  test('A38: a snooze started in one tab continues when the error screen of the other tab is skipped', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.show('p2');
    user.skip('p1');
    user.fail('p2');
    expect(user.skipError('p2')).toEqual({ state: 'snoozed', count: 1, snoozedAtMs: 0, open: [] });
  });

  test('A12: a retry from the error screen can complete the registration', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.next('p1');
    user.fail('p1');
    user.next('p1');
    expect(user.register('p1').state).toBe('registered');
  });
});

describe('A3, A27, A38, A44: registering and removing methods', () => {
  test('A3: registering keeps count and timer', () => {
    const user = new Lifecycle({ count: 2, snoozedAtMs: 7 }, 'snoozed');
    user.show('p1');
    expect(user.register('p1')).toEqual({ state: 'registered', count: 2, snoozedAtMs: 7, open: [] });
  });

  test('A27: registering in one tab resolves the other prompt, whose skip does not count', () => {
    const user = new Lifecycle();
    user.show('p1');
    user.show('p2');
    user.register('p2');
    expect(user.skip('p1')).toEqual({ state: 'registered', count: 0, snoozedAtMs: null, open: [] });
  });

  test('A27: a method registered outside of a prompt resolves the open one', () => {
    const user = new Lifecycle();
    user.show('p1');
    expect(user.send({ type: 'method.registered', method: 'vendorAuthenticator' })).toMatchObject({
      state: 'registered',
      open: [],
    });
    expect(user.remove('vendorAuthenticator').state).toBe('notPrompted');
  });

  test('A38: a user registered on one device and prompted on another is prompted again with the same count', () => {
    const user = new Lifecycle({ count: 1, snoozedAtMs: null });
    user.show('p1', { method: 'fido2' });
    user.register('p1');
    expect(user.show('p2', { method: 'fido2' })).toEqual({
      state: 'prompted',
      count: 1,
      snoozedAtMs: null,
      open: ['p2'],
    });
  });

  test.for([
    [null, 'notPrompted'],
    [dayMs, 'notPrompted'],
    [dayMs - 1, 'snoozed'],
  ] as const)(
    'A44: the timer is kept when a method is registered and removed; snoozed %s ms before: %s',
    ([agoMs, state]) => {
      const user = new Lifecycle({ count: 1, snoozedAtMs: agoMs === null ? null : 10 * dayMs - agoMs });
      user.nowMs = 10 * dayMs;
      user.show('p1');
      user.register('p1');
      expect(user.remove('vendorAuthenticator')).toMatchObject({ state, count: 1 });
    },
  );

  test('A38: removing another method leaves the user registered', () => {
    const user = new Lifecycle();
    user.show('p1', { method: 'fido2' });
    user.register('p1');
    expect(user.remove('vendorAuthenticator').state).toBe('registered');
    expect(user.remove('fido2').state).toBe('notPrompted');
  });

  test('A38: removing a method while a prompt is open leaves the prompt open', () => {
    const user = new Lifecycle();
    user.show('p1', { method: 'fido2' });
    user.register('p1');
    user.show('p2', { method: 'fido2' });
    expect(user.remove('fido2')).toMatchObject({ state: 'prompted', open: ['p2'] });
  });

  test('A38: a required user stays required when a method is removed', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.nowMs = dayMs;
    user.show('p1', { required: true });
    expect(user.remove('vendorAuthenticator').state).toBe('registrationRequired');
  });
});

describe('A3: setting the nudge status is the only reset', () => {
  test.for([
    [0, null, 'notPrompted'],
    [2, 5, 'snoozed'],
    [3, null, 'notPrompted'],
  ] as const)('A3: setting a nudge status of %i and %s results in %s', ([count, snoozedAtMs, state]) => {
    for (const begin of ['notPrompted', 'snoozed', 'registrationRequired'] as const) {
      const user = new Lifecycle({ count: 3, snoozedAtMs: 1 }, begin);
      expect(user.send({ type: 'snooze.set', count, snoozedAtMs })).toEqual({ state, count, snoozedAtMs, open: [] });
    }
  });

  test('A3: a registered user stays registered', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 1 }, 'registered');
    expect(user.send({ type: 'snooze.set', count: 0, snoozedAtMs: null })).toEqual({
      state: 'registered',
      count: 0,
      snoozedAtMs: null,
      open: [],
    });
  });

  test('A3: an open prompt stays open, and its skip counts from the nudge status that was set', () => {
    const user = new Lifecycle({ count: 3, snoozedAtMs: 0 }, 'snoozed');
    user.show('p1', { required: true });
    expect(user.send({ type: 'snooze.set', count: 1, snoozedAtMs: null })).toMatchObject({ open: ['p1'] });
    expect(user.skip('p1')).toMatchObject({ state: 'snoozed', count: 2 });
  });
});
