import { basename, resolve } from 'node:path';
import type { Model } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import {
  type CombineOptions,
  type GivenArray,
  givenCombinations,
  signInCombinations,
} from '../../generate/covering-arrays/array-suite.ts';
import { models, products } from '../../generate/exploration/explorations.ts';
import { givenModel } from '../../generate/exploration/given-model.ts';
import type { Budget, Generation } from '../../generate/generation.ts';
import { type LifecycleOptions, lifecycleCriteria, lifecycleWalk } from '../../generate/suites/lifecycle-suite.ts';
import {
  type MachineCriterion,
  machineCriteria,
  machineSuite,
  machineWalk,
} from '../../generate/suites/machine-suite.ts';
import { journeyTours } from '../../generate/tours/journey-tours.ts';
import { loadUserModule } from '../user-module.ts';
import type { GenerateArguments } from './generate-options.ts';

/** Planned suite, with the user's module if the state machine comes from one. */
export interface PlannedSuite {
  readonly suite: Generation;
  /** Absolute path of the module that exports the machine; `null` for a built-in model. */
  readonly module: string | null;
}

/** Time limit of the planning, and the callback for better rows. */
export interface PlannedWork {
  readonly budget: Budget;
  readonly onRows: NonNullable<CombineOptions['onProgress']>;
}

/** Name of the default model. */
const lifecycleName = 'nudge';
/** Name of the tours of the sandbox, which combines all state machines. */
const journeysName = 'journeys';

/**
 * Plans the requested suite. Throws `usage-invalid` for an unknown model or coverage criterion, and any error of
 * the test search.
 */
export async function planSuite(args: GenerateArguments, cwd: string, work: PlannedWork): Promise<PlannedSuite> {
  const [name = lifecycleName, ...others] = args.operands;
  if (others.length > 0) throw usage(`Name only one model, not ${args.operands.join(', ')}.`);
  if (args.strength !== null) return combinations(args, args.strength, cwd, work);
  if (name === lifecycleName) return { suite: lifecycle(args), module: null };
  if (name === journeysName) return { suite: await journeys(args), module: null };
  const known = models.get(name)?.();
  if (known !== undefined) return { suite: single(known, args), module: null };
  if (!/[./\\]/.test(name)) {
    const names = [...models.keys(), lifecycleName, journeysName];
    const hint = products.has(name) ? ` ${name} can only be explored; use journeys to test the combined machines.` : '';
    const allowed = `Use ${[...new Set(names)].join(', ')}, or a module path${suggestName(name, names)}`;
    throw usage(`"${name}" is not a model to generate tests from. ${endSentence(allowed)}${hint}`);
  }
  const module = resolve(cwd, name);
  return { suite: single(givenModel(basename(name), await loadUserModule(module)), args), module };
}

/** Share of the time limit for the search of rows. The remaining time is used for their journeys. */
const searchShare = 0.8;

async function combinations(
  { operands: [name], mode, seed, maskingFree }: GenerateArguments,
  strength: number,
  cwd: string,
  { budget: { limitMs }, onRows }: PlannedWork,
): Promise<PlannedSuite> {
  const budgetMs = limitMs === null ? undefined : limitMs * searchShare;
  const options = { strength, mode, seed, budgetMs, onProgress: onRows };
  if (name === undefined) return { suite: signInCombinations(options, maskingFree), module: null };
  if (!/[./\\]/.test(name))
    throw usage(
      `--strength applies to sign-ins or to a module that exports \`factors\`; "${name}" is not a module path.`,
    );
  const module = resolve(cwd, name);
  const exported = await loadUserModule(module);
  const given = (exported['factors'] === undefined ? exported['default'] : exported) as GivenArray | undefined;
  if (!Array.isArray(given?.factors)) {
    const problems = [{ location: name, message: 'the module must export `factors`, an array of {name, values}' }];
    throw new NudgeLabError('config-invalid', { problems });
  }
  const { factors, constraints, forbidden, mixed, seeds } = given;
  const title = basename(name).replace(/\.\w+$/, '');
  return { suite: givenCombinations(title, { factors, constraints, forbidden, mixed, seeds }, options), module };
}

function lifecycle(args: GenerateArguments): Generation {
  const { coverage: cover, randomSteps: walks, seed, maxLength, distinguish: suffixes } = args;
  const options: LifecycleOptions = {
    ...(args.snoozeDays.length === 0 ? {} : { snoozeDays: args.snoozeDays.map(parseDay) }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(suffixes === null ? {} : { suffixes }),
  };
  if (walks !== null) return lifecycleWalk({ steps: walks, maxLength, seed }, options);
  return lifecycleCriteria(cover ?? 'transitions', options);
}

/** Creates the journey tours. They support only the coverage criterion `transitions`. */
async function journeys({
  coverage: cover,
  randomSteps: walks,
  maxLength,
  snoozeDays: days,
  distinguish: suffixes,
}: GenerateArguments): Promise<Generation> {
  if (cover !== null && cover !== 'transitions')
    throw usage(`--coverage ${cover} cannot be used with journeys; they cover transitions.`);
  const named = { walks, 'max-length': maxLength, days: days.length === 0 ? null : days, suffixes };
  const given = Object.entries(named).find(([, value]) => value !== null);
  if (given !== undefined)
    throw usage(`--${given[0]} cannot be used with journeys: each of their test models sets its own.`);
  return journeyTours();
}

function single(model: Model, { coverage: cover, randomSteps: walks, seed, maxLength }: GenerateArguments): Generation {
  if (walks !== null) return machineWalk(model, { steps: walks, maxLength, seed });
  const goal = cover ?? 'transitions';
  if ((machineCriteria as readonly string[]).includes(goal))
    return machineSuite(model, goal as MachineCriterion, maxLength);
  throw usage(`--coverage ${goal} applies only to the lifecycle; for a machine use ${machineCriteria.join(', ')}.`);
}

function parseDay(text: string): number {
  const days = Number(text);
  if (/^\d{1,3}$/.test(text)) return days;
  throw usage(`--snooze-days: "${text}" is not a number of days.`);
}

function usage(message: string): NudgeLabError {
  return new NudgeLabError('usage-invalid', { message });
}
