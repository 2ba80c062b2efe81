import { defineCommand } from './command.ts';
import { signInsOptions } from './sign-ins/sign-ins-options.ts';

/** `nudgelab sign-ins`: shows recent sign-ins of a sandbox with their verdicts. */
export const signInsCommand = defineCommand({
  name: 'sign-ins',
  description:
    'Lists the latest sign-ins of a sandbox on a running server, newest first, with outcome, reason and current ' +
    'screen. With an id it explains that sign-in: every rule with its sentence, and the events. Exit codes: 0 done, ' +
    '2 invalid command line or server error.',
  operands: { description: 'id of a sign-in to explain' },
  options: signInsOptions,
  examples: [
    { line: 'sign-ins', meaning: 'list the latest sign-ins of the default sandbox' },
    { line: 'sign-ins --user sms-user --limit 5', meaning: 'list the latest five of one user' },
    { line: 'sign-ins sign-in-1', meaning: 'explain why a sign-in showed no prompt' },
  ],
  run: async (args, context) => (await import('./sign-ins/list-sign-ins.ts')).listSignIns(args, context),
});
