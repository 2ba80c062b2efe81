import { defineCommand } from './command.ts';
import { usersOptions } from './users/users-options.ts';

/** `nudgelab users`: shows users of a sandbox with their nudge statuses. */
export const usersCommand = defineCommand({
  name: 'users',
  description:
    'Lists users of a sandbox on a running server with state, snoozes and next prompt, or shows the given users in ' +
    'full. With --reason it lists the users whose next sign-in would not prompt for that reason. Exit codes: 0 done, ' +
    '2 invalid command line or server error.',
  operands: { description: 'ids of users to show in full (default: list all)' },
  options: usersOptions,
  examples: [
    { line: 'users', meaning: 'list the users of the default sandbox' },
    { line: 'users --state snoozed', meaning: 'list the users whose snooze is running' },
    { line: 'users --reason excluded', meaning: 'list the users who are excluded' },
    { line: 'users sms-user --json', meaning: 'print one user as JSON' },
  ],
  run: async (args, context) => (await import('./users/list-users.ts')).listUsers(args, context),
});
