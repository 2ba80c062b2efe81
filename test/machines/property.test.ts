import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { findDifference } from './difference.ts';
import { actions } from './nudge-actions.ts';
import { auditorDiffers, play } from './nudge-run.ts';
import { expectAlways, expectFoundOut } from './property.ts';

/** Returns the message of a failed property. */
function getPrinted(check: () => void): string {
  try {
    check();
  } catch (error) {
    return String((error as { readonly actual?: unknown }).actual);
  }
  throw new TypeError('The claim holds.');
}

describe('Report of a failed property', () => {
  test('R6 canary: a comparison reports the first differing field for the shrunk counterexample', () => {
    const claim = (count: number) =>
      findDifference({ state: count > 3 ? 'snoozed' : 'prompted' }, { state: 'prompted' });
    const [field, ...rest] = getPrinted(() => expectAlways(fc.nat({ max: 100 }), claim, 200)).split('\n');
    expect(field).toBe('state: "snoozed", expected "prompted"');
    expect(rest.join('\n')).toContain('Counterexample: [4]');
  });

  test('A38 canary: for a lifecycle run it reports the step, the event and the field', () => {
    const bent = nudgeMachine.provide({ guards: { anotherPromptIsOpen: () => false } });
    const claim = (taken: Parameters<typeof play>[0]) => auditorDiffers(play(taken, undefined, bent));
    const [field = ''] = getPrinted(() => expectAlways(actions, claim, 2_000)).split('\n');
    expect(field).toMatch(/^step \d+ \([a-zA-Z.]+\), state: "\w+", expected "\w+"$/);
  });

  test('R6: Boolean properties are reported in the standard format', () => {
    const printed = getPrinted(() => expectAlways(fc.nat({ max: 100 }), (count) => count < 50, 200));
    expect(printed).toMatch(/^Property failed after/);
    expect(() => expectAlways(fc.nat(), () => true, 10)).not.toThrow();
    expect(() => expectAlways(fc.nat(), () => null, 10)).not.toThrow();
    expect(() => expectFoundOut(fc.nat(), () => 'a field', 10)).not.toThrow();
    expect(() => expectFoundOut(fc.nat(), () => null, 10)).toThrow();
  });

  test('R6: a property that throws is reported with its error', () => {
    const broken = (): boolean => {
      throw new RangeError('no such place');
    };
    expect(getPrinted(() => expectAlways(fc.nat(), broken, 10))).toContain('Property failed');
  });
});
