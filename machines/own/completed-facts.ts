import { type Given, readOperand } from './condition.ts';
import type { FactValues } from './own-facts.ts';
import type { FactValue } from './own-ruleset.ts';

/** Returns the facts of the user after a completed setup (OC13). */
export function completedFacts(before: FactValues, given: Given, nowMs: number): FactValues {
  const { set, add } = given.rules.completion;
  const facts: Record<string, FactValue> = { ...before };
  for (const { path, value } of set) facts[lastPart(path)] = value === 'now' ? nowMs : readOperand(value, given);
  for (const { path, value } of add) {
    facts[lastPart(path)] = [...new Set([...toItems(facts[lastPart(path)]), ...toItems(readOperand(value, given))])];
  }
  return facts;
}

function toItems(value: FactValue | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? value : [String(value)];
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
