import { describe, expect, test } from 'vitest';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { rules } from '../../machines/rules/rule-registry.ts';
import { gateIds } from '../../machines/vocabulary.ts';
import { assumptions } from '../../src/contract/assumptions.ts';
import { describeObservation, type NudgeTransition, type Observation } from '../../src/contract/coverage-evidence.ts';
import { ruleCatalogue } from '../../src/contract/rule-catalogue.ts';

const catalogued = [...ruleCatalogue, ...assumptions];
const observations = catalogued.flatMap(({ confirmedBy }): readonly Observation[] => confirmedBy);

interface TakenTransition {
  readonly from: string;
  readonly event: string;
  readonly guard: string | undefined;
  readonly actions: readonly string[];
}

/** Lists the transitions of the nudge machine. Transitions of the root are listed for every state. */
function machineTransitions(): readonly TakenTransition[] {
  const states = Object.values(nudgeMachine.states);
  return states.flatMap((state) =>
    [...state.transitions.values(), ...nudgeMachine.root.transitions.values()].flat().map((transition) => ({
      from: state.key,
      event: transition.eventType,
      guard: transition.guard === undefined ? undefined : String(transition.guard),
      actions: transition.actions.map(String),
    })),
  );
}

function isTakenBy(wanted: NudgeTransition, taken: TakenTransition): boolean {
  return (
    wanted.event === taken.event &&
    (wanted.from ?? taken.from) === taken.from &&
    (wanted.guard ?? taken.guard) === taken.guard &&
    (wanted.action === undefined || taken.actions.includes(wanted.action))
  );
}

describe('assumptions', () => {
  test('A1 to A79 are listed once each and in order', () => {
    expect(assumptions.map(({ id }) => id)).toEqual(Array.from({ length: 79 }, (_, index) => `A${index + 1}`));
  });

  test('A1 to A79 each have a question and an answer', () => {
    expect(assumptions.filter(({ question, answer }) => question.trim() === '' || answer.trim() === '')).toEqual([]);
  });

  test('A46, A47, A51 and those of ruleset files and clients are the only assumptions without an observation', () => {
    const claimed = assumptions.filter(({ confirmedBy }) => confirmedBy.some(({ kind }) => kind === 'claimed'));
    expect(claimed.map(({ id }) => id)).toEqual([
      ...['A46', 'A47', 'A51'],
      ...Array.from({ length: 28 }, (_, index) => `A${index + 52}`),
    ]);
    expect(claimed.every(({ confirmedBy }) => confirmedBy.length === 1)).toBe(true);
  });
});

describe('rule catalog', () => {
  test('R1 to R15, S1 to S3, C1 and M1 are listed in the order of the specification', () => {
    const parts = (rule: string, to: number): readonly string[] =>
      Array.from({ length: to }, (_, index) => `${rule}.${index + 1}`);
    expect(ruleCatalogue.map(({ id }) => id)).toEqual([
      ...['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9'],
      ...parts('R10', 5),
      ...parts('R11', 8),
      'R12',
      ...parts('R13', 6),
      ...['R14', 'R15', 'S1', 'S2', 'S3', 'C1', 'R11.9', 'M1'],
      ...['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8', 'L9', 'L10'],
      ...['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7', 'D8'],
    ]);
  });

  test('C1 to R5: every gate belongs to a rule, and R10.5 is the only other kind of rule with a gate', () => {
    const evaluated = ruleCatalogue.filter(({ gate }) => gate !== undefined);
    expect(new Set(evaluated.map(({ gate }) => gate))).toEqual(new Set(gateIds));
    expect(evaluated.filter(({ kind }) => kind !== 'gate').map(({ id }) => id)).toEqual(['R10.5']);
  });

  test('R12 uses the gate R11.3 and R14 uses C1, and any other gate has the id of its rule', () => {
    const borrowed = ruleCatalogue.filter(({ id, gate }) => gate !== undefined && gate !== id);
    expect(borrowed.map(({ id, gate }) => [id, gate])).toEqual([
      ['R12', 'R11.3'],
      ['R14', 'C1'],
    ]);
  });

  test('R5 to R9 and R11.8 are lifecycle rules, and R2, R8 and R15 are validation rules', () => {
    const ofKind = (wanted: string): readonly string[] =>
      ruleCatalogue.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    expect(ofKind('lifecycle')).toEqual(['R6', 'R7', 'R9', 'R11.8']);
    expect(ofKind('validation')).toEqual(['R2', 'R8', 'R15']);
    expect(ofKind('permission')).toEqual(['R10.5']);
  });

  test('R1 to A51: every id that a gate or a machine state references is in the catalog', () => {
    const known = new Set<string>(catalogued.map(({ id }) => id));
    const states = Object.values(nudgeMachine.states).flatMap(({ meta }) => (meta as { rules: string[] }).rules);
    const quoted = [...rules.flatMap(({ source }) => source), ...states];
    expect(quoted.length).toBeGreaterThan(rules.length);
    expect(quoted.filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('observations', () => {
  test('R5 to A51: every rule and assumption has an observation that confirms it', () => {
    expect(catalogued.filter(({ confirmedBy }) => confirmedBy.length === 0)).toEqual([]);
  });

  test('R6 to A45: every lifecycle transition in an observation exists in the machine', () => {
    const wanted = observations.flatMap((one) => (one.kind === 'lifecycle' ? [one.transition] : []));
    const taken = machineTransitions();
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter((transition) => !taken.some((one) => isTakenBy(transition, one)))).toEqual([]);
  });

  test('R6: a lifecycle transition that does not exist in the machine is detected', () => {
    const misspelt: NudgeTransition = { event: 'prompt.skipped', action: 'countSkips' };
    expect(machineTransitions().some((one) => isTakenBy(misspelt, one))).toBe(false);
  });

  test('A1: each kind of observation has a different description', () => {
    const kinds = new Map(observations.map((one) => [one.kind, describeObservation(one)]));
    expect(kinds.size).toBe(8);
    expect(new Set(kinds.values()).size).toBe(8);
  });
});
