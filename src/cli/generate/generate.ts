import { join, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { shellLine } from '../../core/shell-line.ts';
import { type Budget, budgetTooSmall, expectedSuite, type SizeProof } from '../../generate/generation.ts';
import { toScenario } from '../../generate/journey.ts';
import type { Artefact, Heading } from '../../generate/write/artefact.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { shippedFixturesFolder } from '../../scenario/shipped.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { certificateLines } from './certificate-text.ts';
import type { GenerateArguments } from './generate-options.ts';
import { generateProgress } from './generate-progress.ts';
import { planSuite } from './plan-suite.ts';
import { reportSuite } from './report-suite.ts';
import { createFiles, type SuiteToWrite, wantedFormats } from './write-suite.ts';
import { writeFolder } from './written-folder.ts';

/**
 * Generates and writes the requested suite. Returns 1 if the time limit was reached before the suite was complete.
 * Throws any error of planning and writing, and `time-limit-too-short` if no test was completed.
 */
export async function generate(args: GenerateArguments, context: CommandContext): Promise<ExitCode> {
  if (args.ruleset !== null) {
    const { generateForRuleset } = await import('./generate-for-ruleset.ts');
    return generateForRuleset(args.ruleset, args, context);
  }
  const file = args.operands.find(isRulesetFile);
  if (file !== undefined) {
    throw new NudgeLabError('usage-invalid', { message: `${file} is a ruleset file; name it with --ruleset ${file}.` });
  }
  const unused = (['engine', 'depth'] as const).find((name) => args[name] !== null);
  if (unused !== undefined) {
    throw new NudgeLabError('usage-invalid', { message: `--${unused} applies only to a ruleset file; add --ruleset.` });
  }
  const elapsedMs = context.clock.stopwatch();
  const budget: Budget = { limitMs: args.timeLimit, elapsedMs };
  const progress = generateProgress(context, args.json, args.color);
  const { suite, module } = await planSuite(args, context.cwd, { budget, onRows: progress.showRows });
  const formats = wantedFormats(args.format, suite, module !== null);
  const journeys = suite.kind === 'machine' ? [] : suite.journeys;
  if (budget.limitMs !== null && elapsedMs() > budget.limitMs && suite.kind === 'machine') {
    throw budgetTooSmall(budget.limitMs, 'no tests were found in that time');
  }
  const fixtures = new FixtureLibrary([shippedFixturesFolder]);
  const expected = await expectedSuite(journeys, fixtures, budget, progress.show);
  progress.clear();
  const { scenarios } = expected;
  const sizeProof = { ...suite.sizeProof, complete: suite.sizeProof.complete && expected.complete };
  const folder = resolve(context.cwd, args.out);
  const heading: Heading = { title: suite.title, comment: formatComment(args, sizeProof, scenarios.length) };
  const given = { suite, scenarios, sizeProof, heading, fixtures, module, folder };
  const files = formats.flatMap((format) => {
    // Each format gets its own folder, because the runner of one format would also run the files of another.
    const below = formats.length === 1 ? '' : `${format}/`;
    const written = createFiles(format, { ...given, folder: join(folder, below) });
    return written.map((file) => ({ ...file, path: `${below}${file.path}` }));
  });
  const page = args.report === null ? null : await coveragePage(given);
  const pageFolder = resolve(context.cwd, args.report ?? '.');
  const together = page !== null && pageFolder === folder;
  const written = writeFolder(folder, together ? [...files, page] : files, args.force);
  if (page !== null && !together) writeFolder(pageFolder, [page], args.force);
  reportSuite(args, context, { title: suite.title, sizeProof, written, folder, elapsedMs: Math.round(elapsedMs()) });
  return sizeProof.complete ? 0 : 1;
}

/** Creates the page that shows the coverage of the suite. */
async function coveragePage(given: SuiteToWrite): Promise<Artefact> {
  const { suite, scenarios, sizeProof, fixtures, heading } = given;
  const [{ suitePageHtml }, { coveredArray, coveredLifecycle, coveredMachine }] = await Promise.all([
    import('../../report/suite-page.ts'),
    import('../../generate/criteria/covered-charts.ts'),
  ]);
  const charts =
    suite.kind === 'machine'
      ? [coveredMachine(suite)]
      : scenarios.length === 0
        ? []
        : [await coveredLifecycle(scenarios.map((data) => toScenario(data, fixtures)))];
  const text = suitePageHtml({
    title: heading.title,
    sizeProof: certificateLines(sizeProof),
    complete: sizeProof.complete,
    unreachable: sizeProof.unreachable,
    charts,
    array: suite.kind === 'array' ? coveredArray(suite) : null,
  });
  return { path: 'coverage.html', text };
}

/**
 * Creates the comment at the top of the files: the command that writes them, and the known size and coverage of the
 * suite.
 */
function formatComment(args: GenerateArguments, sizeProof: SizeProof, scenarios: number): string {
  const partial = sizeProof.complete ? [] : [`Partial result: the time limit was reached after ${scenarios} tests.`];
  return [`Generated by: ${formatCommand(args)}`, ...certificateLines(sizeProof), ...partial].join('\n');
}

/** Formats the command that writes the same files again, without output folder and time limit. */
function formatCommand(args: GenerateArguments): string {
  const options: readonly (readonly [string, string | number | null])[] = [
    ['--coverage', args.coverage],
    ['--strength', args.strength],
    ['--mode', args.mode],
    ['--masking-free', args.maskingFree ? '' : null],
    ['--random-steps', args.randomSteps],
    ['--seed', args.seed],
    ['--distinguish', args.distinguish],
    ['--max-length', args.maxLength],
    ['--snooze-days', args.snoozeDays.length === 0 ? null : args.snoozeDays.join(',')],
  ];
  const named = options.flatMap(([flag, value]) =>
    value === null ? [] : value === '' ? [flag] : [flag, String(value)],
  );
  return shellLine('nudgelab', ['generate', ...args.operands, ...named]);
}
