import type { z } from 'zod';
import type { FactDefinition } from '../../../machines/own/own-ruleset.ts';
import {
  type CampaignRulesetKey,
  campaignRulesetShape,
  type WrittenCampaignRuleset,
} from '../../contract/campaign-ruleset.schema.ts';
import { describeIssues, listProblems, valueAt } from '../../contract/parse.ts';
import { ownRulesetShape, type RulesetKey, type WrittenRuleset } from '../../contract/ruleset.schema.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { suggestName } from '../../core/nearest-name.ts';
import type { RulesetFaultCode, RulesetFaults } from './ruleset-fault.ts';
import { readDefinition, type WrittenDefinition } from './ruleset-scope.ts';

/** Codes of the rows of the format, by key (OC18). */
export const rowCodes: Readonly<Record<RulesetKey | CampaignRulesetKey, RulesetFaultCode>> = {
  ruleset: 'RS01',
  version: 'RS01',
  format: 'RS02',
  title: 'RS03',
  description: 'RS03',
  source: 'RS03',
  base: 'RS04',
  methods: 'RS05',
  ask: 'RS05',
  settings: 'RS06',
  facts: 'RS07',
  trigger: 'RS08',
  gates: 'RS09',
  reasons: 'RS10',
  done: 'RS11',
  matrix: 'RS12',
  completion: 'RS13',
  answers: 'RS14',
  ledger: 'RS15',
  cadence: 'RS16',
  limit: 'RS17',
  lifetime: 'RS17',
  deadline: 'RS18',
  requirement: 'RS19',
  failure: 'RS20',
  resets: 'RS21',
  rollout: 'RS22',
  screens: 'RS23',
  editions: 'RS24',
  campaign: 'RS04',
  profiles: 'RS04',
  providerManaged: 'RS04',
  limits: 'RS04',
  factors: 'RS08',
};

/** Maximum numbers of settings, and of facts of one owner (OC39). */
const settingsMax = 32;
export const factsMax = 64;

/** Written ruleset whose keys have the right shape. Keys with faults are missing. */
export type ShapedRuleset = Partial<WrittenRuleset>;
export type ShapedCampaignRuleset = Partial<WrittenCampaignRuleset>;

/** Reads the shapes of a ruleset with the base `own`. */
export function readShapes(data: Readonly<Record<string, unknown>>, faults: RulesetFaults): ShapedRuleset {
  return readKeys(data, ownRulesetShape, faults);
}

/** Reads the shapes of a ruleset with the base `registration-campaign`. */
export function readCampaignShapes(
  data: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
): ShapedCampaignRuleset {
  return readKeys(data, campaignRulesetShape, faults);
}

/** Reads the shape of every key by itself, so that a fault in one does not hide those in others. */
function readKeys<Shaped>(
  data: Readonly<Record<string, unknown>>,
  shapes: Readonly<Record<string, z.ZodType>>,
  faults: RulesetFaults,
): Shaped {
  const shaped: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(data)) {
    if (!Object.hasOwn(shapes, key)) {
      const other = shapes === ownRulesetShape ? campaignRulesetShape : ownRulesetShape;
      if (Object.hasOwn(other, key)) {
        const base = shapes === ownRulesetShape ? 'registration-campaign' : 'own';
        faults.addKey('RS04', [key], `the key ${key} needs the base ${base}; leave it out, or change the base`);
        continue;
      }
      const known = Object.keys(shapes);
      faults.addKey(
        'RS01',
        [key],
        `unknown key "${key}"${suggestName(key, known) || `; allowed: ${known.join(', ')}`}`,
      );
      continue;
    }
    const schema = shapes[key] as z.ZodType;
    const result = schema.safeParse(value);
    if (result.success) {
      shaped[key] = result.data;
      continue;
    }
    addIssues(schema, result.error, value, key as keyof typeof rowCodes, faults);
    const rest = schema.safeParse(withoutFaults(value, result.error, key));
    if (rest.success) shaped[key] = rest.data;
  }
  return shaped as Shaped;
}

/** Returns the kind of cadence that has the written keys. */
function guessKind(cadence: Readonly<Record<string, unknown>>): string {
  const kinds = { every: 'fixed', durations: 'growing', signIns: 'signIns' };
  return Object.entries(kinds).find(([key]) => Object.hasOwn(cadence, key))?.[1] ?? 'everySignIn';
}

/** Entries in place of those with a fault, which keep the numbers of the others. They are never evaluated. */
const emptyEntries: Readonly<Partial<Record<string, unknown>>> = {
  gates: { place: 'X.trigger' },
  resets: { on: 'control', clears: ['count'] },
  campaign: { set: {} },
};

