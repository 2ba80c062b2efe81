import type { DeclaredFacts, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { isPlainObject, mergePatch } from '../../core/merge-patch.ts';
import { readRules } from './read-rules.ts';
import { readDefinitions, readShapes, type ShapedRuleset } from './read-shapes.ts';
import type { RulesetFaults } from './ruleset-fault.ts';
import { RulesetScope } from './ruleset-scope.ts';
import { parseInstantValue } from './ruleset-values.ts';

/** Keys that an edition cannot change, because ledgers and ids outlive it (RS32). */
const fixedKeys = ['ruleset', 'format', 'facts', 'editions', 'version', 'base'];

/**
 * Reads the editions of a ruleset: each is a merge patch over the result of the ones before (OC57). Faults of a result
 * are located in the patch.
 */
export function readEditions(
  data: Readonly<Record<string, unknown>>,
  shaped: ShapedRuleset,
  facts: DeclaredFacts,
  faults: RulesetFaults,
): OwnRuleset['editions'] {
  const editions: OwnRuleset['editions'][number][] = [];
  const { editions: _editions, ...start } = data;
  let current: Readonly<Record<string, unknown>> = start;
  let lastMs = Number.NEGATIVE_INFINITY;
  // What is wrong before the first edition is not reported again for each of them.
  const before = faults.count;
  for (const [index, { from, id, set }] of (shaped.editions ?? []).entries()) {
    const path = ['editions', index];
    const read = parseInstantValue(from);
    if ('message' in read) {
      faults.add('RS24', [...path, 'from'], read.message);
      continue;
    }
    if (read.value <= lastMs) {
      faults.add('RS32', [...path, 'from'], 'is not later than the edition before; list the editions in order of time');
    }
    lastMs = Math.max(lastMs, read.value);
    const inSet = faults.below([...path, 'set']);
    const refused = Object.keys(set).filter((key) => fixedKeys.includes(key));
    for (const key of refused) inSet.addKey('RS32', [key], `an edition cannot change ${key}`);
    if (isPlainObject(set['ledger']) && Object.hasOwn(set['ledger'], 'keys')) {
      inSet.addKey('RS32', ['ledger', 'keys'], 'an edition cannot change ledger.keys, because the ledger outlives it');
    }
    if (refused.length > 0) continue;
    current = patchRules(current, set, inSet);
    if (before > 0) continue;
    const next = readShapes(current, inSet);
    const settings = readDefinitions(next.settings ?? {}, 'RS06', ['settings'], inSet);
    const rules = readRules(next, new RulesetScope(inSet, settings, facts, current), {
      edition: id ?? from,
      id: shaped.ruleset ?? '',
      written: current,
    });
    if (rules !== null) editions.push({ fromMs: read.value, rules });
  }
  return editions;
}

/** Applies a merge patch. `gates` may be a map: the id of a gate to a patch, `null`, or a new gate with `after`. */
function patchRules(
  current: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
  faults: RulesetFaults,
): Readonly<Record<string, unknown>> {
  const { gates, ...rest } = patch;
  const merged = mergePatch(current, rest) as Readonly<Record<string, unknown>>;
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
      list =
        patch === null
          ? list.toSpliced(index, 1)
          : list.toSpliced(index, 1, mergePatch(list[index], withoutAfter(patch)));
      continue;
    }
    const after = isPlainObject(patch) ? patch['after'] : undefined;
    const place = after === undefined ? list.length : list.findIndex((gate) => gateName(gate) === after) + 1;
    if (patch === null || !isPlainObject(patch)) {
      faults.addKey('RS24', ['gates', id], `no gate has the id "${id}"`);
    } else if (after !== undefined && place === 0) {
      faults.add('RS24', ['gates', id, 'after'], `no gate has the id "${String(after)}"`);
    } else list = list.toSpliced(place, 0, { id, ...withoutAfter(patch) });
  }
  return list;
}

function gateName(gate: unknown): unknown {
  return isPlainObject(gate) ? (gate['id'] ?? gate['use'] ?? gate['place']) : undefined;
}

function withoutAfter(patch: unknown): Record<string, unknown> {
  if (!isPlainObject(patch)) return {};
  const { after: _after, ...rest } = patch;
  return rest;
}
