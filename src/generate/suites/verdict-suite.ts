import { rules as gates, getRule } from '../../../machines/rules/rule-registry.ts';
import type { GateId, RuleResult, Verdict } from '../../../machines/vocabulary.ts';
import { assumptions } from '../../contract/assumptions.ts';
import type { Observation } from '../../contract/coverage-evidence.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import type { Confirmed } from '../criteria/covered-points.ts';
import { cheapestCover } from '../criteria/set-cover.ts';
import { ClassIndex } from '../exploration/class-index.ts';
import type { Journey } from '../journey.ts';
import { rowUserId, type VerdictRow, verdictRows } from '../models/verdict-rows.ts';

/** What a suite of single sign-ins is to show. */
export interface VerdictCriteria {
  /** What the suite is called. */
  readonly what: string;
  /** Names of all that is wanted. */
  readonly wanted: readonly string[];
  /** The names of what one verdict shows. */
  readonly shownBy: (verdict: Verdict) => readonly string[];
  /** Names of which one verdict shows one at most, so that each takes a sign-in of its own. */
  readonly exclusive: readonly string[];
}

/** Sign-ins, each a journey of one step, that show all that can be shown. */
export interface VerdictSuite {
  readonly journeys: readonly Journey[];
  /** What each journey shows, by names. */
  readonly shown: readonly (readonly string[])[];
  readonly rows: readonly VerdictRow[];
  /** What no sign-in that was tried shows. */
  readonly unreachable: readonly string[];
  /** Fewer sign-ins cannot show it, whichever they are. */
  readonly lowerBound: number;
  /** Fewer of the sign-ins that were tried cannot. */
  readonly lowerBoundOfTried: number;
}

/** Costs are counted in these, so that among suites of as many sign-ins one with fewer differences is taken. */
const scale = 1_000;

/** The fewest sign-ins of those that `verdictRows` lists that show what is wanted. */
export function verdictSuite({ what, wanted, shownBy, exclusive }: VerdictCriteria): VerdictSuite {
  const numbers = new Map(wanted.map((name, number) => [name, number]));
  const kinds = new Map<string, { readonly row: VerdictRow; readonly covers: readonly number[] }>();
  for (const row of verdictRows(2)) {
    const covers = [...new Set(shownBy(row.verdict))]
      .flatMap((name) => numbers.get(name) ?? [])
      .toSorted((a, b) => a - b);
    const known = kinds.get(covers.join());
    if (covers.length > 0 && (known === undefined || row.differences < known.row.differences)) {
      kinds.set(covers.join(), { row, covers });
    }
  }
  const tried = [...kinds.values()];
  const index = new ClassIndex();
  for (const { covers } of tried) for (const number of covers) index.numberOf(number);
  const choices = tried.map(({ row, covers }) => ({
    cost: scale + row.differences,
    covers: covers.map((number) => index.numberOf(number)),
  }));
  const { chosen, lowerBound } = cheapestCover(index.values.length, choices);
  const reachable = new Set(index.values);
  const rows = chosen.map((number) => tried[number] as (typeof tried)[number]);
  const shown = rows.map(({ covers }) => covers.map((number) => wanted[number] as string));
  return {
    journeys: rows.map(({ row }, place) => journeyOf(row, what, [place + 1, rows.length], shown[place] ?? [])),
    shown,
    rows: rows.map(({ row }) => row),
    unreachable: wanted.filter((_, number) => !reachable.has(number)),
    lowerBound: exclusive.filter((name) => reachable.has(numbers.get(name))).length,
    lowerBoundOfTried: Math.floor(lowerBound / scale),
  };
}

function journeyOf(
  row: VerdictRow,
  what: string,
  [number, count]: readonly [number, number],
  shown: readonly string[],
): Journey {
  const { verdict } = row;
  const first = verdict.rules.find(({ outcome }) => outcome === 'stopped');
  // A gate that stops says more of what is assumed of it than those that let the sign-in pass.
  const seen = first === undefined ? shown : shown.filter((name) => name.endsWith(' stopped'));
  const digits = String(count).length;
  const ends = first === undefined ? `${verdict.outcome} prompt` : `${verdict.reason} by ${first.id}`;
  return {
    name: `${what}, sign-in ${String(number).padStart(digits, '0')} of ${count}: ${ends}`,
    covers: [
      ...listGateRules(first === undefined ? metBy(verdict) : [first.id]),
      ...assumptions.filter(({ id }) => seen.some((name) => name.startsWith(`${id} by `))).map(({ id }) => id),
    ],
    tags: ['generated', 'verdict'],
    ruleset: row.ruleset,
    given: { tenant: { ...row.tenant }, users: { [rowUserId]: { ...row.user } } },
    steps: [{ signIn: { user: rowUserId, ...row.attempt } }],
  };
}

