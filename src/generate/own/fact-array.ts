import { listAtoms, listConditions } from '../../../machines/own/list-conditions.ts';
import {
  type DurationOperand,
  type FactValue,
  isDataGate,
  isModuleGate,
  type OwnRuleset,
} from '../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Json, TestRow } from '../covering-arrays/array-options.ts';
import type { CombineOptions } from '../covering-arrays/array-suite.ts';
import { coveringArray } from '../covering-arrays/covering-array.ts';
import type { WrittenArray } from '../write/array-csv.ts';
import { refuseUnsampled } from './class-walk.ts';
import { type Assignment, type JourneyStep, type OwnJourney, observeJourney, writeSignIn } from './own-journey.ts';
import { allRules, listFactors, type SpaceFactor } from './own-space.ts';
import type { OwnSuite } from './ruleset-tours.ts';
import { findPrompting } from './walk-starts.ts';

/** Name of the parameter that says how long before the sign-in the account was created. */
const ageName = 'wait';
/** Name of the parameter that says when the sign-in is, for rulesets with editions. */
const timeName = 'time';

/**
 * Generates sign-ins that cover every combination of values of the facts and settings of a ruleset (OC49). They begin
 * with one for each reason and outcome that one value away from a prompt shows.
 *
 * @throws NotCompiled `RC1` for a module without samples, and the errors of `coveringArray`
 */
export function rulesetArray(
  ruleset: OwnRuleset,
  options: CombineOptions,
): OwnSuite & { readonly array: WrittenArray } {
  refuseUnsampled(ruleset);
  const declared = listFactors(ruleset).filter(({ values }) => values.length > 1);
  const factors = [
    ...listTimeFactors(ruleset),
    ...declared.map(({ path, values }) => ({ name: path, values: values as readonly Json[] })),
  ];
  if (factors.length === 0) {
    throw new NudgeLabError('usage-invalid', { message: `The ruleset ${ruleset.id} depends on no facts or settings.` });
  }
  const strength = Math.min(options.strength ?? 2, factors.length);
  const seeds = listSeeds(ruleset, declared, factors);
  const array = coveringArray({ ...options, strength, factors, seeds });
  const title = `${ruleset.id} combinations, strength ${strength}`;
  const digits = String(array.size).length;
  const shown = new Set<string>();
  const journeys = array.rows.map((row, index): OwnJourney => {
    const journey = toJourney(ruleset, row);
    const result = showResult(ruleset, journey);
    shown.add(result);
    return {
      ...journey,
      name: `${title}, sign-in ${String(index + 1).padStart(digits, '0')} of ${array.size}: ${result}`,
    };
  });
  const names = factors.map(({ name }) => name);
  const { size, lowerBound, covered, complete } = array;
  return {
    title,
    journeys,
    array: { factors: names, rows: array.rows.map((row) => names.map((name) => row[name])) },
    sizeProof: {
      of: `combinations of ${strength} values`,
      covered,
      unreachable: [],
      omitted: listReasons(ruleset).filter((reason) => !shown.has(reason)),
      tests: size,
      steps: journeys.reduce((sum, { steps }) => sum + steps.length, 0),
      cost: size,
      lowerBound,
      gap: size - lowerBound,
      complete,
    },
  };
}

type Factor = { readonly name: string; readonly values: readonly Json[] };

/** Lists the editions, and the ages of an account that a rule compares with. */
function listTimeFactors(ruleset: OwnRuleset): readonly Factor[] {
  const { editions } = ruleset;
  const times =
    editions.length === 0 ? [] : [{ name: timeName, values: [null, ...editions.map(({ fromMs }) => fromMs)] }];
  const ages = listAges(ruleset);
  return [...times, ...(ages.length === 0 ? [] : [{ name: ageName, values: [0, ...ages] }])];
}

