import { rules as gates, getRule } from '../../../machines/rules/rule-registry.ts';
import type { RuleId, RuleResult, Verdict } from '../../../machines/vocabulary.ts';
import { assumptions } from '../../contract/assumptions.ts';
import type { Observation } from '../../contract/coverage-evidence.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import type { Confirmed } from '../criteria/covered-points.ts';
import { cheapestCover } from '../criteria/set-cover.ts';
import { ClassIndex } from '../exploration/class-index.ts';
import type { Journey } from '../journey.ts';
import { rowUserId, type VerdictRow, verdictRows } from '../models/verdict-rows.ts';

/** Coverage items of a suite of single sign-ins. */
export interface VerdictCriteria {
  /** Name of the suite. */
  readonly what: string;
  /** Names of all coverage items. */
  readonly wanted: readonly string[];
  /** Returns the names of the items that a verdict demonstrates. */
  readonly shownBy: (verdict: Verdict) => readonly string[];
  /**
   * Names of mutually exclusive items: a verdict demonstrates at most one of them, so each needs a separate sign-in.
   */
  readonly exclusive: readonly string[];
}

/** Sign-ins, each a journey of one step, that demonstrate all reachable items. */
export interface VerdictSuite {
  readonly journeys: readonly Journey[];
  /** Names of the items that each journey demonstrates. */
  readonly shown: readonly (readonly string[])[];
  readonly rows: readonly VerdictRow[];
  /** Items that no candidate sign-in demonstrates. */
  readonly unreachable: readonly string[];
  /** Lower bound on the number of any sign-ins that demonstrate the same items. */
  readonly lowerBound: number;
  /** Lower bound on the number of candidate sign-ins. */
  readonly lowerBoundOfTried: number;
}

/** Cost of one sign-in, so among suites of equal size the one with fewer unusual facts is cheaper. */
const scale = 1_000;

/** Selects the fewest sign-ins from `verdictRows` that demonstrate all items. */
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
  for (const { covers } of tried) for (const number of covers) index.getNumber(number);
  const choices = tried.map(({ row, covers }) => ({
    cost: scale + row.differences,
    covers: covers.map((number) => index.getNumber(number)),
  }));
  const { chosen, lowerBound } = cheapestCover(index.values.length, choices);
  const reachable = new Set(index.values);
  const rows = chosen.map((number) => tried[number] as (typeof tried)[number]);
  const shown = rows.map(({ covers }) => covers.map((number) => wanted[number] as string));
  return {
    journeys: rows.map(({ row }, place) => createJourney(row, what, [place + 1, rows.length], shown[place] ?? [])),
    shown,
    rows: rows.map(({ row }) => row),
    unreachable: wanted.filter((_, number) => !reachable.has(number)),
    lowerBound: exclusive.filter((name) => reachable.has(numbers.get(name))).length,
    lowerBoundOfTried: Math.floor(lowerBound / scale),
  };
}

function createJourney(
  row: VerdictRow,
  what: string,
  [number, count]: readonly [number, number],
  items: readonly string[],
): Journey {
  const { verdict } = row;
  const first = verdict.rules.find(({ outcome }) => outcome === 'stopped');
  // A gate that stops is stronger evidence for its assumptions than gates that pass.
  const seen = first === undefined ? items : items.filter((name) => name.endsWith(' stopped'));
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

function metBy({ rules }: Verdict): readonly RuleId[] {
  return rules.filter(({ outcome }) => outcome === 'met').map(({ id }) => id);
}

/** Lists the rules that gates evaluate, in catalog order. */
export function listGateRules(ids: readonly RuleId[]): readonly string[] {
  return ruleCatalogue.filter(({ gate }) => gate !== undefined && ids.includes(gate)).map(({ id }) => id);
}

/** Returns the coverage item of a gate result; `null` if the gate stopped but is not the primary reason. */
function findOutcome(trace: RuleResult, first: RuleResult | undefined): string | null {
  if (trace.outcome !== 'stopped') return `${trace.id} ${trace.outcome}`;
  return trace === first ? `${trace.id} stopped: ${trace.reason}` : null;
}

const stops = gates.flatMap(({ id, reasons }) => reasons.map((reason) => `${id} stopped: ${reason}`));

/**
 * Coverage items for each outcome of each gate: met, stopped with each of its reasons as the primary one, and not
 * applicable where possible.
 */
export const listGateOutcomeItems: VerdictCriteria = {
  what: 'Rules',
  wanted: [
    ...gates.flatMap(({ id, appliesTo }) => [`${id} met`, ...(appliesTo === 'both' ? [] : [`${id} not-applicable`])]),
    ...stops,
  ],
  shownBy: ({ rules }) => {
    const first = rules.find(({ outcome }) => outcome === 'stopped');
    return rules.flatMap((trace) => findOutcome(trace, first) ?? []);
  },
  exclusive: stops,
};

const reasons = [...new Set(gates.flatMap((gate) => gate.reasons))];

/** Coverage items for each reason as the primary one, and for both types of prompt. */
export const listReasonItems: VerdictCriteria = {
  what: 'Reasons',
  wanted: [...reasons, 'skippable', 'required'],
  shownBy: ({ reason, outcome }) => [reason ?? outcome],
  exclusive: [...reasons, 'skippable', 'required'],
};

/**
 * Lists coverage items for assumptions by verdict evidence: each gate as met and as the first to stop, and each
 * outcome. A gate without a stop reason appears only as met.
 */
export function listAssumptionItems(entries: readonly Confirmed[]): VerdictCriteria {
  const points = entries.flatMap(({ id, confirmedBy }) => confirmedBy.flatMap((one) => verdictPoints(id, one)));
  return {
    what: 'Assumptions',
    wanted: points.map(({ name }) => name),
    shownBy: (verdict) => points.filter(({ isShown }) => isShown(verdict)).map(({ name }) => name),
    // A verdict has one outcome and one gate that stops first.
    exclusive: [
      ...new Map(points.flatMap(({ ending, name }) => (ending === null ? [] : [[ending, name] as const]))).values(),
    ],
  };
}

interface VerdictPoint {
  readonly name: string;
  /**
   * Exclusive property of a verdict that shows this point: its prompt outcome, or the gate that stopped first. `null`
   * if the point is not exclusive.
   */
  readonly ending: string | null;
  readonly isShown: (verdict: Verdict) => boolean;
}

function verdictPoints(id: string, observation: Observation): readonly VerdictPoint[] {
  if (observation.kind === 'verdict') {
    const { outcome } = observation;
    return [
      { name: `${id} with outcome ${outcome}`, ending: outcome, isShown: (verdict) => verdict.outcome === outcome },
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
