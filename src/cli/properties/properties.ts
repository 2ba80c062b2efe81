import { writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { givenModel } from '../../generate/exploration/given-model.ts';
import { scenarioYaml } from '../../generate/write/scenario-yaml.ts';
import { listActions, listEvents, listFacts } from '../../properties/check/check-names.ts';
import { checkProperties, type PropertyResult } from '../../properties/check/check-properties.ts';
import { createCounterexampleScenario } from '../../properties/counterexample-scenario.ts';
import { formatPromela } from '../../properties/export/promela.ts';
import type { Property } from '../../properties/language/formula.ts';
import { isPropertiesFile, readPropertiesFile } from '../../properties/language/read-properties.ts';
import { createBuiltInModel, usesRuleset } from '../../properties/models/built-in-models.ts';
import { machinePropertyModel } from '../../properties/models/machine-model.ts';
import { modelDefault, modelNames } from '../../properties/models/model-names.ts';
import type { PropertyModel } from '../../properties/models/property-model.ts';
import { readShippedProperties } from '../../properties/shipped-properties.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { requireCampaign } from '../named-ruleset.ts';
import { openRulesets } from '../open-rulesets.ts';
import { print, printJson } from '../print.ts';
import { inStagedFolder } from '../staged-folder.ts';
import { loadUserModule } from '../user-module.ts';
import type { PropertiesArguments } from './properties-options.ts';
import { type MachineResults, printNames, printResults } from './properties-report.ts';

/**
 * Checks the properties of some files. Returns 1 if one is violated or vacuous.
 *
 * @throws NudgeLabError `property-invalid`, `property-too-large`, `usage-invalid`, and those of an exploration
 */
export async function properties(args: PropertiesArguments, context: CommandContext): Promise<ExitCode> {
  if (args.names) return printModelNames(args, context);
  const chosen = chooseProperties(args, context);
  if (args.promela !== null) return writePromela(chosen, args.promela, args, context);
  const machines: MachineResults[] = [];
  const models = new Map<string, PropertyModel>();
  for (const [name, own] of Map.groupBy(chosen, ({ machine }) => args.machine ?? machine ?? modelDefault)) {
    const elapsedMs = context.clock.stopwatch();
    const model = await createModel(name, args, context);
    models.set(name, model);
    const results = checkProperties(model, own);
    machines.push({ machine: name, results, elapsedMs: Math.round(elapsedMs()) });
  }
  const files =
    args.out === null ? new Map<string, string>() : await writeScenarios(machines, models, args.out, context);
  const holds = machines.every(({ results }) => results.every(({ verdict }) => verdict === 'proven'));
  if (args.json) printJson(context.stdout, { holds, machines: machines.map((one) => withFiles(one, files)) });
  else printResults(machines, files, args, context);
  return holds ? 0 : 1;
}

function withFiles({ results, ...rest }: MachineResults, files: ReadonlyMap<string, string>): object {
  return { ...rest, properties: results.map((result) => ({ ...result, scenario: files.get(result.id) ?? null })) };
}

function chooseProperties({ operands, only }: PropertiesArguments, { cwd }: CommandContext): readonly Property[] {
  const other = operands.find((file) => !isPropertiesFile(file));
  if (other !== undefined) {
    throw new NudgeLabError('usage-invalid', {
      message: `"${other}" is not a file that ends with .properties.yaml or .properties.json.`,
    });
  }
  const all =
    operands.length === 0
      ? readShippedProperties()
      : operands.flatMap((file) => readPropertiesFile(resolve(cwd, file), file));
  const ids = all.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw new NudgeLabError('usage-invalid', { message: endSentence(`--only ${describeUnknownName(unknown, ids)}`) });
  }
  return only.length === 0 ? all : all.filter(({ id }) => only.includes(id));
}

async function createModel(name: string, args: PropertiesArguments, context: CommandContext): Promise<PropertyModel> {
  const { cwd } = context;
  if (args.ruleset !== null && !usesRuleset(name)) {
    throw new NudgeLabError('usage-invalid', {
      message: `The machine ${name} evaluates no sign-ins, so --ruleset has no effect on it.`,
    });
  }
  const builtIn = createBuiltInModel(name, {
    ruleset: usesRuleset(name) ? await findRuleset(args, context) : undefined,
  });
  if (builtIn !== null) return builtIn;
  if (!/[./\\]/.test(name)) {
    const unknown = describeUnknownName(name, modelNames);
    throw new NudgeLabError('usage-invalid', { message: endSentence(`${unknown}, or the path of a module`) });
  }
  return machinePropertyModel(givenModel(basename(name), await loadUserModule(resolve(cwd, name))));
}

/** Returns the ruleset of the command line or of the configuration; `undefined` for the default. */
async function findRuleset(args: PropertiesArguments, { cwd }: CommandContext): Promise<Ruleset | undefined> {
  const { chosen } = await openRulesets(args, await loadConfig(args.config, cwd), cwd);
  return chosen === null ? undefined : requireCampaign(chosen, 'properties');
}

async function printModelNames(args: PropertiesArguments, context: CommandContext): Promise<ExitCode> {
  const machine = args.machine ?? modelDefault;
  const model = await createModel(machine, args, context);
  const names = { machine, facts: listFacts(model), events: listEvents(model), actions: listActions(model) };
  if (args.json) printJson(context.stdout, names);
  else printNames(names, args, context);
  return 0;
}

/** Writes a Promela model for each property. */
async function writePromela(
  chosen: readonly Property[],
  out: string,
  args: PropertiesArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const folder = resolve(context.cwd, out);
  const files: string[] = [];
  await inStagedFolder(folder, async (staging) => {
    for (const [name, own] of Map.groupBy(chosen, ({ machine }) => args.machine ?? machine ?? modelDefault)) {
      const model = await createModel(name, args, context);
      for (const property of own) {
        writeFileSync(join(staging, `${property.id}.pml`), formatPromela(model, property));
        files.push(relative(context.cwd, join(folder, `${property.id}.pml`)));
      }
    }
  });
  if (args.json) printJson(context.stdout, { files });
  else
    print(context.stdout, files, (visible) => [
      `${visible.length} models in ${out}; verify one with spin -run -a FILE`,
    ]);
  return 0;
}

/** Writes a scenario for each counterexample. Returns the file of each property. */
async function writeScenarios(
  machines: readonly MachineResults[],
  models: ReadonlyMap<string, PropertyModel>,
  out: string,
  { cwd }: CommandContext,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const violated = machines.flatMap(({ machine, results }) =>
    results.filter(({ counterexample }) => counterexample !== null).map((result) => ({ machine, result })),
  );
  if (violated.length === 0) return files;
  const folder = resolve(cwd, out);
  await inStagedFolder(folder, async (staging) => {
    for (const { machine, result } of violated) {
      const scenario = await createCounterexampleScenario(result, models.get(machine) as PropertyModel);
      if (scenario === null) continue;
      writeFileSync(join(staging, `${result.id}.yaml`), scenarioYaml(scenario, describeOrigin(result)));
      files.set(result.id, relative(cwd, join(folder, `${result.id}.yaml`)));
    }
  });
  return files;
}

function describeOrigin({ id, covers, counterexample }: PropertyResult): string {
  const cycleFrom = counterexample?.cycleFrom ?? null;
  const rules = covers.length === 0 ? '' : ` (${covers.join(', ')})`;
  const what = `Shortest counterexample of the property ${id}${rules}.`;
  return cycleFrom === null
    ? what
    : `${what}\nThe steps after the first ${cycleFrom} repeat forever; the scenario runs them twice.`;
}
