import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { rulesetIds, rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { toInstantOrNull } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { findCampaignDifferences, listCampaignPeriods } from '../../generate/ruleset-difference/campaign-difference.ts';
import { describeDecision, findOwnDifferences } from '../../scenario/rulesets/difference/find-own-differences.ts';
import { findOwnJourney, type JourneySearch } from '../../scenario/rulesets/difference/find-own-journey.ts';
import { type KeyDifference, listKeyDifferences } from '../../scenario/rulesets/difference/list-key-differences.ts';
import { writeExample, writeFacts } from '../../scenario/rulesets/difference/write-example.ts';
import { readBuiltInRuleset } from '../../scenario/rulesets/read-ruleset.ts';
import { type ModuleUse, readAnyFile } from '../../scenario/rulesets/read-ruleset-file.ts';
import { readRulesetFile } from '../../scenario/rulesets/ruleset-text.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import type { RulesetArguments } from './ruleset-options.ts';

/** Ruleset to compare, with what identifies it. */
type Compared = { readonly id: string; readonly version: string; readonly digest: string } & (
  | { readonly base: 'own'; readonly own: OwnRuleset; readonly data: object }
  | { readonly base: 'registration-campaign'; readonly rules: Ruleset }
);

/** Smallest facts, or shortest journey, on which the verdicts differ. */
interface Difference {
  /** Start of the editions that are compared, or `null` before the first one. */
  readonly from: string | null;
  /** Verdict of each ruleset: a reason, or an outcome with its answers. */
  readonly verdicts: readonly [string, string];
  /** Facts that are not the usual ones, by path or name. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Scenario whose last sign-in has these verdicts. */
  readonly scenario: object;
}

/** Result of comparing two rulesets. */
interface RulesetDiff {
  readonly keys: readonly KeyDifference[];
  readonly facts: readonly Difference[];
  readonly journeys: readonly Difference[];
  /** True if all facts of a first sign-in were compared, so that there are no other differences. */
  readonly exact: boolean;
  /** What was not compared. */
  readonly notes: readonly string[];
}

/** Maximum number of facts and keys that are printed as text. */
const printedMax = 30;

/**
 * Compares two rulesets (OC43): their keys, and the smallest facts and shortest journeys on which their verdicts differ.
 *
 * @throws NudgeLabError `usage-invalid` for another number of rulesets, `ruleset-invalid`, `file-unreadable`, and
 *   `rulesets-not-comparable` for rulesets of different bases or facts of unlike types
 */
export function diffRulesets(names: readonly string[], args: RulesetArguments, context: CommandContext): ExitCode {
  const [one, other] = names.map((name) => readCompared(name, context.cwd, args.modules ? 'run' : 'skip'));
  if (one === undefined || other === undefined || names.length > 2) {
    throw new NudgeLabError('usage-invalid', {
      message: `Name two rulesets to compare: files, or ids of built-in ones (${rulesetIds.join(', ')}).`,
    });
  }
  const diff = compare(one, other);
  const rulesetsCompared = [one, other].map(({ id, version, digest }) => ({ id, version, digest }));
  if (args.json) printJson(context.stdout, { rulesets: rulesetsCompared, ...diff });
  else
    print(context.stdout, { rulesets: rulesetsCompared, ...diff }, (visible) => [
      visible.rulesets.map(({ id, version }) => `${id} ${version}`).join('  /  '),
      ...describeDiff(visible),
    ]);
  return 0;
}

function readCompared(name: string, cwd: string, modules: ModuleUse): Compared {
  const builtIn = rulesets.get(name);
  if (builtIn !== undefined) {
    const { id, version, digest } = readBuiltInRuleset(name);
    return { id, version, digest, base: 'registration-campaign', rules: builtIn };
  }
  const path = resolve(cwd, name);
  try {
    const { read, faults } = readAnyFile(path, name, modules);
    if (read === null) {
      const problems = faults
        .filter(({ severity }) => severity === 'fault')
        .map(({ code, location, message }) => ({ location, message: `${code} ${message}` }));
      throw new NudgeLabError('ruleset-invalid', { problems });
    }
    const { id, version, digest } = read.ruleset;
    if (read.base !== 'own') return { id, version, digest, base: read.base, rules: read.ruleset.rules };
    return { id, version, digest, base: read.base, own: read.ruleset, data: readRulesetFile(path, name).data ?? {} };
  } catch (cause) {
    if (cause instanceof NudgeLabError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', {
      message: `${name} cannot be read: ${reason}. Name a file, or one of ${rulesetIds.join(', ')}.`,
      cause,
    });
  }
}

