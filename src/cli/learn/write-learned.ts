import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { formatCount } from '../../core/format-count.ts';
import { scenarioYaml } from '../../generate/write/scenario-yaml.ts';
import { createDifferenceScenario } from '../../learn/difference/difference-scenario.ts';
import type { LearnResult } from '../../learn/learn.ts';
import { getStateAfter, transitionNumber, withInputs } from '../../learn/mealy/mealy-machine.ts';
import { writeMachineModule } from '../../learn/write/machine-module.ts';
import { drawDot, drawMermaid, drawSvg, formatValues } from '../../learn/write/machine-pictures.ts';
import type { CommandContext } from '../context.ts';
import { inStagedFolder } from '../staged-folder.ts';
import type { LearningTarget } from './learning-target.ts';

/** Files of a learned machine, relative to the current folder. */
export interface WrittenFiles {
  readonly machine: readonly string[];
  /** Scenario of each difference; `null` for a difference that no scenario can show. */
  readonly scenarios: readonly (string | null)[];
}

/** Subfolder of the scenarios. */
const scenariosFolder = 'differences';

/**
 * Writes the machine as a module and as pictures, and a scenario for each difference.
 * @throws NudgeLabError `file-unreadable` if the folder cannot be written
 */
export async function writeLearned(
  { system, specification, alphabet }: LearningTarget,
  { machine, differences, end }: LearnResult,
  out: string,
  { cwd }: CommandContext,
): Promise<WrittenFiles> {
  const folder = resolve(cwd, out);
  const different = new Set(
    end === 'tests-passed'
      ? differences.map(({ word }) =>
          transitionNumber(machine, getStateAfter(machine, word.slice(0, -1)), word.at(-1) as number),
        )
      : [],
  );
  const origin = `Learned from ${system.name}: ${formatCount(machine.states, 'state')}${end === 'tests-passed' ? '' : ', incomplete'}.`;
  const texts = new Map([
    ['learned.machine.ts', writeMachineModule(machine, origin)],
    ['learned.mmd', drawMermaid(machine, different)],
    ['learned.dot', drawDot(machine, different)],
    ['learned.svg', drawSvg(machine, different)],
  ]);
  const expected = specification === null ? null : withInputs(specification, system.inputs);
  const digits = String(differences.length).length;
  const scenarios = differences.map(({ word, expected: wanted, actual }, at) => {
    if (alphabet === null || expected === null) return null;
    const number = String(at + 1).padStart(digits, '0');
    const name = `Difference ${number}: ${system.inputs[word.at(-1) as number]} after ${formatCount(word.length - 1, 'step')}`;
    const scenario = createDifferenceScenario(name, word, expected, alphabet);
    if (scenario === null) return null;
    const text = `The specification shows: ${formatValues(wanted)}.\nThe ${system.name} driver shows: ${formatValues(actual)}.`;
    return { file: join(scenariosFolder, `difference-${number}.yaml`), text: scenarioYaml(scenario, text) };
  });
  await inStagedFolder(folder, async (staging) => {
    for (const [name, text] of texts) writeFileSync(join(staging, name), text);
    mkdirSync(join(staging, scenariosFolder));
    for (const scenario of scenarios) if (scenario !== null) writeFileSync(join(staging, scenario.file), scenario.text);
  });
  return {
    machine: [...texts.keys()].map((name) => relative(cwd, join(folder, name))),
    scenarios: scenarios.map((one) => (one === null ? null : relative(cwd, join(folder, one.file)))),
  };
}
