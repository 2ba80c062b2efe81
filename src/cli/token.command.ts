import { defineCommand } from './command.ts';
import { tokenOptions } from './token/token-options.ts';

/** `nudgelab token`: requests an access token from a running server. */
export const tokenCommand = defineCommand({
  name: 'token',
  group: 'Serve',
  summary: 'get an access token for a script',
  description:
    'Requests an access token from a running server and prints it, or the whole response with --json. By default the ' +
    "token is an administrator's (without --user and --app) and may read and write the policy (without --permission " +
    'and --role).',
  operands: null,
  options: tokenOptions,
  examples: [
    { line: 'token', meaning: 'an administrator’s token for the default sandbox' },
    { line: 'token --user sms-user --permission Policy.Read.All', meaning: 'a token of a user, for reading alone' },
    {
      line: 'token --app nightly --permission Policy.Read.All --expires 86400',
      meaning: 'an app-only token for a day',
    },
    { line: 'token --url http://localhost:4700 --sandbox demo --json', meaning: 'another sandbox, the whole answer' },
  ],
  run: async (args, context) => (await import('./token/get-token.ts')).getToken(args, context),
});