function compare(one: Compared, other: Compared): RulesetDiff {
  if (one.base === 'own' && other.base === 'own') return compareOwn(one, other);
  if (one.base === 'own' || other.base === 'own') {
    throw new NudgeLabError('rulesets-not-comparable', {
      message: `${one.id} has the base ${one.base}, and ${other.id} the base ${other.base}: their verdicts depend on different facts.`,
    });
  }
  return compareCampaigns(one.rules, other.rules);
}

function compareCampaigns(one: Ruleset, other: Ruleset): RulesetDiff {
  const keys = new Map<string, KeyDifference>();
  for (const { fromMs, rules } of listCampaignPeriods(one, other)) {
    for (const key of listKeyDifferences(listRuleData(rules[0]), listRuleData(rules[1]))) {
      const text = JSON.stringify(key);
      const from = toInstantOrNull(fromMs);
      if (!keys.has(text)) keys.set(text, from === null ? key : { ...key, path: `${key.path} (from ${from})` });
    }
  }
  const { differences, exact, undecided } = findCampaignDifferences(one, other);
  const facts = differences.map(
    ({ fromMs, verdicts, facts: unusual, journey }): Difference => ({
      from: toInstantOrNull(fromMs),
      verdicts,
      facts: unusual,
      scenario: { ...(fromMs === null ? {} : { clock: toInstantOrNull(fromMs) }), ...journey },
    }),
  );
  return {
    keys: [...keys.values()],
    facts,
    // A sign-in on these facts, which include the snoozes so far, is the shortest journey.
    journeys: [],
    exact,
    notes: undecided.length === 0 ? [] : [`The search for other differences ended early at: ${undecided.join(', ')}.`],
  };
}

/** Returns the data of a ruleset by its keys, without those that state nothing. */
function listRuleData({ extension, edition: _edition, ...rules }: Ruleset): object {
  return withoutEmpty({ ...rules, ...extension }) ?? {};
}

