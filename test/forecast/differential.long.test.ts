import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kernelAttempts, machineAttempts, verifyKernel } from '../../src/forecast/verify.ts';
import { anyTenant, compiled, officeTenant } from './descriptions.ts';

describe('the kernel against the machines', () => {
  test('R1 to R13: the kernel tells of 300 users what evaluate and the nudge machine tell, event by event', () => {
    const forecast = compiled(officeTenant);
    let prompts = 0;
    for (let user = 0; user < 300; user += 1) {
      const expected = machineAttempts(forecast, 7, user);
      expect(kernelAttempts(forecast, 7, user)).toEqual(expected);
      prompts += expected.filter(({ answer }) => answer !== null).length;
    }
    expect(prompts).toBeGreaterThan(500);
  });

  test('R5, R6, A19: the same holds for any policy, ruleset, habit and answers', () => {
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

  test('R5: a table that lets a snooze end a day early is told from the machines by the first user who snoozed', () => {
    const { tables, ...rest } = compiled(officeTenant);
    const bent = { ...rest, tables: { ...tables, snoozeMinutes: tables.snoozeMinutes - 1_440 } };
    expect(verifyKernel(bent, 1, 2_000, 50).difference).toMatchObject({ kernel: { outcome: 'skippable' } });
  });

  test.each(['nextState', 'reasons', 'requiredIn', 'snoozeStart'] as const)(
    'R6, R11.3: a table of %s with its numbers moved is told from the machines',
    (name) => {
      const { tables, ...rest } = compiled(officeTenant);
      const moved = tables[name].map((_, at) => tables[name][(at + 1) % tables[name].length] as number);
      const bent = { ...rest, tables: { ...tables, [name]: moved } };
      expect(verifyKernel(bent, 1, 2_000, 50).difference).not.toBeNull();
    },
  );

  test('R10.1: a table that forgets what was registered is told from the machines', () => {
    const { tables, ...rest } = compiled(officeTenant);
    const bent = { ...rest, tables: { ...tables, nextClass: tables.nextClass.map(() => 0) } };
    expect(verifyKernel(bent, 1, 2_000, 50).difference).not.toBeNull();
  });
});
