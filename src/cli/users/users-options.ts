import { nudgeStates, reasonCodes } from '../../../machines/vocabulary.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, text } from '../option.ts';
import { serverOptions } from '../server-options.ts';

/** Options of `nudgelab users`. */
export const usersOptions = {
  ...serverOptions,
  search: text('--search <text>', 'only users with this text in their name or id'),
  state: choice('--state <state>', 'only users in this nudge state', nudgeStates),
  reason: choice(
    '--reason <code>',
    'only users whose next sign-in has this reason; none for those who would be prompted',
    ['none', ...reasonCodes],
  ),
} as const;

/** Arguments of `nudgelab users`. */
export type UsersArguments = ArgumentsOf<typeof usersOptions>;
