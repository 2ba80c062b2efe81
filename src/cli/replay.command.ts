import { defineCommand } from './command.ts';
import { replayOptions } from './replay/replay-options.ts';

/** `nudgelab replay`: a journey folded again, walked through, or done again by a driver. */
export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'fold journeys again, or do them again',
  description:
    'Folds a journey again and compares: every verdict with every gate, every screen and ledger, the state at the end, every ' +
    'byte. With --driver what users and administrators did is done again on a server or at real pages, and what is shown is ' +
    'compared with what the journey saw. Of several journeys each is told of, and totals follow; --queue spreads them over ' +
    'nudgelab worker processes, with the same bytes. Ends with 0 when all is the same, 1 when something differs, 2 for a file ' +
    'that cannot be read. A journey of an older version is migrated as it is read.',
  operands: {
    syntax: '<paths...>',
    description: 'journeys, and folders of them (*.ndjson, at any depth); - reads the standard input',
  },
  options: replayOptions,
  examples: [
    { line: 'replay ada.ndjson', meaning: 'fold it again and compare' },
    { line: 'replay ada.ndjson --driver http', meaning: 'do it again on a server of its own' },
    { line: 'replay ada.ndjson --step 7 --json', meaning: 'the seventh step with its whole verdict' },
    { line: 'replay journeys --queue redis://localhost:6379', meaning: 'all of a folder, by workers' },
    { line: 'replay ada.ndjson --walk', meaning: 'go forward and back by the arrow keys' },
  ],
  run: async (args, context) => (await import('./replay/replay.ts')).replay(args, context),
});
