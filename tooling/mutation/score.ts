import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedMutant, MutantOutcome } from './mutants.ts';

/**
 * Accepted survivor with the reason. It is identified by its code, so the entry remains valid if the code moves.
 */
export interface AcceptedSurvivor {
  readonly file: string;
  readonly operator: string;
  readonly code: string;
  readonly replacement: string;
  /**
   * Type of acceptance. An `equivalent` mutant behaves like the original and is not counted. An `accepted` mutant
   * counts as a survivor but is not reported as new.
   */
  readonly kind: 'equivalent' | 'accepted';
  readonly reason: string;
}

/** Result of one module. */
export interface ModuleScore {
  readonly path: string;
  readonly mutants: number;
  readonly sample: number;
  readonly seed: number | null;
  readonly killed: number;
  /**
   * Mutants that timed out. They are listed for review, because on a busy machine a timeout does not always mean an
   * infinite loop.
   */
  readonly timedOut: readonly MutantOutcome[];
  readonly equivalent: number;
  readonly accepted: number;
  readonly survived: readonly MutantOutcome[];
  /** Killed share of the mutants that are not equivalent, in percent. */
  readonly score: number;
}

const begin = '<!-- scores: begin -->';
const end = '<!-- scores: end -->';

/** Accepted survivors from `tooling/mutation/accepted-survivors.json`. */
export const acceptedSurvivors = JSON.parse(
  readFileSync(join(import.meta.dirname, 'accepted-survivors.json'), 'utf8'),
) as readonly AcceptedSurvivor[];

/** Returns the entry that accepts a mutant; `null` if there is none. */
function acceptanceFor(mutant: ListedMutant): AcceptedSurvivor | null {
  return (
    acceptedSurvivors.find(
      ({ file, operator, code, replacement }) =>
        file === mutant.file &&
        operator === mutant.operator &&
        code === mutant.code &&
        replacement === mutant.replacement,
    ) ?? null
  );
}

/**
 * Computes the score of a module. `mutants` is the number of all mutants, and the outcomes are those of the sample.
 */
export function scoreModule(
  path: string,
  mutants: number,
  seed: number | null,
  outcomes: readonly MutantOutcome[],
): ModuleScore {
  const alive = outcomes.filter(({ status }) => status === 'survived' || status === 'not-covered');
  const kinds = Map.groupBy(alive, ({ mutant }) => acceptanceFor(mutant)?.kind ?? 'survived');
  const equivalent = kinds.get('equivalent')?.length ?? 0;
  const sample = outcomes.length;
  const dead = sample - alive.length;
  const timedOut = outcomes.filter(({ status }) => status === 'timed-out');
  return {
    path,
    mutants,
    sample,
    seed,
    killed: dead - timedOut.length,
    timedOut,
    equivalent,
    accepted: kinds.get('accepted')?.length ?? 0,
    survived: kinds.get('survived') ?? [],
    score: sample === equivalent ? 100 : (100 * dead) / (sample - equivalent),
  };
}

/** Notes that follow the mutation operator in the report, by status. */
const notes: Readonly<Record<MutantOutcome['status'], string>> = {
  killed: '',
  broken: '',
  survived: '',
  'timed-out': ', timed out',
  'not-covered': ', not covered by any test',
};

/**
 * Formats the result for a terminal: the score, and the file and line of each survivor and each mutant that timed
 * out.
 */
export function scoreText(score: ModuleScore): string {
  const { path, mutants, sample, seed, killed, timedOut, equivalent, accepted, survived } = score;
  const drawn = seed === null ? `all ${mutants} mutants` : `${sample} of ${mutants} mutants, random seed ${seed}`;
  return [
    ...[...timedOut, ...survived].flatMap(({ mutant, status }) => [
      `${mutant.file}:${mutant.line} ${mutant.operator}${notes[status]}`,
      `  - ${shortened(mutant.code)}`,
      `  + ${shortened(mutant.replacement)}`,
    ]),
    `${path}: ${score.score.toFixed(1)}% (${drawn}): ${killed} killed, ${timedOut.length} timed out, ${survived.length} survived,` +
      ` ${accepted} accepted, ${equivalent} equivalent`,
  ].join('\n');
}

/** Writes the rows of these scores to docs/mutation-testing.md. Rows of other modules are kept. */
export function writeScores(
  root: string,
  scores: readonly ModuleScore[],
  order: readonly string[],
  today: string,
): void {
  const file = join(root, 'docs', 'mutation-testing.md');
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new RangeError(`${file} has no markers for the scores.`);
  const rows = new Map(
    text
      .slice(from, to)
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => [line.split('`')[1] ?? '', line]),
  );
  for (const score of scores) rows.set(score.path, row(score, today));
  const table = [
    begin,
    '| Module | Mutants | Sample | Random seed | Killed | Timed out | Survived | Equivalent | Score | Date |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...order.flatMap((path) => rows.get(path) ?? []),
  ];
  writeFileSync(file, `${text.slice(0, from)}${table.join('\n')}\n${text.slice(to)}`);
}

function row(score: ModuleScore, today: string): string {
  const { path, mutants, sample, seed, killed, timedOut, survived, accepted, equivalent } = score;
  const cells = [
    `\`${path}\``,
    mutants.toLocaleString('en-US'),
    sample.toLocaleString('en-US'),
    seed ?? '–',
    killed,
    timedOut.length,
    survived.length + accepted,
    equivalent,
    `${score.score.toFixed(1)}%`,
    today,
  ];
  return `| ${cells.join(' | ')} |`;
}

const shownCharacters = 160;

function shortened(code: string): string {
  return code.length > shownCharacters ? `${code.slice(0, shownCharacters)}…` : code;
}
