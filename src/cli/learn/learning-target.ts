import { basename, resolve } from 'node:path';
import { assertExplorable } from '../../compiled/admissible.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { models } from '../../generate/exploration/explorations.ts';
import { givenModel } from '../../generate/exploration/given-model.ts';
import { modelMutants } from '../../generate/mutate/model-mutants.ts';
import type { MealyMachine } from '../../learn/mealy/mealy-machine.ts';
import { adaptAlphabet, DriverSystem } from '../../learn/systems/driver-system.ts';
import { builtInAlphabet, type LearningAlphabet } from '../../learn/systems/learning-alphabet.ts';
import { MachineSystem, type ObserveSnapshot, observeValue } from '../../learn/systems/machine-system.ts';
import { readAlphabetFile } from '../../learn/systems/read-alphabet.ts';
import { exploreSpecification } from '../../learn/systems/specification.ts';
import type { SystemUnderLearning } from '../../learn/systems/system-under-learning.ts';
import { SandboxModel } from '../../sandbox/sandbox.ts';
import { ModelDriver } from '../../scenario/drivers/model.driver.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext } from '../context.ts';
import { type ChosenDrivers, chooseDrivers } from '../run/choose-drivers.ts';
import { loadUserModule } from '../user-module.ts';
import type { LearnArguments } from './learn-options.ts';

/** System to learn, and what it is compared with. */
export interface LearningTarget {
  readonly system: SystemUnderLearning;
  readonly specification: MealyMachine | null;
  /** Steps of the inputs; `null` for a machine. */
  readonly alphabet: LearningAlphabet | null;
  /** What the driver cannot perform or show. */
  readonly omitted: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens the system that the arguments name.
 * @throws NudgeLabError `usage-invalid`, `machine-not-explorable` for `after` and `invoke`, and the errors of alphabets,
 * drivers and modules
 */
export async function openTarget(args: LearnArguments, context: CommandContext): Promise<LearningTarget> {
  const [machine] = args.operands;
  if (machine !== undefined) return openMachine(machine, args, context);
  if (args.specification !== null)
    refuse('--specification needs a machine as the operand; a driver is compared with the model.');
  return openDriver(args, context);
}

async function openMachine(name: string, args: LearnArguments, { cwd }: CommandContext): Promise<LearningTarget> {
  for (const option of ['alphabet', 'fault', 'url'] as const) {
    if (args[option] !== null) refuse(`--${option} applies to a driver, not to the machine ${name}.`);
  }
  const system = await loadMachine(name, cwd);
  const other = args.specification === null ? null : await loadMachine(args.specification, cwd);
  const missing = system.inputs.filter((input) => other?.inputs.includes(input) === false);
  if (missing.length > 0) refuse(`${args.specification} has no event ${missing.join(', ')}, which ${name} has.`);
  const specification = (await other?.explore()) ?? null;
  return { system, specification, alphabet: null, omitted: [], close: async () => undefined };
}

async function loadMachine(name: string, cwd: string): Promise<MachineSystem> {
  const builtIn = models.get(name)?.();
  if (builtIn !== undefined) return new MachineSystem(builtIn);
  if (!/[./\\]/.test(name)) {
    refuse(endSentence(`${describeUnknownName(name, [...models.keys()])}, or the path of a module`));
  }
  const exported = await loadUserModule(resolve(cwd, name));
  const { observe } = exported;
  if (observe !== undefined && typeof observe !== 'function') {
    const problems = [{ location: `${name}: observe`, message: 'must be a function that takes a snapshot' }];
    throw new NudgeLabError('config-invalid', { problems });
  }
  const model = givenModel(basename(name), exported);
  assertExplorable(model.machine, model.events);
  return new MachineSystem(model, (observe as ObserveSnapshot | undefined) ?? observeValue);
}

async function openDriver(args: LearnArguments, context: CommandContext): Promise<LearningTarget> {
  const { cwd } = context;
  const wanted =
    args.alphabet === null ? builtInAlphabet : readAlphabetFile(resolve(cwd, args.alphabet), args.alphabet);
  const { drivers, close } = await chooseLearningDriver(args, context);
  try {
    const [driver] = drivers;
    if (driver === undefined)
      throw new NudgeLabError('driver-not-found', { message: `There is no driver ${args.driver}.` });
    const { alphabet, omittedInputs, omittedValues } = await adaptAlphabet(driver, wanted);
    if (alphabet.inputs.length === 0) refuse(`The ${driver.name} driver can perform none of the inputs.`);
    const specification = await exploreSpecification(alphabet);
    const system = new DriverSystem(driver, alphabet);
    return { system, specification, alphabet, omitted: [...omittedInputs, ...omittedValues], close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function chooseLearningDriver(args: LearnArguments, context: CommandContext): Promise<ChosenDrivers> {
  const { driver, fault, url, controlKey } = args;
  if (fault !== null) {
    if (driver !== 'model') refuse(`--fault plants a fault in the model, and the driver is ${driver}.`);
    return { drivers: [createFaultyDriver(fault)], close: async () => undefined };
  }
  const config = await loadConfig(args.config, context.cwd);
  return chooseDrivers([driver], { config, url, controlKey, evidence: null, env: context.env });
}

function createFaultyDriver(id: string): ModelDriver {
  const mutants = modelMutants();
  const mutant = mutants.find((one) => one.id === id);
  if (mutant !== undefined) return new ModelDriver(new SandboxModel(mutant.parts));
  const near = mutants.filter((one) => one.id.toLowerCase().includes(id.toLowerCase())).slice(0, 3);
  const hint = near.length === 0 ? '' : ` Similar ids: ${near.map((one) => JSON.stringify(one.id)).join(', ')}.`;
  return refuse(`--fault: no mutant has the id ${JSON.stringify(id)}.${hint}`);
}

function refuse(message: string): never {
  throw new NudgeLabError('usage-invalid', { message });
}