/** Returns a value without the entries that have faults, so that the other entries are read too. */
function withoutFaults(value: unknown, error: z.ZodError, name: string): unknown {
  const depth = name === 'facts' ? 2 : 1;
  const copy: unknown = structuredClone(value);
  for (const { path } of error.issues) {
    let holder: unknown = copy;
    for (const key of path.slice(0, depth - 1)) holder = isPlainObject(holder) ? holder[String(key)] : undefined;
    const last = path[depth - 1];
    if (last === undefined) continue;
    if (Array.isArray(holder)) holder[Number(last)] = emptyEntries[name];
    else if (isPlainObject(holder)) delete holder[String(last)];
    // The other keys say which kind is meant, so they have no fault of their own.
    if (name === 'cadence' && last === 'kind' && isPlainObject(copy)) copy['kind'] = guessKind(copy);
  }
  return copy;
}

function addIssues(
  schema: z.ZodType,
  error: z.ZodError,
  value: unknown,
  key: keyof typeof rowCodes,
  faults: RulesetFaults,
): void {
  const messages = listProblems(schema, error, value, '');
  const misspelled = new Set(
    error.issues.flatMap((issue, index) => {
      if (issue.code !== 'unrecognized_keys') return [];
      const [, meant] = /did you mean "([^"]+)"/.exec(messages[index]?.message ?? '') ?? [];
      return meant === undefined ? [] : [[...issue.path, meant].join('.')];
    }),
  );
  for (const [index, issue] of error.issues.entries()) {
    const message = messages[index]?.message ?? issue.message;
    const path = [key, ...issue.path];
    if (message.startsWith('is missing') && misspelled.has(issue.path.join('.'))) continue;
    if (key === 'version' && issue.code === 'invalid_type') {
      faults.add(rowCodes[key], path, `${message}; write a version such as 1.0.0`);
      continue;
    }
    if (issue.code === 'unrecognized_keys') {
      const located = issue.keys.map((unknown) => ({ ...issue, keys: [unknown] }));
      const texts = describeIssues(schema, located, value, '');
      for (const [at, unknown] of issue.keys.entries()) {
        faults.addKey(rowCodes[key], [...path, unknown], texts[at]?.message ?? message);
      }
    } else if (issue.code === 'invalid_key') {
      const text = `"${String(issue.path.at(-1))}": ${issue.issues[0]?.message ?? message}`;
      faults.addKey(rowCodes[key], path, text);
    } else if (issue.code === 'invalid_union')
      addUnionIssues(issue, { schema, value, path, message, code: rowCodes[key] }, faults);
    else faults.add(rowCodes[key], path, message);
  }
}

/** Where the alternatives of a key do not fit, with the message that names all of them. */
interface UnionFault {
  readonly schema: z.ZodType;
  /** Value of the whole key. */
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code: RulesetFaultCode;
}

/** Adds the faults of the alternative that fits best: the one with the fewest and the deepest issues. */
function addUnionIssues(
  issue: z.core.$ZodIssueInvalidUnion,
  { schema, value, path, message, code }: UnionFault,
  faults: RulesetFaults,
): void {
  const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(...issues.map((one) => one.path.length));
  const isUnknown = (issues: readonly z.core.$ZodIssue[]): number =>
    issues.reduce((sum, one) => sum + (one.code === 'unrecognized_keys' ? one.keys.length : 0), 0);
  const [best] = issue.errors.toSorted(
    (a, b) => isUnknown(a) - isUnknown(b) || depth(b) - depth(a) || a.length - b.length,
  );
  const detailed = best?.filter((one) => one.path.length > 0 || one.code === 'unrecognized_keys') ?? [];
  const given = valueAt(value, issue.path);
  if (schema === ownRulesetShape.gates && isPlainObject(given) && Object.hasOwn(given, 'use')) {
    faults.addKey(code, [...path, 'use'], `use names a built-in gate, ${ownGateAdvice}`);
    return;
  }
  if (detailed.length === 0) faults.add(code, path, issue.message.startsWith('Invalid') ? message : issue.message);
  const located = detailed.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  const messages = describeIssues(schema, located, value, '');
  for (const [index, one] of detailed.entries()) {
    const inner = [...path, ...one.path];
    const text = messages[index]?.message ?? one.message;
    if (one.code === 'unrecognized_keys') {
      for (const key of one.keys) faults.addKey(code, [...inner, key], text);
    } else faults.add(code, inner, text);
  }
}

const ownGateAdvice = 'which needs the base registration-campaign; write id, summary, when and stop, or another base';

/** Reads the definitions of settings or facts. */
export function readDefinitions(
  written: Readonly<Record<string, WrittenDefinition>>,
  code: RulesetFaultCode,
  path: readonly string[],
  faults: RulesetFaults,
  max: number = settingsMax,
): Readonly<Record<string, FactDefinition>> {
  const entries = Object.entries(written);
  if (entries.length > max) faults.add(code, path, `has ${entries.length} entries; ${max} are allowed`);
  return Object.fromEntries(
    entries.map(([name, definition]) => [name, readDefinition(definition, code, [...path, name], faults)]),
  );
}
