import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { builtInFiles } from '../../machines/rulesets/built-in.ts';
import { findDeclarations, type RulesetDeclarations, RulesetRegistry } from '../../src/journal/ruleset-registry.ts';
import { readBuiltIn } from '../../src/scenario/rulesets/built-in-text.ts';
import type { ModuleReader } from '../../src/scenario/rulesets/modules/module-reader.ts';
import { checkAnyText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { type Bases, builtInBases } from '../../src/scenario/rulesets/ruleset-base.ts';
import type { RulesetFault } from '../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';

/** Value of the choice for a ruleset that the reader writes. */
export const writtenRuleset = 'yaml';

/** Name of the written ruleset in the locations of its faults. */
const displayPath = 'playground.ruleset.yaml';

/** Ruleset that evaluates the sign-ins of the page. */
export interface PlaygroundRuleset {
  readonly id: string;
  readonly title: string;
  /** Rules of a ruleset with the base `own`; `null` for a registration campaign. */
  readonly own: OwnRuleset | null;
  /** Digest of a ruleset that is not built in. */
  readonly digest: string | null;
  readonly declared: Pick<RulesetDeclarations, 'facts' | 'settings'>;
}

/** Ruleset of a text, or all of its faults. Warnings do not prevent its use. */
export interface CheckedRuleset {
  readonly ruleset: PlaygroundRuleset | null;
  readonly faults: readonly RulesetFault[];
}

/** Files of the examples by id, which are bases of other rulesets too. */
export type ExampleTexts = ReadonlyMap<string, string>;

/** Modules are code, which a page does not run for a link that a stranger sent. */
const refusingReader: ModuleReader = {
  read: ({ module }, at, { scope: { faults } }) => {
    const message = `the playground runs no gate modules, so it cannot load ${JSON.stringify(module)}; state the gate as data, or run the ruleset with nudgelab`;
    faults.add('RS34', [...at, 'module'], message);
    return null;
  },
};

/**
 * Returns a built-in ruleset.
 *
 * @param id - id of the ruleset
 * @throws RangeError if no built-in ruleset has the id
 */
export function getBuiltIn(id: string): PlaygroundRuleset {
  const file = builtInFiles.find((one) => one.id === id);
  if (file === undefined) throw new RangeError(`No built-in ruleset has the id ${id}.`);
  return { id, title: file.title, own: null, digest: null, declared: findDeclarations(id) };
}

/**
 * Reads and checks the text of a ruleset, as `nudgelab ruleset check` does.
 *
 * @param text - YAML of the ruleset
 * @param examples - files that the ruleset can have as its base, besides the built-in rulesets
 * @returns the ruleset, and its faults and warnings in the order of the lines
 */
export function checkRuleset(text: string, examples: ExampleTexts): CheckedRuleset {
  const bases: Bases = {
    find: (id) => {
      const base = examples.get(id);
      return readBuiltIn(id) ?? (base === undefined ? null : parseRulesetText(`${id}.ruleset.yaml`, base));
    },
    ids: () => [...builtInBases.ids(), ...examples.keys()],
  };
  const { read, faults } = checkAnyText(parseRulesetText(displayPath, text), { modules: refusingReader, bases });
  if (read === null) return { ruleset: null, faults };
  const { id, title, digest } = read.ruleset;
  const own = read.base === 'own' ? read.ruleset : null;
  if (read.base === 'registration-campaign') new RulesetRegistry().addCampaign(read.ruleset, displayPath);
  const declared = own === null ? findDeclarations(id) : { facts: own.facts, settings: own.first.settings };
  return { ruleset: { id, title, own, digest, declared }, faults };
}

/** Position of a fault in the text. Lines and columns start at 1. */
export interface FaultPosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the position of a fault. */
export function findPosition({ location }: RulesetFault): FaultPosition {
  const [line = 1, column = 1] = location.split(':').slice(-2).map(Number);
  return { line, column };
}

/** Returns the offset of a position in a text, for the cursor of a text field. */
export function findOffset(text: string, { line, column }: FaultPosition): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((total, one) => total + one.length + 1, 0);
  return Math.min(before + column - 1, text.length);
}
