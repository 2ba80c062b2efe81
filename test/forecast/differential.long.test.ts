import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kernelAttempts, machineAttempts, verifyKernel } from '../../src/forecast/verify.ts';
import { anyTenant, compiled, officeTenant } from './descriptions.ts';

describe('kernel and state machines', () => {
  test('R1 to R13: for 300 users, the kernel returns the same events as `evaluate` and the nudge machine', () => {
    const forecast = compiled(officeTenant);
    let prompts = 0;
    for (let user = 0; user < 300; user += 1) {
      const expected = machineAttempts(forecast, 7, user);
      expect(kernelAttempts(forecast, 7, user)).toEqual(expected);
      prompts += expected.filter(({ answer }) => answer !== null).length;
    }
    expect(prompts).toBeGreaterThan(500);
  });

  test('R5, R6, A19: the kernel matches the machines for any policy, ruleset, sign-in pattern and actions', () => {
    fc.assert(
      fc.property(anyTenant, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (description, seed) => {
        const forecast = compiled(description);
        for (const user of [0, 1, 2, 3_999_999_999]) {
          expect(kernelAttempts(forecast, seed, user)).toEqual(machineAttempts(forecast, seed, user));
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('R5: a table that ends a snooze one day early is detected at the first snoozed user', () => {
    const { tables, ...rest } = compiled(officeTenant);
    const bent = { ...rest, tables: { ...tables, snoozeMinutes: tables.snoozeMinutes - 1_440 } };
    expect(verifyKernel(bent, 1, 2_000, 50).difference).toMatchObject({ kernel: { outcome: 'skippable' } });
  });

  test.each(['nextState', 'reasons', 'requiredIn', 'snoozeStart'] as const)(
    'R6, R11.3: a table of %s with shifted numbers is detected',
    (name) => {
      const { tables, ...rest } = compiled(officeTenant);
      const moved = tables[name].map((_, at) => tables[name][(at + 1) % tables[name].length] as number);
      const bent = { ...rest, tables: { ...tables, [name]: moved } };
      expect(verifyKernel(bent, 1, 2_000, 50).difference).not.toBeNull();
    },
  );

  test('R10.1: a table that loses registrations is detected', () => {
    const { tables, ...rest } = compiled(officeTenant);
    const bent = { ...rest, tables: { ...tables, nextClass: tables.nextClass.map(() => 0) } };
    expect(verifyKernel(bent, 1, 2_000, 50).difference).not.toBeNull();
  });
});
