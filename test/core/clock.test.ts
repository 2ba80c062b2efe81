import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  afterDelay,
  afterPendingInput,
  clockSettingAt,
  parseInstant,
  stopwatch,
  toDate,
  toInstant,
  VirtualClock,
} from '../../src/core/clock.ts';
import { instantMsMax } from '../../src/core/limits.ts';

const atMs = 1_767_603_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('virtual clock', () => {
  test('A6: a frozen clock does not change when the system clock runs', () => {
    const clock = new VirtualClock({ running: false, nowMs: atMs });
    vi.advanceTimersByTime(5_000);
    expect([clock.nowMs(), clock.running]).toEqual([atMs, false]);
  });

  test('A6: a running clock continues from its set time at real speed', () => {
    const clock = new VirtualClock(clockSettingAt(atMs, true));
    expect([clock.nowMs(), clock.running]).toEqual([atMs, true]);
    vi.advanceTimersByTime(5_000);
    expect(clock.nowMs()).toBe(atMs + 5_000);
  });

  test('A6: a running clock stops at the last supported instant and can be set back from there', () => {
    const clock = new VirtualClock(clockSettingAt(instantMsMax - 1_000, true));
    vi.advanceTimersByTime(900);
    expect(clock.nowMs()).toBe(instantMsMax - 100);
    vi.advanceTimersByTime(5_000);
    expect([clock.nowMs(), toInstant(clock.nowMs())]).toEqual([instantMsMax, '9999-12-31T23:59:59.999Z']);
    clock.apply(clockSettingAt(clock.nowMs() - 10, true));
    expect(clock.nowMs()).toBe(instantMsMax - 10);
  });

  test('A6: an applied setting replaces the previous one', () => {
    const clock = new VirtualClock(clockSettingAt(atMs, true));
    clock.apply(clockSettingAt(9, false));
    vi.advanceTimersByTime(5_000);
    expect([clock.nowMs(), clock.setting]).toEqual([9, { running: false, nowMs: 9 }]);
  });

  test('A6: the setting of a running clock contains its offset from the system clock', () => {
    expect(clockSettingAt(1_000_250, true)).toEqual({ running: true, offsetMs: 250 });
  });
});

describe('instants', () => {
  test('A6: an instant is formatted in UTC with milliseconds and can be parsed again', () => {
    expect(toInstant(atMs)).toBe('2026-01-05T09:00:00.000Z');
    expect(parseInstant('2026-01-05T10:00:00.000+01:00')).toBe(atMs);
    expect(toDate(atMs).getTime()).toBe(atMs);
  });

  test('bad-request: a text that is not an instant is parsed as `null`', () => {
    expect(parseInstant('tomorrow')).toBeNull();
  });

  test.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29',
    '2026-04-31T09:00:00.000Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-05T24:00:00Z',
    '2026-01-05T09:60:00Z',
    '2026-01-05T09:00:00',
    '2026-01',
    'Mon, 05 Jan 2026 09:00:00 GMT',
  ])('bad-request: %s is not a calendar date, or depends on the time zone of the machine', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test.each([
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['2026-01-05t09:00z', Date.UTC(2026, 0, 5, 9)],
    ['2026-12-31T23:59:59.9999999-00:30', Date.UTC(2027, 0, 1, 0, 29, 59, 999)],
    ['+010000-01-15T09:00:00.000Z', Date.UTC(10_000, 0, 15, 9)],
  ])('A6: %s is parsed as an instant', (text, wantedMs) => {
    expect(parseInstant(text)).toBe(wantedMs);
  });
});

describe('real time', () => {
  test('A6: a stopwatch returns the time since its start', () => {
    const elapsedMs = stopwatch();
    vi.advanceTimersByTime(40);
    expect(elapsedMs()).toBe(40);
  });

  test('A6: a delayed task runs once after its delay, and never if it was canceled', () => {
    const [task, canceled] = [vi.fn(), vi.fn()];
    afterDelay(100, task);
    afterDelay(100, canceled)();
    vi.advanceTimersByTime(99);
    expect(task).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect([task.mock.calls.length, canceled.mock.calls.length]).toEqual([1, 0]);
  });

  test('A6: a deferred task does not run immediately', () => {
    const task = vi.fn();
    afterPendingInput(task);
    expect(task).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(task).toHaveBeenCalledOnce();
  });
});
