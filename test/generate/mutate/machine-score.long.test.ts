import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import type { Model } from '../../../src/compiled/model.ts';
import { models } from '../../../src/generate/exploration/explorations.ts';
import { machineScore } from '../../../src/generate/mutate/machine-score.ts';

describe('generated tests of one machine', () => {
  test.each(['document', 'sign-in'])(
    '049: a tour with distinguishing sequences kills every mutant of "%s" that is not equivalent',
    (name) => {
      const { mutants, killed, survived, undecided, gap, score } = machineScore((models.get(name) as () => Model)());
      expect({ survived, undecided, gap, score }).toEqual({ survived: 0, undecided: 0, gap: 0, score: 1 });
      expect(mutants.length).toBeGreaterThan(50);
      expect(killed).toBeGreaterThan(50);
    },
  );

  test('D7: the tests kill mutants of the withdrawal and the publication of documents', () => {
    const { mutants } = machineScore((models.get('document') as () => Model)());
    const killed = mutants.filter(({ verdict }) => verdict === 'killed').map(({ id }) => id);
    expect(killed).toContain('document ready on withdrawal.requested: taken whatever isPublic says');
    expect(killed).toContain('document ready on publication.requested [1]: never taken, whatever isPublic says');
    expect(killed).toContain('document action forgetPages: processed is not lowered');
  });

  test('049: a mutant without a difference is equivalent, as a search over all short lists of events confirms', () => {
    const machine = createMachine({
      id: 'twins',
      initial: 'left',
      states: {
        left: { on: { go: 'right', turn: 'left' } },
        right: { on: { go: 'right', turn: 'end' } },
        end: {},
      },
    });
    const { mutants, score } = machineScore({
      name: 'twins',
      machine,
      events: [{ type: 'go' }, { type: 'turn' }],
    } as unknown as Model);
    expect(score).toBe(1);
    expect(mutants.find(({ id }) => id === 'twins left on turn: missing')?.verdict).toBe('equivalent');
  });
});
