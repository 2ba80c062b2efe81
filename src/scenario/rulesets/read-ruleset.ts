import type { DeclaredFacts, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { RulesetKey } from '../../contract/ruleset.schema.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { computeSha256 } from '../../core/digest.ts';
import { checkMeaning } from './check/check-ruleset.ts';
import { readEditions } from './read-editions.ts';
import { readRules } from './read-rules.ts';
import { factsMax, readDefinitions, readShapes, rowCodes, type ShapedRuleset } from './read-shapes.ts';
import type { RulesetFault, RulesetFaults } from './ruleset-fault.ts';
import { RulesetScope } from './ruleset-scope.ts';
import { type RulesetText, readRulesetFile } from './ruleset-text.ts';

/** Ruleset of a file, or all of its faults. Warnings do not prevent its use. */
export interface ReadRuleset {
  readonly ruleset: OwnRuleset | null;
  readonly faults: readonly RulesetFault[];
}

/** Ids of the built-in rulesets, which files cannot have. */
const reservedIds = ['seed', '2026-09', 'announced'];

/** Reads a ruleset file with the base `own`. */
export function readOwnFile(path: string, displayPath: string): ReadRuleset {
  return readOwnText(readRulesetFile(path, displayPath));
}

/**
 * Reads a ruleset file with the base `own` and checks its meaning, as far as its facts are finite.
 *
 * @param path - path of the file
 * @param displayPath - path that faults name
 * @returns the ruleset, or all of its faults
 */
export function checkOwnFile(path: string, displayPath: string): ReadRuleset {
  return checkOwnText(readRulesetFile(path, displayPath));
}

/** Reads the text of a ruleset and checks its meaning. A ruleset with other faults is not checked. */
export function checkOwnText(text: RulesetText): ReadRuleset {
  const { data, faults } = text;
  const { ruleset } = readOwnText(text);
  if (ruleset !== null && data !== null) checkMeaning(ruleset, data, faults);
  return { ruleset: faults.count > 0 ? null : ruleset, faults: faults.list };
}

/** Reads the text of a ruleset with the base `own`. All faults are found at once. */
export function readOwnText({ data, faults }: RulesetText): ReadRuleset {
  const ruleset = data === null ? null : readData(data, faults);
  return { ruleset: faults.count > 0 ? null : ruleset, faults: faults.list };
}

function readData(data: Readonly<Record<string, unknown>>, faults: RulesetFaults): OwnRuleset | null {
  const shaped = readShapes(data, faults);
  checkHead(data, shaped, faults);
  const settings = readDefinitions(shaped.settings ?? {}, 'RS06', ['settings'], faults);
  const facts = readFacts(shaped.facts, faults);
  const first = readRules(shaped, new RulesetScope(faults, settings, facts, data), {
    edition: null,
    id: shaped.ruleset ?? '',
    written: data,
  });
  const editions = readEditions(data, shaped, facts, faults);
  if (first === null || shaped.ruleset === undefined) return null;
  return {
    id: shaped.ruleset,
    version: shaped.version ?? '',
    title: shaped.title ?? '',
    description: shaped.description ?? null,
    source: shaped.source ?? [],
    digest: computeSha256(canonicalJson(data)),
    facts,
    first,
    editions,
  };
}

function checkHead(data: Readonly<Record<string, unknown>>, shaped: ShapedRuleset, faults: RulesetFaults): void {
  const needed: Readonly<Partial<Record<RulesetKey, string>>> = {
    ruleset: 'write an id in lower case, such as passkey-week',
    version: 'write 1.0.0',
    format: 'write 1',
    title: 'write a title in one line',
    methods: 'write passkey: { label: passkey, kind: passkey }',
    gates: 'write the gates in order, or []',
  };
  for (const [key, advice] of Object.entries(needed)) {
    if (!Object.hasOwn(data, key)) {
      faults.add(rowCodes[key as RulesetKey], [], `the key ${key} is missing; ${advice}`);
    }
  }
  if (shaped.ruleset !== undefined && reservedIds.includes(shaped.ruleset)) {
    faults.add('RS01', ['ruleset'], `"${shaped.ruleset}" is the id of a built-in ruleset; choose another one`);
  }
  if (shaped.base !== undefined && shaped.base !== 'own') {
    faults.add(
      'RS04',
      ['base'],
      `"${shaped.base}" is no base of a ruleset with these keys; write own, or leave it out`,
    );
  }
}

function readFacts(written: ShapedRuleset['facts'], faults: RulesetFaults): DeclaredFacts {
  const groups = (['tenant', 'user', 'attempt'] as const).map((owner) => [
    owner,
    readDefinitions(written?.[owner] ?? {}, 'RS07', ['facts', owner], faults, factsMax),
  ]);
  return Object.fromEntries(groups) as DeclaredFacts;
}
