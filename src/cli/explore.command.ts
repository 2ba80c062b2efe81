import { defineCommand } from './command.ts';
import { exploreOptions } from './explore/explore-options.ts';

/** `nudgelab explore`: lists the reachable states of a state machine and checks its invariants. */
export const exploreCommand = defineCommand({
  name: 'explore',
  description:
    'Finds every state that a machine can reach under a finite set of events and checks its invariants in every state ' +
    'and transition. Without a name it explores nudge, sign-in, campaign, passkey-eligibility, document, and tenant ' +
    '(campaign, user and nudge combined). The name `eligibility` evaluates every combination of policy, user, device, ' +
    'browser and sign-in context and counts the verdicts. A path names your own module that exports `machine`, an ' +
    'XState 5 machine, and `events`. Exit codes: 0 all invariants hold, 1 an invariant is violated; the shortest path ' +
    'to it is printed.',
  operands: { description: 'machine names or module paths' },
  options: exploreOptions,
  examples: [
    { line: 'explore', meaning: 'explore every machine' },
    { line: 'explore nudge --json', meaning: 'print counts, invariants and time as JSON' },
    { line: 'explore eligibility', meaning: 'count the verdicts of all combinations' },
    { line: 'explore ./checkout.machine.ts --max-states 5000', meaning: 'explore your own machine' },
  ],
  run: async (args, context) => (await import('./explore/explore.ts')).exploreMachines(args, context),
});
