import { gateIds } from '../../../machines/gate-ids.ts';
import {
  type Completion,
  type Condition,
  type GeneratedGate,
  generatedGates,
  isModuleGate,
  type OwnRules,
  type Reset,
  type ScreenTexts,
} from '../../../machines/own/own-ruleset.ts';
import {
  matrixPlatforms,
  type OperatingSystem,
  operatingSystems,
  type PasskeyType,
  type Platform,
  passkeyTypes,
} from '../../../machines/vocabulary.ts';
import { parseReference } from '../../contract/ruleset-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { describeUnknownName, suggestName } from '../../core/nearest-name.ts';
import type { ModuleReader } from './modules/module-reader.ts';
import { readAnswers } from './read-answers.ts';
import { readCondition } from './read-condition.ts';
import type { ShapedRuleset } from './read-shapes.ts';
import { checkReasons, checkScreens } from './read-texts.ts';
import { readCadence, readDeadline, readLifetime, readLimit, readRollout } from './read-timing.ts';
import type { ReasonUse } from './reason-use.ts';
import type { RulesetFaultCode } from './ruleset-fault.ts';
import type { RulesetScope } from './ruleset-scope.ts';

/** What is known of the rules besides their keys. */
export interface RulesHead {
  /** Name of the edition, or `null` for the rules before the first one. */
  readonly edition: string | null;
  /** Id of the ruleset. */
  readonly id: string;
  /** The whole written ruleset, to tell a missing key from one with a fault. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Reader of the modules that gates name. */
  readonly modules: ModuleReader;
  /** Collector of the reason codes that gates use. */
  readonly reasons: ReasonUse;
}

/** Reads the rules of a ruleset or of one of its editions. Returns `null` if they have faults, which were added. */
export function readRules(
  shaped: ShapedRuleset,
  scope: RulesetScope,
  { edition, id, written, modules, reasons }: RulesHead,
): OwnRules | null {
  const before = scope.faults.count;
  const methods = shaped.methods ?? {};
  const gates = readGates(shaped, written['gates'], scope, modules);
  const hasUnread = gates.filter((gate) => typeof gate === 'object').length < countGates(written['gates']);
  const answers = readAnswers(shaped.answers, scope);
  const rules: OwnRules = {
    edition,
    methods,
    ask: readAsk(shaped, written['methods'], scope),
    settings: scope.settings,
    trigger: {
      on: shaped.trigger?.on ?? ['signIn'],
      factors: optional(shaped.trigger?.factors, 'RS08', ['trigger', 'factors'], scope),
    },
    gates,
    reasons: { ...moduleReasons(gates), ...shaped.reasons },
    done: optional(shaped.done, 'RS11', ['done'], scope),
    matrix: readMatrix(shaped.matrix, scope),
    completion: readCompletion(shaped.completion, scope),
    answers,
    ledger: readLedgerKeys(shaped.ledger, scope),
    cadence: readCadence(shaped.cadence, scope),
    limit: readLimit(shaped.limit, scope),
    deadline: readDeadline(shaped.deadline, scope),
    requirement: {
      required: optional(shaped.requirement?.required, 'RS19', ['requirement', 'required'], scope),
      blocked: optional(shaped.requirement?.blocked, 'RS19', ['requirement', 'blocked'], scope),
    },
    failure: { skip: shaped.failure?.skip ?? 'signsIn', stores: shaped.failure?.stores ?? 'nothing' },
    lifetimeMs: readLifetime(shaped.lifetime, scope),
    resets: readResets(shaped.resets, scope),
    rollout: readRollout(shaped.rollout, id, scope),
    screens: readScreens(shaped.screens),
  };
  checkReasons(shaped, gates, scope);
  reasons.note(gates, hasUnread);
  checkScreens(shaped, rules, scope);
  return scope.faults.count > before ? null : rules;
}

