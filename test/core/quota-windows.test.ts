import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findExceededWindow,
  nothingUsed,
  type QuotaUse,
  recordQuotaUse,
  tightest,
  type WindowLimit,
  windowsAt,
} from '../../src/core/quota-windows.ts';
import { nonEmpty } from '../non-empty.ts';

const minute: WindowLimit = { name: 'minute', limit: 30 };
const month: WindowLimit = { name: 'month', limit: 1_000 };
const day: WindowLimit = { name: 'day', limit: 5 };
const tokenLimits = [minute, month];

const startMs = Date.parse('2026-01-31T23:58:00.000Z');

/** Makes one request. Returns the updated quota use and whether the request passed. */
function ask(use: QuotaUse, limits: readonly WindowLimit[], nowMs: number, cost = 1): [QuotaUse, boolean] {
  return findExceededWindow(use, limits, nowMs, cost) === null
    ? [recordQuotaUse(use, limits, nowMs, cost), true]
    : [use, false];
}

function askTimes(use: QuotaUse, limits: readonly WindowLimit[], nowMs: number, times: number): [QuotaUse, number] {
  let [now, passed] = [use, 0];
  for (let index = 0; index < times; index += 1) {
    const [next, through] = ask(now, limits, nowMs);
    now = next;
    passed += through ? 1 : 0;
  }
  return [now, passed];
}

describe('sliding minute', () => {
  test('L8: the 30th request passes and the 31st does not', () => {
    expect(askTimes(nothingUsed, tokenLimits, startMs, 64)[1]).toBe(30);
  });

  test('L8: the first request leaves the window exactly after one minute', () => {
    const [use] = askTimes(nothingUsed, tokenLimits, startMs, 30);
    expect(findExceededWindow(use, tokenLimits, startMs + 59_999, 1)).toMatchObject({
      name: 'minute',
      resetMs: startMs + 60_000,
    });
    expect(findExceededWindow(use, tokenLimits, startMs + 60_000, 1)).toBeNull();
  });

  test('L8: a request before the recorded ones counts toward the same minute after the clock is set back', () => {
    const [use] = askTimes(nothingUsed, tokenLimits, startMs, 30);
    expect(findExceededWindow(use, tokenLimits, startMs - 1, 1)).toMatchObject({ name: 'minute' });
    expect(findExceededWindow(use, tokenLimits, startMs - 60_000, 1)).toBeNull();
  });

  test('L8: the recorded use is kept until the clock returns', () => {
    const [use] = askTimes(nothingUsed, tokenLimits, startMs, 30);
    const [earlier, passed] = askTimes(use, tokenLimits, startMs - 3_600_000, 40);
    expect(passed).toBe(30);
    expect(findExceededWindow(earlier, tokenLimits, startMs, 1)).toMatchObject({
      name: 'minute',
      resetMs: startMs + 60_000,
    });
  });
});

describe('clock that is set back', () => {
  test('L8: the use of each of many earlier minutes is kept and limits further requests', () => {
    let use = nothingUsed;
    for (let index = 0; index < 33; index += 1) {
      const [next, passed] = askTimes(use, tokenLimits, startMs - 3_600_000 + index * 60_000, 31);
      expect(passed).toBe(30);
      use = next;
    }
    for (let index = 0; index < 33; index += 1) {
      expect(findExceededWindow(use, tokenLimits, startMs - 3_600_000 + index * 60_000, 1)).toMatchObject({
        name: 'minute',
      });
    }
  });

  test('L8: the use of each of many earlier months is kept', () => {
    const months = Array.from({ length: 120 }, (_, index) => Date.UTC(2026, index, 1));
    const use = months.reduce((soFar, atMs) => recordQuotaUse(soFar, [month], atMs, 1_000), nothingUsed);
    for (const atMs of nonEmpty(months))
      expect(findExceededWindow(use, [month], atMs, 1)).toMatchObject({ used: 1_000 });
    expect(findExceededWindow(use, [month], Date.UTC(2026, 0, 1), 1)).toMatchObject({ resetMs: Date.UTC(2036, 0, 1) });
  });

  test('L9: at the reported reset time, the month also allows the request', () => {
    const [februaryMs, marchMs] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)];
    const spent = recordQuotaUse(recordQuotaUse(nothingUsed, [month], februaryMs, 1_000), [month], startMs, 1_000);
    const waited = findExceededWindow(spent, tokenLimits, startMs, 1);
    expect(waited).toMatchObject({ name: 'month', resetMs: marchMs });
    expect(findExceededWindow(spent, tokenLimits, marchMs, 1)).toBeNull();
  });
});

describe('request cost above a limit', () => {
  test('L9: a request above a limit never passes', () => {
    expect(findExceededWindow(nothingUsed, tokenLimits, startMs, 30)).toBeNull();
    expect(findExceededWindow(nothingUsed, tokenLimits, startMs, 31)).toMatchObject({
      name: 'minute',
      resetMs: Number.POSITIVE_INFINITY,
    });
    expect(findExceededWindow(nothingUsed, [month, minute], startMs, 1_001)).toMatchObject({
      name: 'minute',
      resetMs: Number.POSITIVE_INFINITY,
    });
    const [full] = askTimes(nothingUsed, [day], startMs, 5);
    expect(findExceededWindow(full, [day], startMs, 6)).toMatchObject({
      name: 'day',
      used: 5,
      resetMs: Number.POSITIVE_INFINITY,
    });
  });
});

