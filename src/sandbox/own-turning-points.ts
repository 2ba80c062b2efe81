import { addDuration, dayNumber, dayStart, subtractDuration } from '../../machines/own/calendar.ts';
import { ledgerKeys } from '../../machines/own/ledger.ts';
import { countsSignIns, listAtoms, listConditions } from '../../machines/own/list-conditions.ts';
import type { FactValues } from '../../machines/own/own-facts.ts';
import {
  type Condition,
  type FactDefinition,
  isModuleGate,
  type OwnDuration,
  type OwnRules,
} from '../../machines/own/own-ruleset.ts';
import { endsAtMs, readLedger } from '../../machines/own/own-state.ts';
import { listDefaults } from '../contract/declared-values.ts';
import type { OwnQuestion } from './own-question.ts';

/** Maximum number of times; beyond it, the later ones are left out. */
const timesMax = 10_000;

/** Instants and durations that a verdict can compare with the time of the sign-in. */
interface TimeParts {
  readonly instants: ReadonlySet<number>;
  readonly durations: readonly OwnDuration[];
  readonly zones: readonly string[];
}

/**
 * Lists the later times at which a verdict can change if nothing but the time does: instants of the facts, of the ledger
 * and of the rules, with every duration added and subtracted, and the days around them where days are compared. There are
 * more than are needed, but no other times.
 *
 * @param question - the sign-in
 * @returns the times in ascending order; `isExact` is false if a verdict can change at other times, too
 */
export function listTurningPoints(question: OwnQuestion): {
  readonly times: readonly number[];
  readonly isExact: boolean;
} {
  const { attempt, ruleset } = question;
  const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  const { instants, durations, zones } = collectParts(question, all);
  const shifted = shift([...instants], durations, zones);
  // A deadline is an instant with a duration, which another duration opens.
  const hasDeadline = all.some(({ deadline }) => deadline !== null && deadline.opens !== null);
  const twice = hasDeadline ? shift(shifted, listOpens(question, all), zones) : [];
  const moments = [...instants, ...shifted, ...twice];
  const days = all.some(comparesDays) ? moments.flatMap((atMs) => listDayStarts(atMs, zones)) : [];
  const times = [...new Set([...moments, ...days].flatMap((atMs) => [atMs, atMs + 1]))]
    .filter((atMs) => Number.isSafeInteger(atMs) && atMs > attempt.nowMs)
    .toSorted((a, b) => a - b);
  const readsTime = all.some(({ gates }) =>
    gates.some((gate) => isModuleGate(gate) && gate.reads.includes('attempt.nowMs')),
  );
  // A window of calendar months ends at a time that no sum of its beginning and its length is at the end of a month.
  const hasMonths = durations.some(({ months }) => months > 0);
  const countsMonths = hasMonths && all.some((rules) => listConditions(rules).some(countsSignIns));
  return { times: times.slice(0, timesMax), isExact: !readsTime && !countsMonths && times.length <= timesMax };
}

function shift(
  instants: readonly number[],
  durations: readonly OwnDuration[],
  zones: readonly string[],
): readonly number[] {
  return instants.flatMap((atMs) =>
    durations.flatMap((duration) =>
      zones.flatMap((zone) => [
        addDuration(atMs, duration, { measure: 'elapsed', zone }),
        addDuration(atMs, duration, { measure: 'calendar', zone }),
        subtractDuration(atMs, duration, zone),
      ]),
    ),
  );
}

function listDayStarts(atMs: number, zones: readonly string[]): readonly number[] {
  return zones.flatMap((zone) => [0, 1].map((later) => dayStart(dayNumber(atMs, zone) + later, zone)));
}

function comparesDays({ cadence, deadline }: OwnRules): boolean {
  return cadence.kind === 'daily' || deadline?.measure === 'date';
}

function listOpens(question: OwnQuestion, all: readonly OwnRules[]): readonly OwnDuration[] {
  return all.flatMap(({ deadline }) => {
    const opens = deadline?.opens ?? null;
    if (opens === null) return [];
    if ('constant' in opens) return [opens.constant];
    return listOwnDurations(question, all);
  });
}

