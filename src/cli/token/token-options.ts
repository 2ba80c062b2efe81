import { tokenLifetimeMaxSeconds } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { controlKeyOption } from '../control-key.ts';
import { integer, list, text } from '../option.ts';

/** The options of `nudgelab token`. */
export const tokenOptions = {
  url: text('--url <address>', 'the server (default: http://localhost:4700)'),
  controlKey: controlKeyOption,
  sandbox: text('--sandbox <id>', 'the sandbox (default: default)'),
  user: text('--user <id>', 'the user that the token acts for'),
  app: text('--app <name>', 'the application that the token acts for, without a user'),
  permission: list('--permission <names>', 'permissions of the policy API (default: those to read and write)'),
  role: list('--role <names>', 'directory roles of the user; default for an administrator: the one to write'),
  expires: integer('--expires <seconds>', 'lifetime in seconds on the virtual clock (default: 3600)', {
    min: 1,
    max: tokenLifetimeMaxSeconds,
  }),
} as const;

/** What the command is given. */
export type TokenArguments = ArgumentsOf<typeof tokenOptions>;