describe('calendar quotas', () => {
  test('L8: the 1,000th request of a month passes, and the 1,001st waits for the next month', () => {
    let use = nothingUsed;
    for (let index = 0; index < 1_000; index += 1) use = recordQuotaUse(use, tokenLimits, startMs - index * 61_000, 1);
    expect(findExceededWindow(use, tokenLimits, startMs, 1)).toMatchObject({
      name: 'month',
      resetMs: Date.parse('2026-02-01T00:00:00.000Z'),
    });
    expect(findExceededWindow(use, tokenLimits, Date.parse('2026-02-01T00:00:00.000Z'), 1)).toBeNull();
  });

  test('L8: a day ends at midnight UTC, and its use is kept when the clock returns', () => {
    const midnightMs = Date.parse('2026-02-01T00:00:00.000Z');
    const [use] = askTimes(nothingUsed, [day], midnightMs - 1, 5);
    expect(findExceededWindow(use, [day], midnightMs - 1, 1)).toMatchObject({ resetMs: midnightMs });
    const [next, passed] = askTimes(use, [day], midnightMs, 9);
    expect(passed).toBe(5);
    // The quota of the next day is also used up, so no request passes before the day after it.
    expect(findExceededWindow(next, [day], midnightMs - 1, 1)).toMatchObject({ resetMs: midnightMs + 86_400_000 });
  });

  test('L9: the window with the fewest requests left is reported', () => {
    const [use] = askTimes(nothingUsed, tokenLimits, startMs, 3);
    expect(tightest(windowsAt(use, tokenLimits, startMs))).toMatchObject({ name: 'minute', remaining: 27 });
    const spent = Array.from({ length: 973 }).reduce<QuotaUse>(
      (soFar, _, index) => recordQuotaUse(soFar, tokenLimits, startMs - (index + 1) * 61_000, 1),
      use,
    );
    expect(tightest(windowsAt(spent, tokenLimits, startMs))).toMatchObject({ name: 'month', remaining: 24 });
  });
});

/** Random sequence of clock changes and requests: mostly forward, sometimes back. */
const walk = fc.array(
  fc.record({
    moveMs: fc.oneof(
      fc.integer({ min: 0, max: 30_000 }),
      fc.integer({ min: -90_000, max: 90_000 }),
      fc.integer({ min: -1_800_000, max: 1_800_000 }),
      fc.constant(60_000),
    ),
    asks: fc.integer({ min: 0, max: 35 }),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('comparison with a list of all requests', () => {
  test('L8: the minute allows the same requests as a naive count', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ moveMs: fc.integer({ min: 0, max: 40_000 }), asks: fc.integer({ min: 0, max: 20 }) }), {
          minLength: 1,
        }),
        (steps) => {
          const dates: number[] = [];
          let [use, nowMs] = [nothingUsed, startMs];
          for (const { moveMs, asks } of nonEmpty(steps)) {
            nowMs += moveMs;
            const atMs = nowMs;
            for (let index = 0; index < asks; index += 1) {
              const wanted = dates.filter((date) => date > atMs - 60_000).length < 30;
              const [next, through] = ask(use, [minute], nowMs);
              expect(through).toBe(wanted);
              if (through) dates.push(nowMs);
              use = next;
            }
            const [window] = windowsAt(use, [minute], nowMs);
            expect(window?.used).toBe(dates.filter((date) => date > atMs - 60_000).length);
          }
        },
      ),
    );
  });

  test('L8: no day and no minute exceeds its limit, however the clock is changed', () => {
    let charges = 0;
    fc.assert(
      fc.property(walk, (steps) => {
        const limits: readonly WindowLimit[] = [minute, { name: 'day', limit: 50 }];
        const dates: number[] = [];
        let [use, nowMs] = [nothingUsed, startMs];
        for (const { moveMs, asks } of steps) {
          nowMs += moveMs;
          for (let index = 0; index < asks; index += 1) {
            const [next, through] = ask(use, limits, nowMs);
            if (through) dates.push(nowMs);
            use = next;
          }
        }
        const getDay = (date: number) => new Date(date).toISOString().slice(0, 10);
        charges += dates.length;
        const tooMany = [...new Set(dates)].filter((date) => {
          const near = dates.filter((other) => other > date - 60_000 && other <= date);
          return near.length > 30 || dates.filter((other) => getDay(other) === getDay(date)).length > 50;
        });
        expect(tooMany).toEqual([]);
      }),
    );
    expect(charges).toBeGreaterThan(1_000);
  });

  test('L9: the reported reset time is the first time at which the request passes', () => {
    let refused = 0;
    fc.assert(
      fc.property(walk, fc.integer({ min: 1, max: 5 }), (steps, cost) => {
        let [use, nowMs] = [nothingUsed, startMs];
        for (const { moveMs, asks } of steps) {
          nowMs += Math.abs(moveMs);
          use = askTimes(use, tokenLimits, nowMs, asks)[0];
        }
        const full = findExceededWindow(use, tokenLimits, nowMs, cost);
        if (full === null) return;
        refused += 1;
        expect(full.resetMs).toBeGreaterThan(nowMs);
        expect(findExceededWindow(use, tokenLimits, full.resetMs, cost)?.name).not.toBe(full.name);
        expect(findExceededWindow(use, tokenLimits, full.resetMs - 1, cost)).not.toBeNull();
      }),
    );
    expect(refused).toBeGreaterThan(0);
  });

  test('L9: the remaining quota is never negative, and a reset is never in the past', () => {
    fc.assert(
      fc.property(walk, (steps) => {
        let [use, nowMs] = [nothingUsed, startMs];
        for (const { moveMs, asks } of nonEmpty(steps)) {
          nowMs += moveMs;
          use = recordQuotaUse(use, tokenLimits, nowMs, asks);
          for (const { remaining, resetMs } of nonEmpty(windowsAt(use, tokenLimits, nowMs))) {
            expect(remaining).toBeGreaterThanOrEqual(0);
            expect(resetMs).toBeGreaterThan(nowMs);
          }
        }
      }),
    );
  });
});