/** Returns the sentences of the modules' reason codes, which the ruleset can replace by its own. */
function moduleReasons(gates: OwnRules['gates']): OwnRules['reasons'] {
  return Object.assign({}, ...gates.filter(isModuleGate).map(({ reasons }) => reasons)) as OwnRules['reasons'];
}

function optional(
  written: unknown,
  code: RulesetFaultCode,
  path: readonly PropertyKey[],
  scope: RulesetScope,
): Condition | null {
  return written === undefined ? null : readCondition(written, code, path, scope);
}

function readAsk(shaped: ShapedRuleset, written: unknown, { faults }: RulesetScope): string {
  const ids = Object.keys(shaped.methods ?? {});
  const { ask } = shaped;
  const isEmpty = isPlainObject(written) && Object.keys(written).length === 0;
  if (isEmpty) faults.add('RS05', ['methods'], 'names no method; write at least one');
  if (ask === undefined) {
    if (ids.length > 1)
      faults.add('RS05', ['methods'], `names ${ids.length} methods; say under ask which one the prompt asks for`);
    return ids[0] ?? '';
  }
  if (shaped.methods !== undefined && !ids.includes(ask) && !(isPlainObject(written) && Object.hasOwn(written, ask)))
    faults.add('RS05', ['ask'], describeUnknownName(ask, ids));
  return ask;
}

/** Counts the written gates, without the places of generated ones. */
function countGates(written: unknown): number {
  if (!Array.isArray(written)) return 0;
  return written.filter((gate) => !(isPlainObject(gate) && Object.hasOwn(gate, 'place'))).length;
}

/** Adds the generated gates that the list does not place, in their usual order (OC22). */
function readGates(
  { ruleset = '', gates = [], methods = {} }: ShapedRuleset,
  written: unknown,
  scope: RulesetScope,
  modules: ModuleReader,
): OwnRules['gates'] {
  const { faults } = scope;
  const originals = Array.isArray(written) ? (written as readonly unknown[]) : [];
  // A gate with a fault in its shape was replaced, and is not read.
  const isBroken = (index: number): boolean => {
    const [gate, original] = [gates[index], originals[index]];
    return gate !== undefined && 'place' in gate && !(isPlainObject(original) && original['place'] === gate.place);
  };
  const seen = new Map<string, number>();
  const listed = gates.flatMap((gate, index): OwnRules['gates'] => {
    const path = ['gates', index];
    const id = 'place' in gate ? gate.place : gate.id;
    const earlier = seen.get(id);
    if (earlier !== undefined && !isBroken(index)) {
      faults.add(
        'RS26',
        [...path, 'place' in gate ? 'place' : 'id'],
        `the gate "${id}" is already number ${earlier + 1} of the list; give each gate an id of its own`,
      );
    }
    if (isBroken(index)) return [];
    if (!seen.has(id)) seen.set(id, index);
    if ('place' in gate) return [gate.place];
    refuseBuiltInId(id, path, faults);
    if ('module' in gate) {
      const read = modules.read(gate, path, { ruleset, scope, methodIds: Object.keys(methods) });
      return read === null ? [] : [read];
    }
    return readDataGate(gate, path, scope);
  });
  const missing = generatedGates.filter((id) => !listed.includes(id));
  const first: readonly GeneratedGate[] = missing.filter((id) => id === 'X.trigger' || id === 'X.rollout');
  return [...first, ...listed, ...missing.filter((id) => !first.includes(id))];
}

type WrittenGate = NonNullable<ShapedRuleset['gates']>[number];

/** Refuses the id of a built-in or generated gate, whose meaning would be another one (RS26). */
function refuseBuiltInId(id: string, path: readonly PropertyKey[], faults: RulesetScope['faults']): void {
  if ((generatedGates as readonly string[]).includes(id)) {
    const message = `"${id}" is a generated gate; choose another id, or write { place: ${id} } for its position`;
    faults.add('RS26', [...path, 'id'], message);
  }
  if (!(gateIds as readonly string[]).includes(id)) return;
  faults.add('RS26', [...path, 'id'], `"${id}" is a built-in gate of registration campaigns; choose another id`);
}

