import { visibleText } from '../../core/visible-text.ts';
import { literal } from '../../generate/write/code-literal.ts';
import { getOutput, getTarget, listAccessWords, type MealyMachine } from '../mealy/mealy-machine.ts';
import { notAvailable } from '../systems/system-under-learning.ts';

/** Returns the name of a state in written machines. */
export function nameState(state: number): string {
  return `s${state}`;
}

/**
 * Writes a machine as a TypeScript module with an XState machine, its events, `serialize` and `observe`, so
 * `nudgelab explore` and `nudgelab learn` load it. The output of a transition is in `context.output`.
 *
 * @param comment - origin of the machine
 */
export function writeMachineModule(machine: MealyMachine, comment: string): string {
  const access = listAccessWords(machine);
  const states = Array.from({ length: machine.states }, (_, state) => {
    const word = (access[state] ?? []).map((input) => machine.inputs[input]).join(', ');
    return [
      `    ${nameState(state)}: {`,
      `      description: ${literal(word === '' ? 'initial state' : word)},`,
      '      on: {',
      ...listTransitions(machine, state),
      '      },',
      '    },',
    ];
  });
  const isPartial = machine.outputs.includes(notAvailable);
  return [
    "import { assign, setup } from 'xstate';",
    '',
    `/** ${visibleText(comment).replaceAll('*/', '* /')} */`,
    'export const machine = setup({',
    '  types: {',
    '    context: {} as { readonly output: string },',
    '    events: {} as { readonly type: string },',
    '  },',
    '  actions: {',
    '    show: assign({ output: (_, params: { readonly output: string }) => params.output }),',
    '  },',
    '}).createMachine({',
    "  id: 'learned',",
    "  context: { output: '' },",
    "  initial: 's0',",
    ...(isPartial ? [`  on: { '*': { actions: ${formatAction(notAvailable)} } },`] : []),
    '  states: {',
    ...states.flat(),
    '  },',
    '});',
    '',
    `export const events = ${literal(machine.inputs.map((type) => ({ type })))};`,
    '',
    '/** States differ by their name alone. */',
    'export const serialize = ({ value }: { readonly value: unknown }) => JSON.stringify(value);',
    '',
    '/** Output of the latest event. */',
    'export const observe = ({ context }: { readonly context: { readonly output: string } }) => context.output;',
    '',
  ].join('\n');
}

function listTransitions(machine: MealyMachine, state: number): readonly string[] {
  return machine.inputs.flatMap((name, input) => {
    const output = getOutput(machine, state, input);
    if (output === notAvailable) return [];
    const target = nameState(getTarget(machine, state, input));
    return [`        ${literal(name)}: { target: '${target}', actions: ${formatAction(output)} },`];
  });
}

function formatAction(output: string): string {
  return `{ type: 'show', params: { output: ${literal(output)} } }`;
}
