import { seedRuleset } from '../machines/rulesets/built-in.ts';
import { checkLog, getOptions } from '../src/conformance/check-log.ts';
import { readRows } from '../src/conformance/log/log-rows.ts';
import { peekBytes } from '../src/conformance/log/peek-bytes.ts';
import { readMappingText } from '../src/conformance/log/read-mapping.ts';
import { createTimeline } from '../src/conformance/model/policy-timeline.ts';
import { atRate, type BenchRow, withinLimit } from './measure.ts';

const users = 200_000;
const eventsOfUser = 50;
const rateMin = 200_000;
const heapMax = 1_500;

const mapping = readMappingText(
  'bench.mapping.yaml',
  `
user: user
time: { field: at, format: epoch-seconds, rounded: second }
event:
  field: event
  values: { shown: prompt-skippable, required: prompt-required, skipped: skipped, none: not-prompted, closed: closed }
policy: { days: 1, limited: true }
`,
);

const daySeconds = 86_400;
const start = 1_780_000_000;

/** Day and event of one user: three snoozes, then required prompts; every tenth user closes the browser. */
function formatLine(user: number, step: number): string {
  const second = start + (user % 3_600);
  const write = (atSeconds: number, event: string): string =>
    `{"user":"u${user}","at":${atSeconds},"event":"${event}"}\n`;
  if (step >= 9) return write(second + (step - 6) * daySeconds, 'required');
  const dayAt = second + Math.floor(step / 3) * daySeconds;
  if (step % 3 === 0) return write(dayAt, 'shown');
  if (step % 3 === 1) return write(dayAt, user % 10 === 0 ? 'closed' : 'skipped');
  return write(dayAt + 60, 'none');
}

/** Writes the log as it would come from a file: by step, so all users are interleaved. */
async function* writeLog(): AsyncGenerator<Uint8Array, void> {
  for (let step = 0; step < eventsOfUser; step += 1) {
    let text = '';
    for (let user = 0; user < users; user += 1) {
      text += formatLine(user, step);
      if (text.length < 1_048_576) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
  }
}

/**
 * Checks a log of 10,000,000 events of 200,000 interleaved users, written on the fly and read as JSON Lines. Writing it
 * is part of the time.
 */
export async function benchConform(): Promise<readonly BenchRow[]> {
  const began = performance.now();
  let heapMib = 0;
  const { batches, rest } = readRows(await peekBytes(writeLog()), 'log', mapping);
  const report = await checkLog(
    { timeline: createTimeline(mapping), batches, rest, options: getOptions(mapping, 5) },
    [seedRuleset],
    () => {
      heapMib = Math.max(heapMib, process.memoryUsage().heapUsed / 1_048_576);
    },
  );
  const [fit] = report.rulesets;
  if (fit?.fits !== true) throw new Error(`The log does not fit: ${JSON.stringify(fit?.examples[0])}`);
  const rate = (report.events * 1000) / (performance.now() - began);
  return [
    atRate(
      rateMin,
      `${report.events.toLocaleString('en-GB')} events of ${users.toLocaleString('en-GB')} users, JSON Lines`,
      rate,
      'events/s',
    ),
    withinLimit(heapMax, 'largest heap', heapMib, 'MiB'),
  ];
}