function collectParts(question: OwnQuestion, all: readonly OwnRules[]): TimeParts {
  const { ruleset, owner, ledger, snooze, attempt, tenant, user } = question;
  const conditions = all.flatMap(listConditions);
  const keys = [
    ...all.flatMap((rules) => ledgerKeys({ tenant, user, attempt }, rules)),
    ...owner.prompts.flatMap((prompt) => prompt.keys),
  ];
  const entries = readLedger({ ledger }, keys);
  const stored = entries.flatMap(({ snoozedAtMs, answeredAtMs, firstShownAtMs, lastShownAtMs, doneAtMs }) => [
    snoozedAtMs,
    answeredAtMs,
    firstShownAtMs,
    lastShownAtMs,
    doneAtMs,
  ]);
  const ends = owner.prompts.flatMap((prompt) => [prompt.leftAtMs, endsAtMs(ruleset, prompt)]);
  const signIns = conditions.some(countsSignIns) ? owner.signInTimesMs : owner.signInTimesMs.slice(-1);
  const steps = all.flatMap(({ rollout }) => rollout?.steps.map(({ fromMs }) => fromMs) ?? []);
  const editions = ruleset.editions.map(({ fromMs }) => fromMs);
  const numbers = [
    ...listValues(question, all, 'instant'),
    ...all.flatMap(listConstants),
    ...stored,
    ...ends,
    ...signIns,
  ];
  const known = [...numbers, ...steps, ...editions, owner.createdAtMs, snooze?.snoozedAtMs ?? null];
  return {
    instants: new Set(known.filter((atMs) => atMs !== null)),
    durations: uniqueDurations([...all.flatMap(listDurations), ...listOwnDurations(question, all)]),
    zones: [...new Set(['UTC', ...all.flatMap(({ cadence, deadline }) => [cadence.zone, deadline?.zone ?? 'UTC'])])],
  };
}

/** Values of facts and settings of a type, with the defaults of settings and those that variants of the rollout set. */
function listValues(
  { ruleset: { facts }, tenant, user, attempt }: OwnQuestion,
  all: readonly OwnRules[],
  type: 'instant' | 'duration',
): readonly number[] {
  const groups: readonly (readonly [Readonly<Record<string, FactDefinition>>, FactValues])[] = [
    [facts.tenant, tenant.facts],
    [facts.user, user.facts],
    [facts.attempt, attempt.facts],
    ...all.flatMap(({ settings, rollout }) =>
      [tenant.settings, listDefaults(settings), ...(rollout?.variants ?? []).map((variant) => variant.settings)].map(
        (values) => [settings, values] as const,
      ),
    ),
  ];
  return groups.flatMap(([definitions, values]) =>
    Object.entries(definitions).flatMap(([name, definition]) => {
      const value = values[name];
      return definition.type === type && typeof value === 'number' ? [value] : [];
    }),
  );
}

function listOwnDurations(question: OwnQuestion, all: readonly OwnRules[]): readonly OwnDuration[] {
  return listValues(question, all, 'duration').map((ms) => ({ ms, months: 0 }));
}

/** Numbers that conditions and deadlines compare with: some are instants, and others do no harm. */
function listConstants(rules: OwnRules): readonly number[] {
  const ofAtoms = listConditions(rules)
    .flatMap(listAtoms)
    .flatMap(({ value }) =>
      value !== null && 'constant' in value && typeof value.constant === 'number' ? [value.constant] : [],
    );
  const ends = (rules.deadline?.ends ?? []).flatMap((end) => {
    const at = 'at' in end ? end.at : typeof end.since === 'object' ? end.since : null;
    return at !== null && 'constant' in at && typeof at.constant === 'number' ? [at.constant] : [];
  });
  return [...ofAtoms, ...ends];
}

function listDurations(rules: OwnRules): readonly OwnDuration[] {
  const { cadence, answers, deadline } = rules;
  const ofAtoms = listConditions(rules)
    .flatMap(listAtoms)
    .map(({ value }) => value);
  const windows = listConditions(rules).flatMap(listWindows);
  const ofAnswers = Object.values(answers).map((answer) => answer.for);
  const ofDeadline = [
    deadline?.opens ?? null,
    ...(deadline?.ends ?? []).map((end) => ('after' in end ? end.after : null)),
  ];
  return [...ofAtoms, ...windows, ...cadence.durations, ...ofAnswers, ...ofDeadline].flatMap((operand) => {
    const constant: unknown = operand !== null && 'constant' in operand ? operand.constant : null;
    return isDuration(constant) ? [constant] : [];
  });
}

function listWindows(condition: Condition): readonly { readonly constant?: OwnDuration }[] {
  if ('all' in condition) return condition.all.flatMap(listWindows);
  if ('any' in condition) return condition.any.flatMap(listWindows);
  if ('not' in condition) return listWindows(condition.not);
  return 'signIns' in condition ? [condition.signIns.within as { readonly constant?: OwnDuration }] : [];
}

function isDuration(value: unknown): value is OwnDuration {
  return typeof value === 'object' && value !== null && 'ms' in value && 'months' in value;
}

function uniqueDurations(durations: readonly OwnDuration[]): readonly OwnDuration[] {
  return [...new Map(durations.map((one) => [`${one.ms} ${one.months}`, one])).values()];
}
