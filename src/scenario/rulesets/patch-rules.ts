import { isPlainObject } from '../../core/merge-patch.ts';
import { suggestName } from '../../core/nearest-name.ts';
import type { Path, RulesetFaults } from './ruleset-fault.ts';

/**
 * Applies a merge patch to the keys of a ruleset (OC57). `gates` may be a map: the id of a gate to a patch, `null`, or a
 * new gate with `after`. A condition replaces another one as a whole.
 *
 * @param current - keys before the patch
 * @param patch - changed keys
 * @param faults - collector for gates that do not exist, located in the patch
 */
export function patchRules(
  current: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
): Readonly<Record<string, unknown>> {
  const { gates, ...rest } = patch;
  const merged = mergeKeys(current, rest) as Readonly<Record<string, unknown>>;
  if (gates === undefined) return merged;
  if (!isPlainObject(gates)) return { ...merged, gates };
  const list = Array.isArray(current['gates']) ? (current['gates'] as readonly unknown[]) : [];
  return { ...merged, gates: patchGates(list, gates, faults) };
}

function patchGates(
  gates: readonly unknown[],
  patches: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
): readonly unknown[] {
  let list = gates;
  for (const [id, patch] of Object.entries(patches)) {
    const index = list.findIndex((gate) => gateName(gate) === id);
    if (index >= 0) {
      if (patch !== null) checkChange(id, patch, faults);
      list =
        patch === null
          ? list.toSpliced(index, 1)
          : list.toSpliced(index, 1, mergeKeys(list[index], withoutAfter(patch)));
      continue;
    }
    list = insertGate(list, id, patch, faults);
  }
  return list;
}

/** Checks the patch of a gate that is in the list already: a mapping, which does not move the gate. */
function checkChange(id: string, patch: unknown, faults: RulesetFaults): void {
  if (!isPlainObject(patch)) {
    const message = `${JSON.stringify(patch)} is no change of a gate; write the changed keys, or null to remove the gate`;
    faults.add('RS24', ['gates', id], message);
  } else if (Object.hasOwn(patch, 'after')) {
    const message = 'after places a new gate, and this one is in the list already; write gates as a list to move it';
    faults.addKey('RS24', ['gates', id, 'after'], message);
  }
}

/** Inserts a new gate of a patch. Without the keys of a gate, the patch names one that does not exist. */
function insertGate(list: readonly unknown[], id: string, patch: unknown, faults: RulesetFaults): readonly unknown[] {
  const names = list.map(gateName).filter((name) => typeof name === 'string');
  if (!isPlainObject(patch) || !newGateKeys.some((key) => Object.hasOwn(patch, key))) {
    const advice = suggestName(id, names) || '; a new gate has summary, when and stop, or module';
    faults.addKey('RS24', ['gates', id], `no gate has the id "${id}"${advice}`);
    return list;
  }
  const { after } = patch;
  const place = after === undefined ? list.length : list.findIndex((gate) => gateName(gate) === after) + 1;
  if (after !== undefined && place === 0) {
    const message = `no gate has the id "${String(after)}"${suggestName(String(after), names)}`;
    faults.add('RS24', ['gates', id, 'after'], message);
    return list;
  }
  return list.toSpliced(place, 0, { ...('use' in patch ? {} : { id }), ...withoutAfter(patch) });
}

/** Keys of which a new gate has at least one. */
const newGateKeys = ['summary', 'module', 'use', 'place'];

/**
 * Creates the translation of paths in merged rules to those of their patch, which names gates by id unless it lists all of
 * them.
 */
export function inPatch(
  merged: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): (path: Path) => Path {
  return (path) => (Array.isArray(patch['gates']) ? path : nameGates(merged, path));
}

/** Returns a path of merged rules with the id of its gate in place of the position. */
export function nameGates(merged: Readonly<Record<string, unknown>>, path: Path): Path {
  const [key, index, ...rest] = path;
  const { gates } = merged;
  if (key !== 'gates' || typeof index !== 'number' || !Array.isArray(gates)) return path;
  const name = gateName(gates[index]);
  return typeof name === 'string' ? [key, name, ...rest] : path;
}

/**
 * Merges a patch. Arrays and conditions are replaced whole, and `null` removes a key, other than a default, which can be
 * unknown.
 */
function mergeKeys(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch) || isReplaced(patch)) return patch;
  const result: Record<string, unknown> = isPlainObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null && key !== 'default') delete result[key];
    else result[key] = mergeKeys(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}

/** Returns true for a condition, which replaces another value as a whole. */
export function isReplaced(value: Readonly<Record<string, unknown>>): boolean {
  if (typeof value['fact'] === 'string' || Array.isArray(value['all']) || Array.isArray(value['any'])) return true;
  return Object.keys(value).length === 1 && isPlainObject(value['not']);
}

function gateName(gate: unknown): unknown {
  return isPlainObject(gate) ? (gate['id'] ?? gate['use'] ?? gate['place']) : undefined;
}

function withoutAfter(patch: unknown): Record<string, unknown> {
  if (!isPlainObject(patch)) return {};
  const { after: _after, ...rest } = patch;
  return rest;
}