/** Returns an object without `null`, empty lists and empty objects at any depth, or `null` if nothing is left. */
function withoutEmpty(data: object): object | null {
  const entries = Object.entries(data).flatMap(
    ([key, value]: [string, unknown]): readonly (readonly [string, unknown])[] => {
      const part = isPlainObject(value) ? withoutEmpty(value) : value;
      return part === null || (Array.isArray(part) && part.length === 0) ? [] : [[key, part]];
    },
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function compareOwn(
  one: Extract<Compared, { readonly base: 'own' }>,
  other: Extract<Compared, { readonly base: 'own' }>,
): RulesetDiff {
  const pair = [one.own, other.own] as const;
  const { differences, exact, prompted } = findOwnDifferences(pair);
  const facts = differences.map(({ verdicts, facts: example, values, period }): Difference => {
    const { clock, given, signIn } = writeExample(values, pair);
    const from = Number.isFinite(period.fromMs) ? toInstantOrNull(period.fromMs) : null;
    return {
      from,
      verdicts: [describeDecision(verdicts[0]), describeDecision(verdicts[1])],
      facts: writeFacts(example, pair),
      scenario: { ...(clock === undefined ? clockAt(from) : { clock }), given, steps: [{ signIn }] },
    };
  });
  const searches = prompted.map((start) => ({ start, search: findOwnJourney(pair, start) }));
  const journeys = searches.flatMap(({ start, search: { journey } }): readonly Difference[] => {
    if (journey === null) return [];
    const from = Number.isFinite(start.period.fromMs) ? toInstantOrNull(start.period.fromMs) : null;
    const { clock, given, signIn } = writeExample(start.facts, pair);
    const steps = journey.steps.map((step) => ('signIn' in step ? { signIn: { ...signIn, ...step['signIn'] } } : step));
    return [
      {
        from,
        verdicts: [describeDecision(journey.verdicts[0]), describeDecision(journey.verdicts[1])],
        facts: {},
        scenario: { ...(clock === undefined ? clockAt(from) : { clock }), given, steps },
      },
    ];
  });
  const shortest = journeys.toSorted((a, b) => countSteps(a) - countSteps(b)).slice(0, 1);
  return {
    keys: listKeyDifferences(one.data, other.data),
    facts,
    journeys: shortest,
    exact,
    notes: [
      ...(exact
        ? []
        : ['Not all facts were compared: they are too many, or not finite. There may be other differences.']),
      ...(shortest.length > 0 ? [] : describeSearches(searches, exact)),
    ],
  };
}

function clockAt(from: string | null): { readonly clock?: string } {
  return from === null ? {} : { clock: from };
}

function countSteps({ scenario }: Difference): number {
  return 'steps' in scenario && Array.isArray(scenario.steps) ? scenario.steps.length : 0;
}

/** Describes searches that found no journey. `exact` tells whether all facts of a first sign-in were compared. */
function describeSearches(searches: readonly { readonly search: JourneySearch }[], exact: boolean): readonly string[] {
  const [first] = searches;
  if (first === undefined) {
    const none = exact ? 'No first sign-in leads' : 'No first sign-in that was compared leads';
    return [`${none} to a prompt under both rulesets, so journeys were not compared.`];
  }
  return [
    searches.every(({ search: { complete } }) => complete)
      ? `No journey of at most ${first.search.stepsMax} steps from a common first prompt has unlike verdicts.`
      : 'No journey with unlike verdicts was found before the search ended.',
  ];
}

function describeDiff({ keys, facts, journeys, exact, notes }: RulesetDiff): readonly string[] {
  return [
    '',
    ...(keys.length === 0 ? ['No key differs.'] : ['Keys that differ:', ...describeAll(keys, describeKey)]),
    '',
    ...(facts.length === 0
      ? [`No facts of one sign-in have unlike verdicts${exact ? ', and all were compared' : ''}.`]
      : ['Smallest facts with unlike verdicts:', ...describeAll(facts, describeFacts)]),
    ...journeys.flatMap((journey) => [
      '',
      `Shortest journey with unlike verdicts (${countSteps(journey)} steps): ${journey.verdicts.join('  /  ')}`,
      ...indent(stringify(journey.scenario, { lineWidth: 100, aliasDuplicateObjects: false }).trimEnd()),
    ]),
    ...(facts.length > 0 && exact
      ? ['', 'All facts were compared: other facts differ for the same reasons only.']
      : []),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
}

/** Describes the first items of a list, and how many others it has. */
function describeAll<T>(items: readonly T[], describe: (item: T) => string): readonly string[] {
  const rest = items.length - printedMax;
  return [
    ...items.slice(0, printedMax).map(describe),
    ...(rest > 0 ? [`  and ${rest} more, which --json prints`] : []),
  ];
}

function describeKey({ path, one, other }: KeyDifference): string {
  const show = (value: unknown): string => (value === undefined ? '(absent)' : JSON.stringify(value));
  return `  ${path}: ${show(one)}  /  ${show(other)}`;
}

function describeFacts({ from, verdicts, facts }: Difference): string {
  const values = Object.entries(facts).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const when = from === null ? '' : ` from ${from}`;
  return `  ${verdicts.join('  /  ')}${when}: ${values.join(', ') || 'with the usual facts'}`;
}

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