function metBy({ rules }: Verdict): readonly GateId[] {
  return rules.filter(({ outcome }) => outcome === 'met').map(({ id }) => id);
}

/** The rules that gates evaluate, in the order of the catalogue. */
export function listGateRules(ids: readonly GateId[]): readonly string[] {
  return ruleCatalogue.filter(({ gate }) => gate !== undefined && ids.includes(gate)).map(({ id }) => id);
}

/** What a gate said, as a goal: a stop counts where it is the primary reason. `null` for a stop that is not. */
function outcomeOf(trace: RuleResult, first: RuleResult | undefined): string | null {
  if (trace.outcome !== 'stopped') return `${trace.id} ${trace.outcome}`;
  return trace === first ? `${trace.id} stopped: ${trace.reason}` : null;
}

const stops = gates.flatMap(({ id, reasons }) => reasons.map((reason) => `${id} stopped: ${reason}`));

/** Each outcome of each gate: met, stopped with each of its reasons as the primary one, and set aside where that can be. */
export const listGateOutcomeItems: VerdictCriteria = {
  what: 'Rules',
  wanted: [
    ...gates.flatMap(({ id, appliesTo }) => [`${id} met`, ...(appliesTo === 'both' ? [] : [`${id} not-applicable`])]),
    ...stops,
  ],
  shownBy: ({ rules }) => {
    const first = rules.find(({ outcome }) => outcome === 'stopped');
    return rules.flatMap((trace) => outcomeOf(trace, first) ?? []);
  },
  exclusive: stops,
};

const reasons = [...new Set(gates.flatMap((gate) => gate.reasons))];

/** Each reason as the primary one, and both sorts of prompt. */
export const listReasonItems: VerdictCriteria = {
  what: 'Reasons',
  wanted: [...reasons, 'skippable', 'required'],
  shownBy: ({ reason, outcome }) => [reason ?? outcome],
  exclusive: [...reasons, 'skippable', 'required'],
};

/**
 * Assumptions by what of a verdict shows them: each gate as met and as the first to stop, and each outcome. A gate that has no
 * reason to stop is met alone. Takes the assumptions.
 */
export function listAssumptionItems(entries: readonly Confirmed[]): VerdictCriteria {
  const points = entries.flatMap(({ id, confirmedBy }) => confirmedBy.flatMap((one) => verdictPoints(id, one)));
  return {
    what: 'Assumptions',
    wanted: points.map(({ name }) => name),
    shownBy: (verdict) => points.filter(({ isShown }) => isShown(verdict)).map(({ name }) => name),
    // A verdict has one outcome, and one gate that stops first.
    exclusive: [
      ...new Map(points.flatMap(({ ending, name }) => (ending === null ? [] : [[ending, name] as const]))).values(),
    ],
  };
}

interface VerdictPoint {
  readonly name: string;
  /** What a verdict can end in but once: an outcome with a prompt, or the gate that stopped first. */
  readonly ending: string | null;
  readonly isShown: (verdict: Verdict) => boolean;
}

function verdictPoints(id: string, observation: Observation): readonly VerdictPoint[] {
  if (observation.kind === 'verdict') {
    const { outcome } = observation;
    return [
      { name: `${id} by a ${outcome} prompt`, ending: outcome, isShown: (verdict) => verdict.outcome === outcome },
    ];
  }
  if (observation.kind !== 'gate') return [];
  const { gate } = observation;
  const met = {
    name: `${id} by ${gate} met`,
    ending: null,
    isShown: ({ rules }: Verdict) => rules.some((one) => one.id === gate && one.outcome === 'met'),
  };
  const stopped = {
    name: `${id} by ${gate} stopped`,
    ending: gate,
    isShown: ({ rules }: Verdict) => rules.find(({ outcome }) => outcome === 'stopped')?.id === gate,
  };
  return getRule(gate).reasons.length === 0 ? [met] : [met, stopped];
}
