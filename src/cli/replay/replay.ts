import { NudgeLabError } from '../../core/errors.ts';
import type { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { openJourney } from '../../replay/read-journey.ts';
import type { ReplayObserver } from '../../sandbox/observed-journal.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import type { ReplayResult } from '../queue/journey-jobs.ts';
import { createQueuePlace } from '../queue/queue-place.ts';
import { chooseDrivers } from '../run/choose-drivers.ts';
import { findJourneys, type JourneyFile, type RequestedJourneys, readBytes } from './journey-files.ts';
import type { ReplayArguments } from './replay-options.ts';
import { ReplayPrinter } from './replay-printer.ts';
import { replayFromFile, rerunJourney } from './replayed-journey.ts';

type Replayed = ReplayResult[number];

/**
 * Replays the journeys named by the arguments. Returns the exit code. Throws an error that the caller can correct.
 */
export async function replay(args: ReplayArguments, context: CommandContext): Promise<ExitCode> {
  const journeys = findJourneys(args.operands, context.cwd);
  const rulesets = await openJourneyRulesets(args, context);
  if (args.interactive || args.step !== null) return walkThrough(journeys, args, context);
  const printer = new ReplayPrinter(journeys.single, args, context);
  if (args.queue !== null) await replayOnWorkers({ ...journeys, rulesets }, args.queue, printer, args, context);
  else await replayHere(journeys, printer, args, context);
  return printer.end();
}

/** Loads the ruleset files that journeys can name, so that their sandboxes find them. Throws the errors of the files. */
async function openJourneyRulesets(
  { config, ruleset }: Pick<ReplayArguments, 'config' | 'ruleset'>,
  { cwd }: CommandContext,
): Promise<RulesetRegistry> {
  const { registry } = await openRulesets({ ruleset: null }, await loadConfig(config, cwd), cwd);
  for (const file of ruleset) await loadNamed(file, '--ruleset', registry, cwd);
  return registry;
}

async function walkThrough(
  { files: [journey, ...more], single }: RequestedJourneys,
  args: ReplayArguments,
  context: CommandContext,
): Promise<ExitCode> {
  if (journey === undefined || more.length > 0 || !single) {
    throw new NudgeLabError('usage-invalid', {
      message: '--interactive and --step require a single journey. Name one file.',
    });
  }
  if (args.queue !== null) {
    throw new NudgeLabError('usage-invalid', { message: '--interactive and --step cannot be used with --queue.' });
  }
  const opened = await openJourney(readBytes(journey, context));
  const { showStep, walk } = await import('./interactive-replay.ts');
  return args.interactive ? walk(opened, journey.file, context) : showStep(opened, args.step ?? 0, args, context);
}

async function replayHere(
  { files }: RequestedJourneys,
  printer: ReplayPrinter,
  args: ReplayArguments,
  context: CommandContext,
): Promise<void> {
  const { one, close } = await replayer(args, context);
  try {
    for (const [place, journey] of files.entries()) {
      await printer.take(place, await one(journey));
    }
  } finally {
    await close();
  }
}

async function replayOnWorkers(
  { files, rulesets }: RequestedJourneys & { readonly rulesets: RulesetRegistry },
  address: string,
  printer: ReplayPrinter,
  args: ReplayArguments,
  context: CommandContext,
): Promise<void> {
  const [{ replayByQueue }, { refuseOwnDrivers, refuseTravelingKey, refuseTravelingProperties }, sending] =
    await Promise.all([
      import('../queue/journeys-by-queue.ts'),
      import('../queue/without-config.ts'),
      import('../../scenario/rulesets/sent-ruleset.ts'),
    ]);
  const config = await loadConfig(args.config, context.cwd);
  refuseOwnDrivers(args.driver, config);
  refuseTravelingKey(args.controlKey);
  refuseTravelingProperties(args.properties);
  let own: Promise<Replayer> | null = null;
  try {
    await replayByQueue(files, {
      ...createQueuePlace(address, context),
      drivers: [...new Set(args.driver)],
      url: args.url ?? config.baseUrl ?? null,
      rulesets: rulesets.list().flatMap((loaded) => sending.createSent(loaded) ?? []),
      here: async (journey) => {
        own ??= replayer(args, context);
        return (await own).one(journey);
      },
      take: (place, replayed) => printer.take(place, replayed),
    });
  } finally {
    if (own !== null) await (await (own as Promise<Replayer>)).close();
  }
}

/** Replayer of journeys in this process. */
interface Replayer {
  one(journey: JourneyFile): Promise<Replayed>;
  close(): Promise<void>;
}

/**
 * Creates the replayer, and loads drivers only if any are requested. Throws any error of the driver selection.
 */
async function replayer(
  { driver, url, config, controlKey, properties: files }: ReplayArguments,
  context: CommandContext,
): Promise<Replayer> {
  if (driver.length === 0) {
    return {
      one: await createJournalReplayer(files, context),
      close: async () => undefined,
    };
  }
  const properties = { files, cwd: context.cwd };
  const loaded = await loadConfig(config, context.cwd);
  const parts = { config: loaded, url, controlKey, evidence: null, properties, env: context.env };
  const { drivers, close } = await chooseDrivers(driver, parts);
  return { one: (journey) => rerunJourney(journey.file, readBytes(journey, context), drivers), close };
}

/** Returns a function that replays a journal without a driver, and checks the properties to watch. */
async function createJournalReplayer(
  files: readonly string[],
  context: CommandContext,
): Promise<(journey: JourneyFile) => Promise<Replayed>> {
  const replayOne = (journey: JourneyFile, observer?: ReplayObserver): ReturnType<typeof replayFromFile> =>
    replayFromFile(journey.file, readBytes(journey, context), observer);
  if (files.length === 0) return (journey) => replayOne(journey);
  const [{ readWatchedProperties }, { UserTraces }, { findViolations, formatViolation }] = await Promise.all([
    import('../properties/watched-properties.ts'),
    import('../../properties/watch/user-traces.ts'),
    import('../../properties/watch/watch-properties.ts'),
  ]);
  const properties = readWatchedProperties(files, context.cwd);
  return async (journey) => {
    const traces = new UserTraces();
    const replayed = await replayOne(journey, traces);
    if ('error' in replayed) return replayed;
    return { ...replayed, violations: findViolations(traces, properties).map(formatViolation) };
  };
}
