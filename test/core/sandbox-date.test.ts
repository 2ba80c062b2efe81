import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { machineNowMs } from '../../src/core/clock.ts';
import { installSandboxDate, withClock } from '../../src/core/sandbox-date.ts';

const RealDate = Date;
const made = new Date(0);
const virtualMs = Date.parse('2030-01-02T03:04:05.678Z');

installSandboxDate();

describe('Date in a sandbox', () => {
  it('returns the virtual time inside a sandbox, even after waiting, and the system time outside', async () => {
    const before = machineNowMs();
    await withClock(
      () => virtualMs,
      async () => {
        // Called as a function, `Date` returns the time as text without milliseconds.
        const inWords = (Date as unknown as () => string)();
        expect([Date.now(), Date.parse(new Date().toISOString()), Date.parse(inWords)]).toEqual([
          virtualMs,
          virtualMs,
          virtualMs - 678,
        ]);
        await setImmediate();
        expect(Date.now()).toBe(virtualMs);
        expect(machineNowMs()).toBeGreaterThanOrEqual(before);
        expect(machineNowMs()).toBeLessThan(virtualMs);
      },
    );
    expect(Date.now()).toBeGreaterThanOrEqual(before);
    expect(Date.now()).toBeLessThan(virtualMs);
  });

  it('reads the clock at each call, and uses the inner one of two nested clocks', () => {
    let nowMs = 1;
    withClock(
      () => nowMs,
      () => {
        expect(Date.now()).toBe(1);
        nowMs = 2;
        expect(Date.now()).toBe(2);
        expect(
          withClock(
            () => 7,
            () => Date.now(),
          ),
        ).toBe(7);
      },
    );
  });

  it('behaves like the built-in Date in every other respect', () => {
    expect(made).toBeInstanceOf(Date);
    expect(new Date(2026, 0, 5)).toEqual(new RealDate(2026, 0, 5));
    expect(new Date('2026-01-05T09:00:00Z')).toBeInstanceOf(RealDate);
    expect(new Date(5).constructor).toBe(Date);
    expect([Date.name, Date.length, Date.UTC(2026, 0), Date.parse('1970-01-01')]).toEqual([
      'Date',
      7,
      RealDate.UTC(2026, 0),
      0,
    ]);
    class Later extends Date {}
    expect(new Later(5)).toBeInstanceOf(Later);
    expect(structuredClone(new Date(5))).toEqual(new Date(5));
  });

  it('is installed only once', () => {
    const installed = Date;
    installSandboxDate();
    expect(Date).toBe(installed);
  });
});
