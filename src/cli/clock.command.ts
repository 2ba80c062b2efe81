import { defineCommand } from './command.ts';
import { serverOptions } from './server-options.ts';

/** `nudgelab clock`: shows and moves the virtual clock of a sandbox. */
export const clockCommand = defineCommand({
  name: 'clock',
  description:
    'Shows the virtual clock of a sandbox on a running server, or changes it, and prints the result. `advance` takes ' +
    'durations, which are added: 7d, 12h, 30m, 10s, 500ms. `set` takes an ISO 8601 instant and may move the clock ' +
    'back. Exit codes: 0 done, 2 invalid command line or server error.',
  operands: {
    description: 'show (default); advance <duration...>; set <instant>; freeze; resume',
  },
  options: serverOptions,
  examples: [
    { line: 'clock', meaning: 'print the virtual time of the default sandbox' },
    { line: 'clock advance 1d', meaning: 'advance the clock by one day' },
    { line: 'clock set 2026-02-01T09:00:00Z --sandbox demo', meaning: 'jump to an instant in another sandbox' },
    { line: 'clock resume', meaning: 'let a frozen clock run at real speed' },
  ],
  run: async (args, context) => (await import('./clock/change-clock.ts')).changeClock(args, context),
});