function readDataGate(
  { id, summary, stop, source = [], ...gate }: Extract<WrittenGate, { readonly when: unknown }>,
  path: readonly PropertyKey[],
  scope: RulesetScope,
): OwnRules['gates'] {
  const when = readCondition(gate.when, 'RS09', [...path, 'when'], scope);
  const skipIf = optional(gate.skipIf, 'RS09', [...path, 'skipIf'], scope);
  return when === null ? [] : [{ id, summary, when, stop, skipIf, source }];
}

const platforms: readonly Platform[] = [...matrixPlatforms, 'linux', 'unknown'];

function readMatrix(written: ShapedRuleset['matrix'], { faults }: RulesetScope): OwnRules['matrix'] {
  if (written === undefined) return null;
  const rows: Partial<Record<PasskeyType, readonly Platform[]>> = {};
  for (const [row, cells] of Object.entries(written)) {
    const type = passkeyTypes.find((one) => one === row);
    if (type === undefined) {
      faults.addKey('RS12', ['matrix', row], `the row ${describeUnknownName(row, passkeyTypes)}`);
      continue;
    }
    const columns = Object.entries(cells).flatMap(([column, cell]): readonly Platform[] => {
      const platform = platforms.find((one) => one === column);
      if (platform === undefined) {
        faults.addKey('RS12', ['matrix', row, column], `the column ${describeUnknownName(column, platforms)}`);
        return [];
      }
      return cell === 1 ? [platform] : [];
    });
    rows[type] = columns;
  }
  return rows;
}

function readCompletion(written: ShapedRuleset['completion'], scope: RulesetScope): Completion {
  const set = Object.entries(written?.set ?? {}).flatMap(([path, value]) => readSet(path, value, scope) ?? []);
  const add = Object.entries(written?.add ?? {}).flatMap(([path, value]) => readAddition(path, value, scope) ?? []);
  return { set, add };
}

function readSet(path: string, value: unknown, scope: RulesetScope): Completion['set'][number] | null {
  const at = ['completion', 'set', path];
  const type = userFact(path, at, scope);
  if (type === null) return null;
  if (value === 'now' && type.type === 'instant') return { path, value: 'now' };
  const operand = scope.readOperand(value, type, 'RS13', at);
  return operand === null ? null : { path, value: operand };
}

function readAddition(path: string, value: unknown, scope: RulesetScope): Completion['add'][number] | null {
  const at = ['completion', 'add', path];
  const type = userFact(path, at, scope);
  if (type === null) return null;
  if (type.type !== 'set') {
    const message = `add needs a set, and "${path}" is of type ${type.type}; write it under set`;
    scope.faults.addKey('RS13', at, message);
    return null;
  }
  const single = typeof value === 'string' || parseReference(value) !== null;
  const operand = scope.readOperand(value, single ? { ...type, type: 'enum' } : type, 'RS13', at);
  return operand === null ? null : { path, value: operand };
}

/** Returns the type of a declared fact of the user. The completion changes no others. */
function userFact(path: string, at: readonly PropertyKey[], scope: RulesetScope): ReturnType<RulesetScope['findType']> {
  const type = path.startsWith('user.facts.') ? scope.findType(path) : null;
  if (type === null) {
    const known = scope.paths.filter((one) => one.startsWith('user.facts.'));
    scope.faults.addKey(
      'RS13',
      at,
      `"${path}" is no declared fact of the user${suggestName(path, known) || '; write user.facts. and its name'}`,
    );
  }
  return type;
}

const partNames = ['user', 'method', 'device', 'browser', 'ecosystem'];
const partsMax = 16;

