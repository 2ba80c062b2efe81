import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { scenarioYaml } from '../../generate/write/scenario-yaml.ts';
import { listActions, listEvents, listFacts } from '../../properties/check/check-names.ts';
import { checkProperties, type PropertyResult } from '../../properties/check/check-properties.ts';
import { createCounterexampleScenario, formatExploredScenario } from '../../properties/counterexample-scenario.ts';
import { formatPromela } from '../../properties/export/promela.ts';
import type { Property } from '../../properties/language/formula.ts';
import { isPropertiesFile, readPropertiesFile } from '../../properties/language/read-properties.ts';
import type { PropertyModel } from '../../properties/models/property-model.ts';
import { createRulesetProperties } from '../../properties/own/ruleset-properties.ts';
import { readShippedProperties } from '../../properties/shipped-properties.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { print, printJson } from '../print.ts';
import { inStagedFolder } from '../staged-folder.ts';
import { ModelSource } from './open-model.ts';
import type { PropertiesArguments } from './properties-options.ts';
import { type MachineResults, printNames, printResults } from './properties-report.ts';

/**
 * Checks the properties of some files. Returns 1 if one is violated or vacuous.
 *
 * @throws NudgeLabError `property-invalid`, `property-too-large`, `usage-invalid`, and those of an exploration
 */
export async function properties(args: PropertiesArguments, context: CommandContext): Promise<ExitCode> {
  const source = await ModelSource.open(args, context);
  if (args.names) return printModelNames(source, args, context);
  const chosen = await chooseProperties(source, args, context);
  const byMachine = groupByMachine(chosen, source, args);
  source.requireUse([...byMachine.keys()]);
  if (args.promela !== null) return writePromela(chosen, args.promela, source, args, context);
  const machines: MachineResults[] = [];
  const models = new Map<string, PropertyModel>();
  for (const [name, own] of byMachine) {
    const elapsedMs = context.clock.stopwatch();
    const model = await source.model(name);
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

/** Groups properties by their machine. The option is stronger than the file. */
function groupByMachine(
  chosen: readonly Property[],
  source: ModelSource,
  args: PropertiesArguments,
): ReadonlyMap<string, readonly Property[]> {
  return Map.groupBy(chosen, ({ machine }) => args.machine ?? machine ?? source.machineDefault);
}

/** Lists the properties that come with a machine: those of the specification, or those that every own ruleset has. */
async function listDefaults(source: ModelSource): Promise<readonly Property[]> {
  const ruleset = await source.findOwn(source.machineDefault);
  if (ruleset === null) return readShippedProperties();
  const model = await source.model(source.machineDefault);
  return 'explored' in model ? createRulesetProperties(ruleset, model) : [];
}

async function chooseProperties(
  source: ModelSource,
  { operands, only }: PropertiesArguments,
  { cwd }: CommandContext,
): Promise<readonly Property[]> {
  const other = operands.find((file) => !isPropertiesFile(file));
  if (other !== undefined) {
    throw new NudgeLabError('usage-invalid', {
      message: `"${other}" is not a file that ends with .properties.yaml or .properties.json.`,
    });
  }
  const all =
    operands.length === 0
      ? await listDefaults(source)
      : operands.flatMap((file) => readPropertiesFile(resolve(cwd, file), file));
  const ids = all.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw new NudgeLabError('usage-invalid', { message: endSentence(`--only ${describeUnknownName(unknown, ids)}`) });
  }
  return only.length === 0 ? all : all.filter(({ id }) => only.includes(id));
}

async function printModelNames(
  source: ModelSource,
  args: PropertiesArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const machine = source.machineDefault;
  source.requireUse([machine]);
  const model = await source.model(machine);
  const names = { machine, facts: listFacts(model), events: listEvents(model), actions: listActions(model) };
  if (args.json) printJson(context.stdout, names);
  else printNames(names, args, context);
  return 0;
}

/** Writes a Promela model for each property. */
async function writePromela(
  chosen: readonly Property[],
  out: string,
  source: ModelSource,
  args: PropertiesArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const folder = resolve(context.cwd, out);
  const files: string[] = [];
  await inStagedFolder(folder, async (staging) => {
    for (const [name, own] of groupByMachine(chosen, source, args)) {
      const model = await source.model(name);
      for (const property of own) {
        writeFileSync(join(staging, `${property.id}.pml`), formatPromela(model, property));
        files.push(relative(context.cwd, join(folder, `${property.id}.pml`)));
      }
    }
  });
  if (args.json) printJson(context.stdout, { files });
  else
    print(context.stdout, files, (visible) => [
      `${visible.length} models in ${out}; verify one with spin -run -a -m5000000 FILE`,
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
  const folder = resolve(cwd, out);
  const texts = new Map<string, string>();
  for (const { machine, result } of violated) {
    const text = await formatCounterexample(result, models.get(machine) as PropertyModel, folder);
    if (text !== null) texts.set(result.id, text);
  }
  if (texts.size === 0) return files;
  await inStagedFolder(folder, async (staging) => {
    for (const [id, text] of texts) {
      writeFileSync(join(staging, `${id}.yaml`), text);
      files.set(id, relative(cwd, join(folder, `${id}.yaml`)));
    }
  });
  return files;
}

/** Formats the scenario of a counterexample; `null` for models whose steps no driver can run. */
async function formatCounterexample(
  result: PropertyResult,
  model: PropertyModel,
  folder: string,
): Promise<string | null> {
  const comment = describeOrigin(result);
  if ('explored' in model) {
    const from = relative(folder, model.rulesetFile ?? '').replaceAll('\\', '/');
    const rulesetPath = from.startsWith('.') ? from : `./${from}`;
    return formatExploredScenario(result, model, { rulesetPath, comment });
  }
  const scenario = await createCounterexampleScenario(result, model);
  return scenario === null ? null : scenarioYaml(scenario, comment);
}

function describeOrigin({ id, covers, counterexample }: PropertyResult): string {
  const cycleFrom = counterexample?.cycleFrom ?? null;
  const rules = covers.length === 0 ? '' : ` (${covers.join(', ')})`;
  const what = `Shortest counterexample of the property ${id}${rules}.`;
  return cycleFrom === null
    ? what
    : `${what}\nThe steps after the first ${cycleFrom} repeat forever; the scenario runs them twice.`;
}
