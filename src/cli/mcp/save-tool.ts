import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { computeSha256 } from '../../core/digest.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { loadText } from '../../scenario/load.ts';
import { writeSuiteFile } from '../serve/suite/write-file.ts';
import { defineTool } from './tool.ts';
import { saveInput, saveOutput } from './tool-schemas.ts';
import { openFolder } from './tool-setting.ts';

/** Tool that saves a scenario. It is the only one that writes, and is offered only with `--allow-scenario-edits`. */
export const saveTool = defineTool({
  name: 'save_scenario',
  title: 'Save a scenario',
  description:
    'Saves the YAML of a scenario in the scenario folder. Text with problems is rejected. An existing file is kept ' +
    'unless `overwrite` is true.',
  input: saveInput,
  output: saveOutput,
  writes: true,
  limitMs: null,
  run: async ({ path, text, overwrite }, setting) => {
    if (!setting.allowScenarioEdits) {
      throw new NudgeLabError('suite-read-only', {
        message: 'The scenario folder is read-only. Start the server with `nudgelab mcp --allow-scenario-edits`.',
      });
    }
    if (!/\.ya?ml$/.test(path)) {
      const problems = [{ location: 'input.path', message: 'must end in .yaml or .yml' }];
      throw new NudgeLabError('bad-request', { problems });
    }
    const folder = openFolder(setting);
    const { scenarios, problems } = loadText(folder.formatPath(path), text, await folder.fixtures(), {
      rulesets: await folder.rulesets(),
    });
    if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
    // A listed file is inside of the folder. For any other path, the writer decides.
    const replaced = overwrite && folder.paths().includes(path) ? computeDigest(join(folder.root, path)) : null;
    const { isNew } = writeSuiteFile(folder.root, { path, text, digest: replaced }, setting.writer);
    return { path: folder.formatPath(path), created: isNew, scenarios: scenarios.length };
  },
});

function computeDigest(file: string): string | null {
  return existsSync(file) ? computeSha256(readFileSync(file, 'utf8')) : null;
}