function readLedgerKeys(written: ShapedRuleset['ledger'], scope: RulesetScope): OwnRules['ledger'] {
  const { faults } = scope;
  const keys = written?.keys ?? [['user']];
  if (keys.flat().length > partsMax)
    faults.add('RS15', ['ledger', 'keys'], `has ${keys.flat().length} parts; ${partsMax} are allowed`);
  const seen = new Set<string>();
  for (const [index, parts] of keys.entries()) {
    if (seen.has(parts.join())) faults.add('RS15', ['ledger', 'keys', index], 'repeats an earlier key');
    seen.add(parts.join());
    for (const [position, part] of parts.entries()) {
      const message = describePartFault(part, written?.ecosystems !== undefined, scope);
      if (message !== null) faults.add('RS15', ['ledger', 'keys', index, position], message);
    }
  }
  return { keys, ecosystems: readEcosystems(written?.ecosystems ?? {}, scope) };
}

/** Returns what is wrong with a part of a key, or `null`. */
function describePartFault(part: string, hasEcosystems: boolean, scope: RulesetScope): string | null {
  if (part === 'ecosystem' && !hasEcosystems) {
    return 'ecosystem needs ledger.ecosystems, which says which systems belong together';
  }
  if (partNames.includes(part)) return null;
  const type = part.includes('.') ? scope.findType(part) : null;
  if (type?.type === 'enum') return null;
  if (type !== null) return `"${part}" is of type ${type.type}; a part of a key is an enum`;
  const nearest = suggestName(part, partNames);
  return `"${part}" is no part of a key; write one of ${partNames.join(', ')}, or the path of an enum fact${nearest}`;
}

function readEcosystems(
  written: Readonly<Record<string, readonly string[]>>,
  { faults }: RulesetScope,
): OwnRules['ledger']['ecosystems'] {
  const systems = new Map<string, string>();
  const ecosystems: Record<string, readonly OperatingSystem[]> = {};
  for (const [name, list] of Object.entries(written)) {
    ecosystems[name] = list.flatMap((system, index): readonly OperatingSystem[] => {
      const at = ['ledger', 'ecosystems', name, index];
      const known = operatingSystems.find((one) => one === system);
      const other = systems.get(system);
      if (known === undefined) faults.add('RS15', at, describeUnknownName(system, operatingSystems));
      else if (other !== undefined) faults.add('RS15', at, `${system} already belongs to ${other}`);
      systems.set(system, name);
      return known === undefined ? [] : [known];
    });
  }
  return ecosystems;
}

function readResets(written: ShapedRuleset['resets'], scope: RulesetScope): readonly Reset[] {
  return (written ?? []).map(({ on, clears, keys }, index) => {
    const path = ['resets', index];
    if (typeof on === 'object' && 'settingChanged' in on && !Object.hasOwn(scope.settings, on.settingChanged)) {
      scope.faults.add(
        'RS21',
        [...path, 'on', 'settingChanged'],
        describeUnknownName(on.settingChanged, Object.keys(scope.settings)),
      );
    }
    if (typeof on === 'object' && 'newVersion' in on) {
      const type = scope.findType(on.newVersion);
      const declared = /^(user|tenant)\.facts\./.test(on.newVersion);
      if (type === null || !declared || (type.type !== 'integer' && type.type !== 'instant')) {
        const known = scope.paths.filter((one) => /^(user|tenant)\.facts\./.test(one));
        scope.faults.add(
          'RS21',
          [...path, 'on', 'newVersion'],
          `"${on.newVersion}" is no declared integer or instant of the user or tenant${type === null ? suggestName(on.newVersion, known) : ''}`,
        );
      }
    }
    return { on, clears, keys: keys ?? null };
  });
}

function readScreens(written: ShapedRuleset['screens']): Readonly<Record<string, ScreenTexts>> {
  return Object.fromEntries(
    Object.entries(written ?? {}).map(([screen, { heading = null, text = null, buttons = {} }]) => [
      screen,
      { heading, text, buttons },
    ]),
  );
}
