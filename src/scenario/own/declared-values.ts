import type { FactValues } from '../../../machines/own/own-facts.ts';
import { type Definitions, readDeclaredValues } from '../../contract/declared-values.ts';
import { NudgeLabError } from '../../core/errors.ts';

export { type Definitions, listDefaults } from '../../contract/declared-values.ts';

/**
 * Reads values of declared facts or settings.
 *
 * @param written - values by name
 * @param definitions - declared names
 * @param location - location of the values in messages, such as `given.tenant.facts`
 * @returns the given values only
 * @throws NudgeLabError `scenario-invalid` with every unknown name and every value of the wrong type
 */
export function readDeclared(
  written: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  location: string,
): FactValues {
  const { values, problems } = readDeclaredValues(written, definitions, location);
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
  return values;
}
