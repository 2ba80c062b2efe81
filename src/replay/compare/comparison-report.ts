import { rules } from '../../../machines/rules/rule-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { ComparedVariant, Comparison } from '../../contract/comparison.schema.ts';
import { formatCount } from '../../core/format-count.ts';
import type { ComparisonTally } from './comparison-tally.ts';

/** Variant after everything is counted. */
export interface Counted {
  readonly name: string;
  readonly ruleset: NamedRules;
  readonly tally: ComparisonTally;
  /** Warnings of its verdicts, by code. */
  readonly warnings: ReadonlyMap<string, string>;
  readonly requiredAtNextSignIn: ComparedVariant['requiredAtNextSignIn'];
  /** Results that only own campaigns have. */
  readonly own?: NonNullable<ComparedVariant['own']>;
}

type NamedRules = Pick<Ruleset, 'id' | 'edition' | 'editions'>;

type Warnings = ComparedVariant['warnings'];

/** Assumptions behind the warnings of verdicts. */
const rulesOfWarnings: Readonly<Record<string, string>> = {
  'include-targets-empty': 'A15',
  'unknown-target': 'S1',
  'passkey-kind-derived': 'A51',
  'campaign-reaches-nobody': 'C1',
  'ledgers-unknown': 'OC50',
  'ruleset-digest-differs': 'OC35',
  'column-missing': 'OC50',
};

/** Creates a comparison from its counts, the warnings of the baseline, and the variants. */
export function createComparison(
  head: Omit<Comparison, 'variants' | 'baseWarnings'>,
  baseWarnings: ReadonlyMap<string, string>,
  counted: readonly Counted[],
): Comparison {
  return { ...head, baseWarnings: listed(baseWarnings), variants: counted.map(createVariant) };
}

/** Returns the id of a ruleset, with the edition if it is evaluated by one edition alone. */
export function describeRules({ id, edition, editions }: NamedRules): string {
  return edition === undefined || edition === null || editions !== undefined ? id : `${id} ${edition}`;
}

function createVariant({ name, ruleset, tally, warnings, requiredAtNextSignIn, own }: Counted): ComparedVariant {
  return {
    name,
    ruleset: describeRules(ruleset),
    ...tally.report(),
    requiredAtNextSignIn,
    warnings: [...listed(warnings), ...reachesNobody(tally), ...forcesMany(requiredAtNextSignIn)],
    ...(own === undefined ? {} : { own }),
  };
}

function listed(warnings: ReadonlyMap<string, string>): Warnings {
  return [...warnings].map(([code, message]) => ({ code, message, rule: rulesOfWarnings[code] ?? '' }));
}

/** Warns if a campaign prompts no user in the whole history, with the rule that stopped most attempts. */
function reachesNobody(tally: ComparisonTally): Warnings {
  const { prompted, stops } = tally.stopsAfter();
  const [first] = stops;
  if (prompted > 0 || first === undefined) return [];
  const [{ rule, reason }, count] = first;
  const gate = rules.find(({ id }) => id === rule);
  const summary = gate === undefined ? '' : `. Rule ${gate.id}: ${gate.summary}`;
  const message = `No attempt prompts a user. ${rule ?? ''} stops ${formatCount(count, 'attempt')}, reason ${reason ?? ''}${summary}`;
  return [{ code: 'campaign-reaches-nobody', rule: rule ?? '', message }];
}

/**
 * Warns about required prompts for many users at once if the limit is turned on, because the count also grows without a
 * limit (A4).
 */
function forcesMany({ ifAppliedNow: { users, stillSnoozing } }: ComparedVariant['requiredAtNextSignIn']): Warnings {
  if (users + stillSnoozing === 0) return [];
  const message = `Registration would be required at the next sign-in for ${formatCount(users, 'user')}, and for ${whole(stillSnoozing)} after their snooze ends.`;
  return [{ code: 'users-required-at-once', rule: 'A4', message }];
}

/** Formats a number with thousands separators, as in the tables next to it. */
function whole(value: number): string {
  return value.toLocaleString('en-GB');
}
