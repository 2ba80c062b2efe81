import { searchClausesMax } from '../../core/limits.ts';
import { formatValue } from '../policy-reader.ts';
import { OptionSyntaxError } from './filter-scanner.ts';

/** Clause of a search: every word of the text begins a word of the property. */
export interface SearchClause {
  readonly property: string;
  /** Words in lower case. */
  readonly words: readonly string[];
}

/** Parsed search: at least one list applies, and a list applies if all of its clauses do. */
export type Search = readonly (readonly SearchClause[])[];

const clause = /\s*"([^":]*):([^"]*)"/y;
const joint = /\s+(AND|OR)\s/y;
const ending = /\s*$/y;

/**
 * Parses the value of `$search`: clauses such as `"displayName:ada"`, joined by `AND` and `OR` in capitals. `AND`
 * binds closer.
 *
 * @param properties - properties that can be searched
 * @throws OptionSyntaxError for any other form, with the position
 */
export function parseSearch(text: string, properties: readonly string[]): Search {
  const lists: SearchClause[][] = [[]];
  let at = 0;
  for (let count = 1; ; count += 1) {
    if (count > searchClausesMax) throw new OptionSyntaxError(`the search has more than ${searchClausesMax} clauses`);
    clause.lastIndex = at;
    const [, name = '', value = ''] = clause.exec(text) ?? failAt(at, 'a clause "property:text" is missing');
    lists.at(-1)?.push(readClause(name, value, properties, at));
    at = clause.lastIndex;
    ending.lastIndex = at;
    if (ending.test(text)) return lists;
    joint.lastIndex = at;
    const [, word] = joint.exec(text) ?? failAt(at, 'clauses must be joined by AND or OR in capitals');
    if (word === 'OR') lists.push([]);
    at = joint.lastIndex;
  }
}

function readClause(name: string, value: string, properties: readonly string[], at: number): SearchClause {
  const property = properties.find((one) => one.toLowerCase() === name.trim().toLowerCase());
  if (property === undefined) {
    failAt(at, `the property ${formatValue(name.trim())} cannot be searched; allowed: ${properties.join(', ')}`);
  }
  const words = listWords(value);
  if (words.length === 0) failAt(at, 'the text of a clause is empty');
  return { property: property ?? '', words };
}

/** Splits a text into its words in lower case. */
export function listWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function failAt(at: number, message: string): never {
  throw new OptionSyntaxError(`position ${at + 1}: ${message}`);
}
