import { type DeclaredFacts, isModuleGate, type OwnRules, type OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { RulesetKey } from '../../contract/ruleset.schema.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { computeSha256 } from '../../core/digest.ts';
import { readBuiltIn } from './built-in-text.ts';
import { checkMeaning } from './check/check-ruleset.ts';
import { type ModuleReader, refusedModules, skippedModules } from './modules/module-reader.ts';
import { campaignKeys, readCampaign } from './read-campaign.ts';
import { readEditions, refuseRemoval } from './read-editions.ts';
import { readRules } from './read-rules.ts';
import { factsMax, readDefinitions, readShapes, rowCodes, type ShapedRuleset } from './read-shapes.ts';
import { ReasonUse } from './reason-use.ts';
import { RulesPeriod } from './rules-period.ts';
import { type Bases, builtInBases, type MergedRuleset, mergeBases, rootBases } from './ruleset-base.ts';
import type { RulesetFault, RulesetFaults } from './ruleset-fault.ts';
import { RulesetScope } from './ruleset-scope.ts';
import type { RulesetText } from './ruleset-text.ts';

/** Ruleset of a file with the base `registration-campaign`, by its own keys or through its base. */
export interface CampaignRuleset {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly description: string | null;
  readonly source: readonly string[];
  /** SHA-256 digest of the canonical form with that of the base, as hexadecimal text (OC35). */
  readonly digest: string;
  /** Base as it is written: `registration-campaign`, or the id of another ruleset. */
  readonly base: string;
  readonly rules: Ruleset;
  /** Sources of the editions, in order. */
  readonly editionSources: readonly (readonly string[])[];
}

/** Ruleset of any base. */
export type AnyRuleset = ReadData &
  (
    | { readonly base: 'own'; readonly ruleset: OwnRuleset }
    | { readonly base: 'registration-campaign'; readonly ruleset: CampaignRuleset }
  );

interface ReadData {
  /** Keys with those of the bases, as a server accepts them; omitted for a built-in ruleset. */
  readonly data?: Data;
}

/** Ruleset of any base, or all faults of its file. */
export interface ReadAnyRuleset {
  readonly read: AnyRuleset | null;
  readonly faults: readonly RulesetFault[];
}

/** Ruleset of a file, or all of its faults. Warnings do not prevent its use. */
export interface ReadRuleset {
  readonly ruleset: OwnRuleset | null;
  readonly faults: readonly RulesetFault[];
}

/** What reading the text of a ruleset depends on. */
export interface ReadOptions {
  /** Reader of gate modules. Without it, they are faults, because only files have modules (OC36). */
  readonly modules?: ModuleReader;
  /** Rulesets that can be bases: the built-in ones by default. */
  readonly bases?: Bases;
  /** Ids that the ruleset cannot have: those of the built-in rulesets by default. */
  readonly taken?: readonly string[];
}

/**
 * Reads the text of a ruleset of any base. All faults are found at once.
 *
 * @param text - parsed text
 * @param options - modules, bases and reserved ids
 * @returns the ruleset, or all of its faults
 */
export function readAnyText(
  { data, faults }: RulesetText,
  { modules = refusedModules, bases = builtInBases, taken = rulesetIds }: ReadOptions = {},
): ReadAnyRuleset {
  const id = data?.['ruleset'];
  if (typeof id === 'string' && taken.includes(id)) {
    faults.add('RS01', ['ruleset'], `"${id}" is the id of a built-in ruleset; choose another one`);
  }
  const merged = data === null ? null : mergeBases(data, faults, bases);
  if (data !== null && merged !== null && !isSound(data, bases)) {
    faults.add('RS04', ['base'], `the ruleset "${String(data['base'])}" has faults; correct it first`);
    return { read: null, faults: faults.list };
  }
  const read = data === null || merged === null ? null : readMerged(data, merged, faults, modules);
  return { read: faults.count > 0 ? null : read, faults: faults.list };
}

/** Returns true if the base of a ruleset can be read by itself. Modules are those of the ruleset. */
function isSound({ base = 'own' }: Data, bases: Bases): boolean {
  if (typeof base !== 'string' || rootBases.some((root) => root === base) || readBuiltIn(base) !== null) return true;
  const text = bases.find(base);
  return text !== null && readAnyText(text, { modules: skippedModules, bases, taken: [] }).read !== null;
}

/** Reads the text of a ruleset of any base and checks its meaning, as far as its facts are finite. */
export function checkAnyText(text: RulesetText, options: ReadOptions): ReadAnyRuleset {
  const { read } = readAnyText(text, options);
  if (read?.base === 'own' && text.data !== null) checkMeaning(read.ruleset, text.data, text.faults);
  return { read: text.faults.count > 0 ? null : read, faults: text.faults.list };
}

/** Reads a ruleset that is not a file, and that therefore has no modules. `more` are bases besides the built-in ones. */
export function readDataRuleset(text: RulesetText, more: Bases): ReadAnyRuleset {
  const bases: Bases = {
    find: (id) => readBuiltIn(id) ?? more.find(id),
    ids: () => [...builtInBases.ids(), ...more.ids()],
  };
  return readAnyText(text, { bases });
}

/** Reads a built-in ruleset. Its file is part of the program and has no faults. */
export function readBuiltInRuleset(id: string): CampaignRuleset {
  const text = readBuiltIn(id);
  const { read, faults } = text === null ? { read: null, faults: [] } : readAnyText(text, { taken: [] });
  if (read?.base === 'registration-campaign') return read.ruleset;
  throw new RangeError(`The built-in ruleset ${id} has faults: ${faults.map(({ message }) => message).join('; ')}`);
}

/** Reads the text of a ruleset and checks its meaning. A ruleset with other faults is not checked. */
export function checkOwnText(text: RulesetText, modules: ModuleReader = refusedModules): ReadRuleset {
  return ownPart(checkAnyText(text, { modules }), text);
}

/**
 * Reads the text of a ruleset with the base `own`. All faults are found at once.
 *
 * @param text - parsed text
 * @param modules - reader of gate modules; without it, they are faults, because only files have modules (OC36)
 * @returns the ruleset, or all of its faults
 */
export function readOwnText(text: RulesetText, modules: ModuleReader = refusedModules): ReadRuleset {
  return ownPart(readAnyText(text, { modules }), text);
}

/** Returns the result for a ruleset with the base `own`. Another base is a fault (RS04). */
export function ownPart({ read, faults }: ReadAnyRuleset, text: RulesetText): ReadRuleset {
  if (read === null || read.base === 'own') return { ruleset: read?.ruleset ?? null, faults };
  text.faults.add('RS04', ['base'], 'only rulesets with the base own can be used here');
  return { ruleset: null, faults: text.faults.list };
}

type Data = Readonly<Record<string, unknown>>;

function readMerged(
  data: Data,
  merged: MergedRuleset,
  faults: RulesetFaults,
  modules: ModuleReader,
): AnyRuleset | null {
  const { base } = merged;
  const whole = { ...merged.data, base };
  const removable = base === 'own' ? ['methods'] : campaignKeys;
  refuseRemoval(data, rootBases.some((root) => root === (data['base'] ?? 'own')) ? [] : removable, faults);
  if (base === 'own') {
    const ruleset = readData(merged, { data, faults, modules });
    return ruleset === null ? null : { base, ruleset, data: whole };
  }
  checkHead(data, ['ruleset', 'version', 'format', 'title'], faults);
  const period = new RulesPeriod(merged.data, data);
  const reasons = new ReasonUse();
  const rules = readCampaign(merged.data, { faults, period, reasons });
  reasons.report(data, faults);
  if (rules === null) return null;
  const { version, title, description = null, source = [], base: written, editions = [] } = merged.data;
  return {
    base,
    data: whole,
    ruleset: {
      id: rules.id,
      version: String(version),
      title: String(title),
      description: description as string | null,
      source: source as readonly string[],
      digest: computeSha256(canonicalJson(merged.digested)),
      base: String(data['base'] ?? written),
      rules,
      editionSources: (editions as readonly { readonly source?: readonly string[] }[]).map((one) => one.source ?? []),
    },
  };
}

/** A file whose rules are read: its keys, the collector of its faults, and the reader of its modules. */
interface ReadFile {
  readonly data: Data;
  readonly faults: RulesetFaults;
  readonly modules: ModuleReader;
}

function readData({ data, digested }: MergedRuleset, file: ReadFile): OwnRuleset | null {
  const { modules } = file;
  const period = new RulesPeriod(data, file.data);
  const reasons = new ReasonUse();
  const faults = file.faults.inPeriod(period);
  const shaped = readShapes(data, faults);
  checkHead(data, Object.keys(neededKeys), faults, file.data);
  const settings = readDefinitions(shaped.settings ?? {}, 'RS06', ['settings'], faults);
  const facts = readFacts(shaped.facts, faults);
  const head = { id: shaped.ruleset ?? '', modules, reasons };
  const first = readRules(shaped, new RulesetScope(faults, settings, facts, data), {
    ...head,
    edition: null,
    written: data,
  });
  const editions = readEditions(data, period, file.faults, {
    needed: ['title', 'methods'],
    read: (current, inSet, edition) => {
      const next = readShapes(current, inSet);
      const nextSettings = readDefinitions(next.settings ?? {}, 'RS06', ['settings'], inSet);
      const scope = new RulesetScope(inSet, nextSettings, facts, current);
      return readRules(next, scope, { ...head, edition, written: current });
    },
  });
  reasons.report(file.data, file.faults);
  if (first === null || shaped.ruleset === undefined) return null;
  return {
    id: shaped.ruleset,
    version: shaped.version ?? '',
    title: shaped.title ?? '',
    description: shaped.description ?? null,
    source: shaped.source ?? [],
    digest: computeSha256(
      canonicalJson({ ...digested, ...moduleDigests([first, ...editions.map(({ rules }) => rules)]) }),
    ),
    facts,
    first,
    editions,
  };
}

/** Returns the digests of the modules' sources by their paths, or nothing for a ruleset without modules (OC35). */
function moduleDigests(all: readonly OwnRules[]): { readonly modules?: Readonly<Record<string, string | null>> } {
  const gates = all.flatMap((rules) => rules.gates.filter(isModuleGate));
  return gates.length === 0 ? {} : { modules: Object.fromEntries(gates.map(({ module, digest }) => [module, digest])) };
}

/** Keys that a ruleset needs, with what to write. */
const neededKeys: Readonly<Partial<Record<RulesetKey, string>>> = {
  ruleset: 'write an id in lower case, such as passkey-week',
  version: 'write 1.0.0',
  format: 'write 1',
  title: 'write a title in one line',
  methods: 'write passkey: { label: passkey, kind: passkey }',
  gates: 'write the gates in order, or []',
};

/** Reports keys that are missing. One that the file removes is reported where it is written. */
function checkHead(data: Data, needed: readonly string[], faults: RulesetFaults, written: Data = data): void {
  for (const key of needed as readonly RulesetKey[]) {
    if (!Object.hasOwn(data, key) && !(Object.hasOwn(written, key) && written[key] === null)) {
      faults.add(rowCodes[key], [], `the key ${key} is missing; ${neededKeys[key] ?? ''}`);
    }
  }
}

function readFacts(written: ShapedRuleset['facts'], faults: RulesetFaults): DeclaredFacts {
  const groups = (['tenant', 'user', 'attempt'] as const).map((owner) => [
    owner,
    readDefinitions(written?.[owner] ?? {}, 'RS07', ['facts', owner], faults, factsMax),
  ]);
  return Object.fromEntries(groups) as DeclaredFacts;
}
