import { basename, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import { type EligibilityReport, exploreEligibility } from '../../generate/exploration/eligibility.ts';
import {
  type ExplorationReport,
  exploreModel,
  exploreProduct,
  models,
  products,
} from '../../generate/exploration/explorations.ts';
import { givenModel } from '../../generate/exploration/given-model.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { loadUserModule } from '../user-module.ts';
import { eligibilityName, eligibilityText } from './eligibility-report.ts';
import type { ExploreArguments } from './explore-options.ts';

interface TimedEligibility extends EligibilityReport {
  /** Elapsed time of all rulesets together, in milliseconds. */
  readonly elapsedMs: number;
}

interface TimedReport extends ExplorationReport {
  readonly elapsedMs: number;
}

/**
 * Explores the named state machines, or all of them. Returns 1 if an invariant is violated. Throws `usage-invalid`
 * for an unknown name, `config-invalid` for a module that exports no machine, and any error of `explore`.
 */
export async function exploreMachines(args: ExploreArguments, context: CommandContext): Promise<ExitCode> {
  const names = args.operands.length > 0 ? args.operands : [...models.keys(), ...products.keys()];
  const reports: TimedReport[] = [];
  const eligibility: readonly EligibilityReport[] = names.includes(eligibilityName)
    ? reportEligibility(args, context)
    : [];
  for (const name of names.filter((one) => one !== eligibilityName)) {
    const elapsed = context.clock.stopwatch();
    const report = await exploreNamed(name, args.maxStates, context.cwd);
    reports.push({ ...report, elapsedMs: Math.round(elapsed()) });
  }
  const holds =
    reports.every(({ violations }) => violations.length === 0) && eligibility.every(({ differing }) => differing === 0);
  const combined = eligibility.length === 0 ? {} : { eligibility };
  const palette = paletteFor(context.stdout, context, args.color);
  if (args.json) printJson(context.stdout, { holds, machines: reports, ...combined });
  else for (const report of reports) print(context.stdout, report, (visible) => formatReport(visible, palette));
  return holds ? 0 : 1;
}

/** Evaluates all eligibility combinations and prints them as text unless JSON is requested. */
function reportEligibility(args: ExploreArguments, context: CommandContext): readonly TimedEligibility[] {
  const elapsed = context.clock.stopwatch();
  const found = exploreEligibility();
  const elapsedMs = Math.round(elapsed());
  const palette = paletteFor(context.stdout, context, args.color);
  if (!args.json) {
    for (const report of found)
      print(context.stdout, report, (visible) => eligibilityText(visible, elapsedMs, palette));
  }
  return found.map((report) => ({ ...report, elapsedMs }));
}

async function exploreNamed(name: string, limit: number | null, cwd: string): Promise<ExplorationReport> {
  const bound = limit === null ? {} : { limitStates: limit };
  const product = products.get(name)?.();
  if (product !== undefined) return exploreProduct(product, limit ?? undefined);
  const model = models.get(name)?.() ?? (await modelOfModule(name, cwd));
  return exploreModel({ ...model, ...bound });
}

async function modelOfModule(path: string, cwd: string) {
  if (!/[./\\]/.test(path)) {
    const known = [...models.keys(), ...products.keys(), eligibilityName];
    const allowed = `Use ${known.join(', ')}, or the path of a module${suggestName(path, known)}`;
    throw new NudgeLabError('usage-invalid', { message: endSentence(`"${path}" is not a machine. ${allowed}`) });
  }
  return givenModel(basename(path), await loadUserModule(resolve(cwd, path)));
}

function formatReport(report: TimedReport, { strong, good, bad, faint }: ReturnType<typeof paletteFor>): string {
  const { machine, states, edges, events, invariants, violations, elapsedMs } = report;
  const lines = [
    `${strong(machine)}: ${states} states, ${edges} edges, ${events} events, ${faint(`${elapsedMs} ms`)}`,
    ...invariants.map(
      ({ id, sentence, holds }) => `  ${holds ? good('holds   ') : bad('VIOLATED')} ${id}: ${sentence}`,
    ),
    ...violations.flatMap(({ id, path }) => [
      `  Shortest counterexample for ${id}, ${path.length} events:`,
      ...path.map((event, index) => `    ${index + 1}. ${typeof event === 'string' ? event : JSON.stringify(event)}`),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
