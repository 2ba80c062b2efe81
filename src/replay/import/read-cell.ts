import type { FactDefinition, FactValue } from '../../../machines/own/own-ruleset.ts';
import { parseDefined } from '../../contract/declared-values.ts';
import type { Read } from '../../contract/ruleset-values.ts';
import { parseInstant, toInstant } from '../../core/clock.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { splitWords } from './user-methods.ts';

/** Texts that logs write for a boolean, in lower case. */
const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

/** Limit between numeric times in seconds and in milliseconds since the epoch, as in the time column. */
const secondsMax = 100_000_000_000;

/**
 * Reads the text of a column as the value of a fact (OC50). A list of a set is JSON, or words with separators; a time
 * without an offset is UTC, and a number is a time in seconds or milliseconds since 1970, as in the time column.
 *
 * @param text - text of the column, which is not empty
 * @param definition - definition of the fact, with its map
 * @returns the value, or what is wrong with the text
 */
export function readCell(text: string, definition: FactDefinition): Read<FactValue> {
  if (definition.type === 'set') return readList(text, definition);
  const map = definition.import?.map ?? null;
  return map === null ? parseDefined(toWritten(text, definition.type), definition) : findMapped(text, map);
}

function readList(text: string, definition: FactDefinition): Read<FactValue> {
  const map = definition.import?.map ?? null;
  const words = splitWords(text);
  if (map === null) return parseDefined([...new Set(words)], definition);
  const items = new Set<string>();
  for (const word of words) {
    const read = findMapped(word, map);
    if ('message' in read) return read;
    for (const item of Array.isArray(read.value) ? (read.value as readonly string[]) : []) items.add(item);
  }
  return { value: [...items] };
}

function findMapped(text: string, map: Readonly<Record<string, FactValue>>): Read<FactValue> {
  if (Object.hasOwn(map, text)) return { value: map[text] ?? null };
  return { message: `${describeUnknownName(text, Object.keys(map))} in the map` };
}

/** Returns a text in the form in which scenarios write values of a type. A text of another form stays as it is. */
function toWritten(text: string, type: FactDefinition['type']): unknown {
  switch (type) {
    case 'boolean':
      return booleans[text.toLowerCase()] ?? text;
    case 'integer':
      return /^[+-]?\d{1,16}$/.test(text) ? Number(text) : text;
    case 'instant':
      return toWrittenInstant(text);
    default:
      return text;
  }
}

function toWrittenInstant(text: string): string {
  if (/^\d{1,15}$/.test(text)) {
    const number = Number(text);
    const atMs = number > secondsMax ? number : number * 1_000;
    return atMs <= latestMs ? toInstant(atMs) : text;
  }
  const written = text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
  return parseInstant(written) === null && parseInstant(`${written}Z`) !== null ? `${written}Z` : written;
}

/** End of the year 9999 in milliseconds, after which no text of ISO 8601 names a time. */
const latestMs = 253_402_300_799_999;
