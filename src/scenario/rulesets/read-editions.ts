import { parseInstantValue } from '../../contract/ruleset-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { inPatch, patchRules } from './patch-rules.ts';
import type { RulesetFaults } from './ruleset-fault.ts';

/** Keys that an edition cannot change, because ledgers and ids outlive it (RS32). */
const fixedKeys = ['ruleset', 'format', 'facts', 'editions', 'version', 'base'];

/** Edition as it is written. */
interface WrittenEdition {
  readonly from: string;
  readonly id?: string | undefined;
  readonly set: Readonly<Record<string, unknown>>;
}

/** How the rules of an edition are read. */
interface EditionReader<Rules> {
  /** Further keys that an edition cannot change, with the reasons. */
  readonly lasting?: Readonly<Record<string, string>>;
  /** Reads the rules from the patched keys. Faults are located in the patch. */
  read(current: Readonly<Record<string, unknown>>, faults: RulesetFaults, edition: string): Rules | null;
}

/**
 * Reads the editions of a ruleset: each is a merge patch over the result of the ones before (OC57). Faults of a result
 * are located in the patch.
 */
export function readEditions<Rules>(
  data: Readonly<Record<string, unknown>>,
  written: readonly WrittenEdition[],
  faults: RulesetFaults,
  { lasting = {}, read }: EditionReader<Rules>,
): readonly { readonly fromMs: number; readonly rules: Rules }[] {
  const editions: { readonly fromMs: number; readonly rules: Rules }[] = [];
  const { editions: _editions, ...start } = data;
  let current: Readonly<Record<string, unknown>> = start;
  let lastMs = Number.NEGATIVE_INFINITY;
  const names = new Set<string>();
  // What is wrong before the first edition is not reported again for each of them.
  const before = faults.count;
  for (const [index, { from, id, set }] of written.entries()) {
    const path = ['editions', index];
    const start = parseInstantValue(from);
    if ('message' in start) {
      faults.add('RS24', [...path, 'from'], start.message);
      continue;
    }
    if (start.value <= lastMs) {
      faults.add('RS32', [...path, 'from'], 'is not later than the edition before; list the editions in order of time');
    }
    lastMs = Math.max(lastMs, start.value);
    const name = id ?? from;
    if (id !== undefined && names.has(name)) {
      faults.add('RS32', [...path, 'id'], `"${name}" is the id of an edition before; give each edition its own`);
    }
    names.add(name);
    const inSet = faults.below([...path, 'set']);
    if (refuseLasting(set, lasting, inSet)) continue;
    current = patchRules(current, set, inSet);
    if (before > 0) continue;
    const rules = read(current, inSet.translated(inPatch(current, set)), name);
    if (rules !== null) editions.push({ fromMs: start.value, rules });
  }
  return editions;
}

/** Refuses keys that an edition cannot change, and returns whether there are some whose patch is not read. */
function refuseLasting(
  set: Readonly<Record<string, unknown>>,
  lasting: Readonly<Record<string, string>>,
  inSet: RulesetFaults,
): boolean {
  const refused = Object.keys(set).filter((key) => fixedKeys.includes(key) || Object.hasOwn(lasting, key));
  for (const key of refused) {
    const why = lasting[key] === undefined ? '' : `, because ${lasting[key]}`;
    inSet.addKey('RS32', [key], `an edition cannot change ${key}${why}`);
  }
  if (isPlainObject(set['ledger']) && Object.hasOwn(set['ledger'], 'keys')) {
    inSet.addKey('RS32', ['ledger', 'keys'], 'an edition cannot change ledger.keys, because the ledger outlives it');
  }
  return refused.length > 0;
}
