import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { ScenarioData } from '../../generate/journey.ts';
import { scenarioBytesMax } from '../../scenario/data-file.ts';
import { substituteExample } from '../../scenario/examples.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

/**
 * Reads one scenario of a file and inserts the values of its example row. The suffix `#3` of the operand selects a
 * row. Throws `file-unreadable`, `scenario-invalid` for invalid YAML, and `usage-invalid` if the row is missing.
 */
export function readScenarioData(operand: string, cwd: string): ScenarioData {
  const [, file = operand, row] = /^(.+)#(\d+)$/.exec(operand) ?? [];
  const source = readSource(resolve(cwd, file), file);
  if (source.problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems: source.problems });
  const { data } = source;
  const examples: readonly unknown[] = isPlainObject(data) && Array.isArray(data['examples']) ? data['examples'] : [];
  if (examples.length > 0 && row === undefined && examples.length > 1) {
    throw new NudgeLabError('usage-invalid', {
      message: `${file} has ${examples.length} examples rows. Name one, such as ${file}#1.`,
    });
  }
  const filled = examples[Number(row ?? 1) - 1];
  if (row !== undefined && filled === undefined) {
    throw new NudgeLabError('usage-invalid', {
      problems: [{ location: operand, message: 'the file has no such examples row' }],
    });
  }
  const { covers = [], ...rest } = substituteExample(source, filled ?? null) as ScenarioData;
  return { covers, ...rest };
}

function readSource(path: string, shown: string): YamlSource {
  try {
    return YamlSource.ofFile(path, shown, scenarioBytesMax);
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `${path} cannot be read.`, cause });
  }
}
