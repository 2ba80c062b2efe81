import type { FactDefinition, FactValue } from '../../../machines/own/own-ruleset.ts';
import { parseDefined } from '../../contract/declared-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';

/**
 * Reads where sign-in logs have a fact (OC50).
 *
 * @param written - column and map, as they are written
 * @param definition - definition of the fact, whose values the map has
 * @param addFault - adds a fault at a path below the fact
 * @returns the column with its map, or nothing for a fact that logs do not have
 */
export function readFactImport(
  written: { readonly import?: string | undefined; readonly map?: Readonly<Record<string, unknown>> | undefined },
  definition: FactDefinition,
  addFault: (path: readonly string[], message: string) => void,
): Pick<FactDefinition, 'import'> {
  const { import: column, map } = written;
  if (column === undefined) {
    if (map !== undefined) addFault(['map'], 'a map needs import, the column whose texts it maps');
    return {};
  }
  if (column.trim() === '') addFault(['import'], 'is blank; write the name of a column');
  if (map === undefined) return { import: { column, map: null } };
  if (!isPlainObject(map) || Object.keys(map).length === 0) {
    addFault(['map'], 'is empty; leave it out if the texts of the column are the values');
    return { import: { column, map: null } };
  }
  const entries = Object.entries(map).flatMap(([text, value]): readonly (readonly [string, FactValue])[] => {
    const read = parseDefined(value, definition);
    if ('value' in read) return [[text, read.value]];
    addFault(['map', text], read.message);
    return [];
  });
  return { import: { column, map: Object.fromEntries(entries) } };
}
