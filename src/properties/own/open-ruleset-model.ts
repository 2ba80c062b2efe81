import { NudgeLabError } from '../../core/errors.ts';
import { NotCompiled } from '../../forecast/own/not-compiled.ts';
import { readAnyFile } from '../../scenario/rulesets/read-ruleset-file.ts';
import type { Property } from '../language/formula.ts';
import type { ExploredModel } from '../models/property-model.ts';
import { createOwnModel } from './own-model.ts';
import { createRulesetProperties } from './ruleset-properties.ts';

/** Model of a ruleset file, with the properties that every own ruleset has. */
export interface RulesetModel {
  readonly model: ExploredModel;
  readonly properties: readonly Property[];
}

/**
 * Opens a ruleset file with the base `own` as a model of one user.
 *
 * @param path - path of the file
 * @returns the model, and the properties that every own ruleset has
 * @throws NudgeLabError `ruleset-invalid` for a file with faults or with another base, and `ruleset-not-compiled` for one
 *   without finitely many states
 */
export function openRulesetModel(path: string): RulesetModel {
  const { read, faults } = readAnyFile(path, path);
  if (read?.base !== 'own') {
    const problems = faults.map(({ code, location, message }) => ({ location, message: `${code} ${message}` }));
    const other = [{ location: path, message: 'the base must be own' }];
    throw new NudgeLabError('ruleset-invalid', { problems: read === null ? problems : other });
  }
  try {
    const model = createOwnModel(read.ruleset, path);
    return { model, properties: createRulesetProperties(read.ruleset, model) };
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error;
    throw error.toError((keys) => `${path}: ${keys.join('.')}`, 'scenarios and fuzz work without tables');
  }
}
