import { tokenLifetimeMaxSeconds } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { integer, list, text } from '../option.ts';
import { serverOptions } from '../server-options.ts';

/** Options of `nudgelab token`. */
export const tokenOptions = {
  ...serverOptions,
  user: text('--user <id>', 'user on whose behalf the token is used'),
  app: text('--app <name>', 'application that uses the token, without a user'),
  permission: list('--permission <names>', 'permissions of the policy API', { whenOmitted: 'read and write' }),
  role: list('--role <names>', 'directory roles of the user', {
    whenOmitted: 'the writer role, without --user and --app',
  }),
  expires: integer('--expires <seconds>', 'lifetime in seconds on the virtual clock', {
    min: 1,
    whenOmitted: '3600',
    max: tokenLifetimeMaxSeconds,
  }),
} as const;

/** Arguments of `nudgelab token`. */
export type TokenArguments = ArgumentsOf<typeof tokenOptions>;
