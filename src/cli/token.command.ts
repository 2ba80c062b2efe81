import { defineCommand } from './command.ts';
import { tokenOptions } from './token/token-options.ts';

/** `nudgelab token`: requests an access token from a running server. */
export const tokenCommand = defineCommand({
  name: 'token',
  description:
    'Requests an access token from a running server and prints it, or the whole response with --json. By default the ' +
    "token is an administrator's (without --user and --app) and may read and write the policy (without --permission " +
    'and --role).',
  operands: null,
  options: tokenOptions,
  examples: [
    { line: 'token', meaning: 'get an administrator token for the default sandbox' },
    { line: 'token --user sms-user --permission Policy.Read.All', meaning: 'get a read-only token of a user' },
    {
      line: 'token --app nightly --permission Policy.Read.All --expires 86400',
      meaning: 'get an app-only token that is valid for one day',
    },
    {
      line: 'token --url http://localhost:4700 --sandbox demo --json',
      meaning: 'print the whole response for another sandbox',
    },
  ],
  run: async (args, context) => (await import('./token/get-token.ts')).getToken(args, context),
});
