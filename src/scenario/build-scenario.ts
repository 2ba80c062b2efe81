import type { z } from 'zod';
import { assumptions } from '../contract/assumptions.ts';
import { problemsOf } from '../contract/parse.ts';
import { ruleCatalogue } from '../contract/rule-catalogue.ts';
import {
  expectSchema,
  type ScenarioGiven,
  type Step,
  scenarioHeadSchema,
  stepSchemas,
} from '../contract/scenario.schema.ts';
import { type StepKind, stepKinds } from '../contract/step-words.ts';
import { parseInstant } from '../core/clock.ts';
import { NudgeLabError, type Problem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { planSandbox, type SandboxPlan } from '../sandbox/sandbox.ts';
import { substituteExample } from './examples.ts';
import type { FixtureLibrary } from './fixture-library.ts';
import { clientGiven, faultsGiven } from './given-lists.ts';
import type { Scenario } from './scenario.ts';
import { DataSource, type ScenarioSource } from './scenario-source.ts';
import { checkFaults, checkSteps } from './step-check.ts';

/**
 * One scenario of a source, checked as far as it can be without running it. Takes its id, the row of examples that is filled
 * in or `null`, and the plans made so far. Throws `scenario-invalid` with every fault and its place.
 */
export function buildScenario(
  id: string,
  source: ScenarioSource,
  row: unknown,
  fixtures: FixtureLibrary,
  plans: PlanCache,
): Omit<Scenario, 'rows'> {
  const data = substituteExample(source, row);
  const head = parseAt(scenarioHeadSchema, data, source, []);
  checkCovers(head.covers, source);
  const steps = parseSteps(head.steps, source, fixtures);
  const plan = planOnce(head, source, fixtures, plans);
  const userIds = Object.keys(head.given.users);
  checkFaults(plan.faults ?? [], userIds, source);
  checkSteps(steps, userIds, source);
  return {
    id,
    file: source.file,
    name: row === null ? head.name : `${head.name} (${rowName(row)})`,
    covers: head.covers,
    tags: head.tags,
    timeoutMs: head.timeoutMs,
    plan,
    steps,
  };
}

/** What a sandbox is planned by: what a scenario begins with. */
export interface PlanInput {
  readonly given: ScenarioGiven;
  readonly ruleset?: string;
  readonly clock?: string;
  readonly seed?: number;
}

const planInputSchema = scenarioHeadSchema.omit({ name: true, steps: true, examples: true });

/** The plan of a sandbox without a scenario. Takes what it begins with, and the fixtures that it names. Throws `scenario-invalid`. */
export function planFrom(input: PlanInput, fixtures: FixtureLibrary): SandboxPlan {
  const source = new DataSource('given', input);
  const head = parseAt(planInputSchema, input, source, []);
  const plan = planOf(head, source, fixtures);
  checkFaults(plan.faults ?? [], Object.keys(head.given.users), source);
  return plan;
}

/** Plans of one file by what they are made from: the rows of examples seldom differ in what is given. */
export type PlanCache = Map<string, SandboxPlan>;

function planOnce(
  head: z.output<typeof scenarioHeadSchema>,
  source: ScenarioSource,
  fixtures: FixtureLibrary,
  plans: PlanCache,
): SandboxPlan {
  const { given, clock, seed, ruleset } = head;
  const key = JSON.stringify([given, clock, seed, ruleset]);
  const plan = plans.get(key) ?? planOf(head, source, fixtures);
  plans.set(key, plan);
  return plan;
}

function planOf(head: z.output<typeof planInputSchema>, source: ScenarioSource, fixtures: FixtureLibrary): SandboxPlan {
  const tenant = at(source, ['given', 'tenant'], () => fixtures.resolve('tenants', head.given.tenant));
  const users = Object.entries(head.given.users).map(([userId, given]) =>
    at(source, ['given', 'users', userId], () => ({ ...fixtures.resolve('users', given), id: userId })),
  );
  const { lookup: described } = head.given;
  const lookup = at(source, ['given', 'lookup'], () =>
    described === undefined ? undefined : fixtures.resolve('lookup', described),
  );
  const clients = head.given.clients?.map((given, index) =>
    at(source, ['given', 'clients', index], () => clientGiven(fixtures, given)),
  );
  const faults = faultsAt(head.given.faults, ['given', 'faults'], source, fixtures) as typeof head.given.faults;
  const { ruleset, seed } = head;
  const clock = { nowMs: parseInstant(head.clock) ?? 0, running: false };
  try {
    return planSandbox({ tenant, users, clients, clock, seed, ruleset, faults, lookup });
  } catch (error) {
    const userIds = Object.keys(head.given.users);
    const problems = problemsFrom(error, source).map(({ place, message }) => ({
      place: source.place(givenPath(place, userIds)),
      message: `${isOfList(place) ? 'given.' : ''}${place}: ${message}`,
    }));
    throw new NudgeLabError('scenario-invalid', { problems, cause: error });
  }
}

/** Whether a place of a plan is in one of the lists of clients and faults, which the file has as they are. */
function isOfList(place: string): boolean {
  return place.startsWith('clients.') || place.startsWith('faults.');
}

/** Parses every step, so that one faulty step does not hide the faults of the next. */
function parseSteps(given: readonly unknown[], source: ScenarioSource, fixtures: FixtureLibrary): readonly Step[] {
  const problems: Problem[] = [];
  const steps = given.flatMap((step, index) => {
    try {
      return [parseStep(step, index, source, fixtures)];
    } catch (error) {
      problems.push(...problemsFrom(error, source));
      return [];
    }
  });
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
  return steps;
}

/** Where a part of a plan was given: the plan counts users, the file names them. */
function givenPath(place: string, userIds: readonly string[]): readonly PropertyKey[] {
  const [part = '', index] = place.split('.');
  if (part === 'ruleset') return ['ruleset'];
  if (isOfList(place) && index !== undefined) return ['given', part, Number(index)];
  if (part !== 'users') return ['given', part];
  const userId = userIds[Number(index)];
  return userId === undefined ? ['given', 'users'] : ['given', 'users', userId];
}

/** One step. Takes it as it is written, its place in the list, where it stands, and fixtures. Throws `scenario-invalid`. */
export function parseStep(step: unknown, index: number, source: ScenarioSource, fixtures: FixtureLibrary): Step {
  const path = ['steps', index];
  if (!isPlainObject(step)) throw fault(source, path, `a step is a mapping with one of ${stepKinds.join(', ')}`);
  const { expect, ...verbs } = step;
  const [kind, ...others] = Object.keys(verbs);
  if (kind === undefined || others.length > 0 || !isStepKind(kind)) {
    const given = Object.keys(verbs).join(', ') || 'none';
    throw fault(source, path, `a step has one verb of ${stepKinds.join(', ')}, and may have expect; this has ${given}`);
  }
  const place = [...path, kind];
  const said = kind === 'setFaults' ? faultsAt(verbs[kind], place, source, fixtures) : verbs[kind];
  return {
    kind,
    say: parseAt<z.ZodType>(stepSchemas[kind], said, source, place) ?? {},
    expect: expect === undefined ? null : parseAt(expectSchema, expect, source, [...path, 'expect']),
    index,
    line: source.position(place).line,
  } as Step;
}

function isStepKind(kind: string): kind is StepKind {
  return Object.hasOwn(stepSchemas, kind);
}

const coverable: ReadonlySet<string> = new Set([...ruleCatalogue, ...assumptions].map(({ id }) => id));

function checkCovers(covers: readonly string[], source: ScenarioSource): void {
  covers.forEach((id, index) => {
    if (!coverable.has(id)) throw fault(source, ['covers', index], `"${id}" is not the id of a rule or an assumption`);
  });
}

function parseAt<S extends z.ZodType>(
  schema: S,
  value: unknown,
  source: ScenarioSource,
  path: readonly PropertyKey[],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const messages = problemsOf(schema, result.error, value, '');
  throw new NudgeLabError('scenario-invalid', {
    problems: result.error.issues.map((issue, index) => {
      const at = [...path, ...issue.path];
      const where = at.length === 0 ? '' : `${at.map(String).join('.')}: `;
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const place = unknown === undefined ? source.place(at) : source.keyPlace([...at, unknown]);
      return { place, message: `${where}${messages[index]?.message ?? issue.message}` };
    }),
  });
}

/** Faults with those that are named looked up; a name that is none is told with its place. */
function faultsAt(
  given: unknown,
  path: readonly PropertyKey[],
  source: ScenarioSource,
  fixtures: FixtureLibrary,
): unknown {
  return faultsGiven(fixtures, given, (index, work) => at(source, [...path, index], work));
}

/** Does something about a part of the file; what goes wrong is told with that part's place. */
function at<T>(source: ScenarioSource, path: readonly PropertyKey[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    const problems = error.problems.length > 0 ? error.problems : [{ place: path.join('.'), message: error.message }];
    throw new NudgeLabError('scenario-invalid', {
      problems: problems.map(({ place, message }) => ({ place: source.place(path), message: `${place}: ${message}` })),
      cause: error,
    });
  }
}

function fault(source: ScenarioSource, path: readonly PropertyKey[], message: string): NudgeLabError {
  return new NudgeLabError('scenario-invalid', { problems: [{ place: source.place(path), message }] });
}

/** The faults of an error with their places. Throws what is no fault of a scenario. */
export function problemsFrom(error: unknown, source: ScenarioSource): readonly Problem[] {
  if (!(error instanceof NudgeLabError)) throw error;
  return error.problems.length > 0 ? error.problems : [{ place: `${source.file}:1:1`, message: error.message }];
}

const rowNameCharactersMax = 100;

function rowName(row: unknown): string {
  const text = isPlainObject(row)
    ? Object.entries(row)
        .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', ')
    : '';
  return text.length <= rowNameCharactersMax ? text : `${text.slice(0, rowNameCharactersMax)}…`;
}
