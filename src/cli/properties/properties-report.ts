import { formatCount } from '../../core/format-count.ts';
import type { CounterexampleStep, PropertyResult } from '../../properties/check/check-properties.ts';
import type { CommandContext } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print } from '../print.ts';
import type { PropertiesArguments } from './properties-options.ts';

/** Results of the properties of one machine. */
export interface MachineResults {
  readonly machine: string;
  readonly results: readonly PropertyResult[];
  readonly elapsedMs: number;
}

type Palette = ReturnType<typeof paletteFor>;

/** Names that the properties of a machine can use. */
interface ModelNames {
  readonly machine: string;
  readonly facts: readonly string[];
  readonly events: readonly string[];
  readonly actions: readonly string[];
}

/** Prints the results as text. `files` has the scenario of each counterexample by the id of its property. */
export function printResults(
  machines: readonly MachineResults[],
  files: ReadonlyMap<string, string>,
  { color, out }: PropertiesArguments,
  context: CommandContext,
): void {
  const palette = paletteFor(context.stdout, context, color);
  for (const machine of machines) {
    const visible = { ...machine, files: Object.fromEntries(files) };
    print(context.stdout, visible, (escaped) => machineLines(escaped, out !== null, palette));
  }
}

/** Prints the names that the properties of a machine can use. */
export function printNames(names: ModelNames, { color }: PropertiesArguments, context: CommandContext): void {
  const { strong } = paletteFor(context.stdout, context, color);
  print(context.stdout, names, ({ machine, facts, events, actions }) => [
    strong(machine),
    ...listLines('Facts', facts),
    ...listLines('Events', events),
    ...listLines('Actions', actions),
  ]);
}

function listLines(title: string, names: readonly string[]): readonly string[] {
  return [`${title}:`, ...names.map((name) => `  ${name}`)];
}

function machineLines(
  { machine, results, elapsedMs, files }: MachineResults & { readonly files: Readonly<Record<string, string>> },
  writes: boolean,
  palette: Palette,
): readonly string[] {
  const { strong, faint } = palette;
  const [first] = results;
  const size = `${formatCount(first?.states ?? 0, 'state')}, ${formatCount(first?.steps ?? 0, 'step')}`;
  return [
    `${strong(machine)}: ${size}, ${faint(`${elapsedMs} ms`)}`,
    ...results.flatMap((result) => resultLines(result, { file: files[result.id] ?? null, writes }, palette)),
  ];
}

const verdictWidth = 8;

function resultLines(
  result: PropertyResult,
  { file, writes }: { readonly file: string | null; readonly writes: boolean },
  palette: Palette,
): readonly string[] {
  const { id, title, covers, verdict, counterexample } = result;
  const { good, bad } = palette;
  const word = verdict === 'proven' ? good(verdict.padEnd(verdictWidth)) : bad(verdict.toUpperCase());
  const rules = covers.length === 0 ? '' : ` (${covers.join(', ')})`;
  return [
    `  ${word} ${id}: ${title}${rules}`,
    ...(verdict === 'vacuous' ? ['    None of its conditions ever occurs, so it states nothing.'] : []),
    ...(counterexample === null ? [] : pathLines(counterexample, palette)),
    ...(file === null ? [] : [`    Run it with: nudgelab run ${file}`]),
    ...(writes && counterexample !== null && file === null
      ? ['    No driver can run these steps, so no scenario was written.']
      : []),
  ];
}

function pathLines(
  { steps, cycleFrom, start }: NonNullable<PropertyResult['counterexample']>,
  { faint }: Palette,
): readonly string[] {
  const stem = cycleFrom ?? steps.length;
  const what =
    cycleFrom === null
      ? `Shortest counterexample, ${formatCount(steps.length, 'step')}:`
      : `Counterexample with the shortest stem, ${formatCount(stem, 'step')}, then ${formatCount(steps.length - stem, 'step')} forever:`;
  return [
    `    ${what}`,
    `      start ${faint(formatFacts(start))}`,
    ...steps.map(
      (step, at) => `      ${at < stem ? `${at + 1}.` : `${at + 1}. again and again:`} ${stepLine(step, faint)}`,
    ),
  ];
}

function stepLine({ action, facts }: CounterexampleStep, faint: Palette['faint']): string {
  return `${action} ${faint(formatFacts(facts))}`;
}

function formatFacts(facts: CounterexampleStep['facts']): string {
  return `(${Object.entries(facts)
    .map(([name, value]) => `${name} ${value ?? 'none'}`)
    .join(', ')})`;
}