function listAges(ruleset: OwnRuleset): readonly number[] {
  const ages = new Set<number>();
  for (const rules of allRules(ruleset)) {
    const findDuration = (operand: DurationOperand): number | null => {
      if ('constant' in operand) return operand.constant.ms;
      const value = 'setting' in operand ? rules.settings[operand.setting]?.default : null;
      return typeof value === 'number' ? value : null;
    };
    const atoms = listConditions(rules)
      .flatMap(listAtoms)
      .filter(({ fact, operator }) => fact === 'kept.createdAt' && operator.toLowerCase().includes('old'));
    const ends = rules.deadline?.ends ?? [];
    const operands = [
      ...atoms.map(({ value }) => value as DurationOperand),
      ...ends.flatMap((end) => ('since' in end && end.since === 'created' ? [end.after] : [])),
    ];
    for (const operand of operands) {
      const ms = findDuration(operand) ?? 0;
      if (ms > 0) for (const age of [ms - 1, ms, ms + 1]) ages.add(age);
    }
  }
  return [...ages];
}

/** Lists one row that prompts, and for each other result one that is a single value away from it. */
function listSeeds(
  ruleset: OwnRuleset,
  declared: readonly SpaceFactor[],
  factors: readonly Factor[],
): readonly TestRow[] {
  const base = findPrompting(ruleset, declared);
  const usual: Record<string, Json> = {};
  for (const { name, values } of factors) {
    const value = JSON.stringify(base.has(name) ? base.get(name) : findDefault(ruleset, name));
    usual[name] = values.find((one) => JSON.stringify(one) === value) ?? values[0] ?? null;
  }
  const longest = factors.find(({ name }) => name === ageName)?.values.at(-1);
  const starts = [usual, ...(longest === undefined ? [] : [{ ...usual, [ageName]: longest }])];
  const rows = starts.flatMap((start) => [
    start,
    ...factors.flatMap(({ name, values }) => values.map((value) => ({ ...start, [name]: value }))),
  ]);
  const seen = new Set<string>();
  return rows.filter((row) => {
    const result = showResult(ruleset, toJourney(ruleset, row));
    if (seen.has(result)) return false;
    seen.add(result);
    return true;
  });
}

function findDefault({ facts, first }: OwnRuleset, path: string): FactValue | undefined {
  const [owner = '', group = '', name = ''] = path.split('.');
  if (group === 'settings') return first.settings[name]?.default;
  return group === 'facts' ? facts[owner as keyof typeof facts][name]?.default : undefined;
}

function toJourney(ruleset: OwnRuleset, row: TestRow): OwnJourney {
  const values: Assignment = new Map(
    Object.entries(row).flatMap(([path, value]) =>
      path === ageName || path === timeName ? [] : [[path, value as FactValue] as const],
    ),
  );
  const [time, age] = [row[timeName], row[ageName]];
  const steps: readonly JourneyStep[] = [
    ...(typeof time === 'number' ? [{ setClock: toInstant(time) }] : []),
    ...(typeof age === 'number' && age > 0 ? [{ advance: { ms: age } }] : []),
    writeSignIn(ruleset, new Map([...values].filter(([path]) => path.startsWith('attempt.')))),
  ];
  const given = new Map([...values].filter(([path]) => !path.startsWith('attempt.')));
  return { name: 'sign-in', given, steps };
}

/** Returns the reason or the outcome of the sign-in of a journey, or the message of an error. */
function showResult(ruleset: OwnRuleset, journey: OwnJourney): string {
  const { reason, outcome, error } = observeJourney(ruleset, journey).at(-1) ?? {};
  return String(outcome === 'none' ? reason : (outcome ?? error));
}

/** Lists the reasons that the gates of a ruleset can give at a first sign-in. */
function listReasons(ruleset: OwnRuleset): readonly string[] {
  return [
    ...new Set(
      allRules(ruleset).flatMap(({ gates }) => [
        ...gates.filter(isDataGate).map(({ stop }) => stop),
        ...gates.filter(isModuleGate).flatMap(({ reasons }) => Object.keys(reasons)),
      ]),
    ),
  ];
}
