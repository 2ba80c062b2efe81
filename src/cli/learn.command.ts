import { defineCommand } from './command.ts';
import { learnOptions } from './learn/learn-options.ts';

/** `nudgelab learn`: learns a system as a state machine and compares it with the specification. */
export const learnCommand = defineCommand({
  name: 'learn',
  description:
    'Learns how a system behaves by sending words of steps to it, each in a new session, and tests the learned machine ' +
    'against the system. The specification guides the learner, so what agrees with it costs few queries. The result is ' +
    'isomorphic to the specification, or each differing transition is shown with the shortest journey to it. With ' +
    '--out, the machine is written as an XState module and as pictures, and the journeys as scenarios that every driver ' +
    'runs. An operand learns a machine instead: a name or a module as for explore. Exit codes: 0 no difference, 1 a ' +
    'difference, an end of the budget, or a system that is not deterministic.',
  operands: { description: 'machine name or module path instead of a driver' },
  options: learnOptions,
  examples: [
    { line: 'learn --driver own', meaning: 'learn your system through the driver of the configuration' },
    { line: 'learn --driver http --alphabet team.alphabet.yaml --out learned', meaning: 'use your own steps' },
    { line: 'learn --driver http --max-queries 500 --json', meaning: 'limit the sessions, and print JSON' },
    { line: 'learn ./basket.machine.ts --specification ./agreed.machine.ts', meaning: 'compare two machines' },
  ],
  run: async (args, context) => (await import('./learn/learn.ts')).learnSystem(args, context),
});
