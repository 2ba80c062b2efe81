import { defineCommand } from './command.ts';
import { replayOptions } from './replay/replay-options.ts';
import { withTelemetry } from './with-telemetry.ts';

/** `nudgelab replay`: replays a journey, steps through it, or reruns it with a driver. */
export const replayCommand = defineCommand({
  name: 'replay',
  description:
    'Replays a journey from its events and compares every verdict, screen and nudge status, the final ' +
    'state, and every byte. With --driver it repeats the actions of users and administrators on a server or ' +
    'in a browser and compares the results. Several journeys are reported one by one, with totals; --queue ' +
    'distributes them to nudgelab worker processes with the same result. Journeys of older versions are ' +
    'migrated. Exit codes: 0 no difference, 1 differences, 2 unreadable file.',
  operands: {
    description: 'journey files and folders of them (*.ndjson, at any depth); - reads standard input',
  },
  options: replayOptions,
  examples: [
    { line: 'replay ada.ndjson', meaning: 'replay a journey and compare' },
    {
      line: 'replay ada.ndjson --ruleset my.ruleset.yaml',
      meaning: 'replay a journey of an own campaign, whose file is needed',
    },
    { line: 'replay ada.ndjson --driver http', meaning: 'repeat the journey on an embedded server' },
    { line: 'replay ada.ndjson --step 7 --json', meaning: 'print the seventh step with its whole verdict' },
    { line: 'replay journeys --queue redis://localhost:6379', meaning: 'replay all journeys of a folder with workers' },
    { line: 'replay ada.ndjson --interactive', meaning: 'step forward and back with the arrow keys' },
  ],
  run: (args, context) =>
    withTelemetry(context, async () => (await import('./replay/replay.ts')).replay(args, context)),
});
