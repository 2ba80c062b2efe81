import { computeScore, type MutationScore, scoresBy } from '../../generate/mutate/mutation-score.ts';
import type { MutantResult, MutationResults } from '../../generate/mutate/mutation-test.ts';
import type { paletteFor } from '../palette.ts';

/** Results of a mutation measurement, with the files written for its survivors by name. */
export interface MutationReport extends MutationResults {
  readonly files: ReadonlyMap<string, string>;
  readonly elapsedMs: number;
}

/** Maximum number of survivors whose journeys are printed. The JSON contains all of them. */
const shownMax = 40;

/** Converts the report to JSON. Everything except the elapsed time is identical in every run. */
export function mutationJson({
  results,
  scenarios,
  failing,
  skipped,
  complete,
  files,
  elapsedMs,
}: MutationReport): object {
  return {
    complete,
    scenarios,
    failing,
    skipped,
    summary: computeScore(results),
    byRule: scoresBy(results, ({ mutant }) => mutant.rules),
    byOperator: scoresBy(results, ({ mutant }) => [mutant.operator]),
    mutants: results.map(({ mutant, verdict, kill, killer, message }) => ({
      id: mutant.id,
      operator: mutant.operator,
      place: mutant.place,
      rules: mutant.rules,
      verdict,
      ...(kill === null ? {} : { kill }),
      ...(killer === null ? {} : { killer }),
      ...(files.has(mutant.id) ? { file: files.get(mutant.id) } : {}),
      ...(message === null ? {} : { message }),
    })),
    elapsedMs,
  };
}

/** Formats the report as text: survivors with the journeys that kill them, then the scores. */
export function mutationText(report: MutationReport, palette: ReturnType<typeof paletteFor>): string {
  const { results, scenarios, failing, skipped, complete, files, elapsedMs } = report;
  const { strong, bad, faint } = palette;
  const open = results.filter(({ verdict }) => verdict === 'survived' || verdict === 'undecided');
  const total = computeScore(results);
  const lines = [
    ...open.slice(0, shownMax).flatMap((result) => [...survivor(result, palette), ...formatFile(result, files)]),
    ...(open.length > shownMax ? [faint(`and ${open.length - shownMax} more; --json prints all of them`), ''] : []),
    ...failing.map((id) => bad(`fails on the model itself, so it cannot kill mutants: ${id}`)),
    ...skipped.map((id) => faint(`needs another driver than the model, so it cannot kill mutants: ${id}`)),
    strong('By operator'),
    ...scoresBy(results, ({ mutant }) => [mutant.operator]).map(scoreLine),
    strong('By rule'),
    ...scoresBy(results, ({ mutant }) => mutant.rules).map(scoreLine),
    '',
    `${strong(`mutation score ${percent(total)}`)}: ${formatCounts(total)}; ${scenarios} scenarios, ${elapsedMs} ms`,
    ...(complete ? [] : [bad('incomplete: the time limit was reached before all mutants were classified')]),
  ];
  return `${lines.join('\n')}\n`;
}

function survivor(
  { mutant, verdict, killer, message }: MutantResult,
  { bad, faint }: ReturnType<typeof paletteFor>,
): readonly string[] {
  const about = faint(`${mutant.operator}; ${mutant.rules.join(', ')}`);
  const journey = (killer?.steps ?? []).map((step, index) => {
    const { expect, ...verb } = step as typeof step & Readonly<Record<string, unknown>>;
    const seen = index === (killer?.steps.length ?? 0) - 1 ? `  expect ${JSON.stringify(expect)}` : '';
    return `    ${index + 1}. ${JSON.stringify(verb)}${seen}`;
  });
  return [
    `${bad(verdict.toUpperCase())} ${mutant.id}  ${about}`,
    ...(killer === null ? [] : [`  given ${JSON.stringify(killer.given)}, the shortest journey that kills it:`]),
    ...journey,
    ...(message === null ? [] : [`  ${message}`]),
  ];
}

function formatFile({ mutant }: MutantResult, files: ReadonlyMap<string, string>): readonly string[] {
  const file = files.get(mutant.id);
  return file === undefined ? [] : [`  written to ${file}`];
}

function scoreLine(score: MutationScore & { readonly of: string }): string {
  return `  ${score.of.padEnd(26)} ${percent(score).padStart(6)}  ${formatCounts(score)}`;
}

function percent({ score }: MutationScore): string {
  // The score is rounded down, so 100% means all mutants.
  return `${Math.floor(score * 1_000) / 10} %`;
}

function formatCounts({ mutants, killed, survived, equivalent, undecided, notRun }: MutationScore): string {
  const counts = { killed, survived, equivalent, undecided, 'not run': notRun };
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
  return `${mutants} mutants: ${nonZero.map(([name, count]) => `${count} ${name}`).join(', ') || 'none'}`;
}
