import type { z } from 'zod';
import { defaultClients } from '../contract/default-clients.ts';
import { listProblems } from '../contract/parse.ts';
import {
  expectSchema,
  type ScenarioGiven,
  type Step,
  scenarioHeadSchema,
  stepSchemas,
} from '../contract/scenario.schema.ts';
import { type StepKind, stepKinds } from '../contract/step-names.ts';
import { parseInstant } from '../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { ProblemList } from '../core/problem-list.ts';
import { planSandbox, type SandboxPlan } from '../sandbox/sandbox.ts';
import { checkApplications } from './application-check.ts';
import { isCoverable } from './coverage.ts';
import { substituteExample } from './examples.ts';
import type { FixtureLibrary } from './fixture-library.ts';
import { clientGiven, faultsGiven } from './given-lists.ts';
import { checkClock, checkPatches } from './patch-check.ts';
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
  const wrong = new ProblemList();
  const head = wrong.attempt(() => parseAt(scenarioHeadSchema, data, source, []));
  const written = isPlainObject(data) ? data : {};
  wrong.attempt(() => checkCovers(head?.covers ?? listOf(written['covers']), source));
  const stepList = head?.steps ?? listOf(written['steps']);
  const steps = stepList.flatMap((step, index) => wrong.attempt(() => parseStep(step, index, source, fixtures)) ?? []);
  const plan = head === undefined ? undefined : wrong.attempt(() => planOnce(head, source, fixtures, plans));
  if (head !== undefined) {
    const userIds = Object.keys(head.given.users);
    wrong.attempt(() => checkFaults(plan?.faults ?? [], userIds, source));
    wrong.attempt(() => checkSteps(steps, { userIds, whole: steps.length === stepList.length, source }));
  }
  if (plan !== undefined) {
    wrong.attempt(() => checkPatches(steps, plan, source));
    wrong.attempt(() => checkApplications(steps, plan.clients ?? defaultClients, source));
    wrong.attempt(() => checkClock(steps, plan.clock.nowMs, source));
  }
  if (head === undefined || plan === undefined || wrong.problems.length > 0) {
    throw new NudgeLabError('scenario-invalid', { problems: wrong.problems });
  }
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
  const wrong = new ProblemList();
  const resolve = <T>(path: readonly PropertyKey[], work: () => T): T | undefined =>
    wrong.attempt(() => at(source, ['given', ...path], work));
  const { given } = head;
  const tenant = resolve(['tenant'], () => fixtures.resolve('tenants', given.tenant)) ?? {};
  const users = Object.entries(given.users).map(([userId, user]) => ({
    ...resolve(['users', userId], () => fixtures.resolve('users', user)),
    id: userId,
  }));
  const { lookup: described } = given;
  const lookup = described === undefined ? undefined : resolve(['lookup'], () => fixtures.resolve('lookup', described));
  const clients = given.clients?.map((client, index) =>
    resolve(['clients', index], () => clientGiven(fixtures, client)),
  );
  const faults = wrong.attempt(() => faultsAt(given.faults, ['given', 'faults'], source, fixtures));
  const { ruleset, seed } = head;
  const clock = { nowMs: parseInstant(head.clock) ?? 0, running: false };
  const input = { tenant, users, clock, seed, ruleset, faults: faults as typeof given.faults, lookup };
  const known = clients?.every((client) => client !== undefined) === true ? clients : undefined;
  const plan = wrong.attempt(() => plannedAt({ ...input, clients: known }, head, source));
  if (plan !== undefined && wrong.problems.length === 0) return plan;
  throw new NudgeLabError('scenario-invalid', { problems: wrong.problems });
}

/** The plan of a sandbox; what is wrong with it is told with its place in the file. */
function plannedAt(
  input: Parameters<typeof planSandbox>[0],
  { given }: z.output<typeof planInputSchema>,
  source: ScenarioSource,
): SandboxPlan {
  try {
    return planSandbox(input);
  } catch (error) {
    const userIds = Object.keys(given.users);
    const problems = problemsFrom(error, source).map(({ location: place, message }) => ({
      location: source.place(givenPath(place, userIds)),
      message: `${isOfList(place) ? 'given.' : ''}${place}: ${message}`,
    }));
    throw new NudgeLabError('scenario-invalid', { problems, cause: error });
  }
}

/** Whether a place of a plan is in one of the lists of clients and faults, which the file has as they are. */
function isOfList(place: string): boolean {
  return place.startsWith('clients.') || place.startsWith('faults.');
}

/** A list as it is written; nothing where there is none, which the head says. */
function listOf(written: unknown): readonly unknown[] {
  return Array.isArray(written) ? written : [];
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
  const wrong = new ProblemList();
  const say = wrong.attempt(() => {
    const said = kind === 'setFaults' ? faultsAt(verbs[kind], place, source, fixtures) : verbs[kind];
    return parseAt<z.ZodType>(stepSchemas[kind], said, source, place);
  });
  const expected = wrong.attempt(() =>
    expect === undefined ? null : parseAt(expectSchema, expect, source, [...path, 'expect']),
  );
  if (wrong.problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems: wrong.problems });
  return {
    kind,
    say: say ?? {},
    expect: expected,
    index,
    ...source.position(place),
  } as Step;
}

function isStepKind(kind: string): kind is StepKind {
  return Object.hasOwn(stepSchemas, kind);
}

function checkCovers(covers: readonly unknown[], source: ScenarioSource): void {
  const problems = covers.flatMap((id, index): readonly ValidationProblem[] =>
    typeof id !== 'string' || isCoverable(id)
      ? []
      : [{ location: source.place(['covers', index]), message: `"${id}" is not the id of a rule or an assumption` }],
  );
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
}

function parseAt<S extends z.ZodType>(
  schema: S,
  value: unknown,
  source: ScenarioSource,
  path: readonly PropertyKey[],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const messages = listProblems(schema, result.error, value, '');
  throw new NudgeLabError('scenario-invalid', {
    problems: result.error.issues.map((issue, index) => {
      const at = [...path, ...issue.path];
      const where = at.length === 0 ? '' : `${at.map(String).join('.')}: `;
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const place = unknown === undefined ? source.place(at) : source.keyPlace([...at, unknown]);
      return { location: place, message: `${where}${messages[index]?.message ?? issue.message}` };
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
    const problems =
      error.problems.length > 0 ? error.problems : [{ location: path.join('.'), message: error.message }];
    throw new NudgeLabError('scenario-invalid', {
      problems: problems.map(({ location: place, message }) => ({
        location: source.place(path),
        message: `${place}: ${message}`,
      })),
      cause: error,
    });
  }
}

function fault(source: ScenarioSource, path: readonly PropertyKey[], message: string): NudgeLabError {
  return new NudgeLabError('scenario-invalid', { problems: [{ location: source.place(path), message }] });
}

/** The faults of an error with their places. Throws what is no fault of a scenario. */
export function problemsFrom(error: unknown, source: ScenarioSource): readonly ValidationProblem[] {
  if (!(error instanceof NudgeLabError)) throw error;
  return error.problems.length > 0 ? error.problems : [{ location: `${source.file}:1:1`, message: error.message }];
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
