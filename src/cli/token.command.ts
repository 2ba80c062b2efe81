import { defineCommand } from './command.ts';
import { tokenOptions } from './token/token-options.ts';

/** `nudgelab token`: gets an access token from a running server. */
export const tokenCommand = defineCommand({
  name: 'token',
  summary: 'get an access token for a script',
  description:
    'Asks a running server for an access token and prints it, bare, so that it can stand in a command line; with --json the ' +
    'whole answer. The sandbox signs it as it signs those of its OpenID provider. Without --user and --app it acts for an ' +
    'administrator, and without --permission and --role it may read and write the policy.',
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
