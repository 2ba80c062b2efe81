import type { ConformanceMapping } from '../../contract/conformance.schema.ts';
import type { ValidationProblem } from '../../core/errors.ts';
import type { YamlSource } from '../../scenario/yaml-source.ts';

/** Texts of the mappings that were read from one. */
const sources = new WeakMap<ConformanceMapping, YamlSource>();

/**
 * Remembers the text of a mapping, so that faults that only a log or a ruleset reveals have their place in it.
 *
 * @param mapping - mapping that was read
 * @param source - its text
 */
export function rememberSource(mapping: ConformanceMapping, source: YamlSource): void {
  sources.set(mapping, source);
}

/**
 * Describes a fault of a mapping.
 *
 * @param mapping - mapping with the fault
 * @param path - keys that lead to it
 * @param message - what is wrong
 * @returns the problem at file, line and column; at "the mapping" if it was not read from a text
 */
export function createMappingProblem(
  mapping: ConformanceMapping,
  path: readonly string[],
  message: string,
): ValidationProblem {
  const location = sources.get(mapping)?.keyPlace(path) ?? 'the mapping';
  return { location, message: `${path.join('.')}: ${message}` };
}

/**
 * Returns the keys of a fact of the sign-in whose value the mapping states, because it lists the meanings of values.
 *
 * @param mapping - mapping of the log
 * @param path - path of the fact
 * @param value - value of the fact
 * @returns the keys that lead to the meaning; `null` if the log states the value
 */
export function findMeaning(mapping: ConformanceMapping, path: string, value: unknown): readonly string[] | null {
  const { values } = mapping.attempt[path] ?? {};
  if (values === undefined) return null;
  const written = Object.keys(values).find((key) => values[key] === value);
  return ['attempt', path, 'values', ...(written === undefined ? [] : [written])];
}

/** What a schema found wrong with facts. */
export interface FactIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
}

/**
 * Returns the path of a mapped fact that a schema found wrong.
 *
 * @param issue - issue of the schema
 * @param paths - paths of the mapped facts
 * @returns the path; `null` if none belongs to the issue
 */
export function findFaultyPath({ path, keys = [] }: FactIssue, paths: Iterable<string>): string | null {
  const faulty = [...path, ...keys.slice(0, 1)].join('.');
  return [...paths].find((one) => `${faulty}.`.startsWith(`${one}.`) || one.startsWith(`${faulty}.`)) ?? null;
}
