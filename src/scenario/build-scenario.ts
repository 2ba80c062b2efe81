import type { z } from 'zod';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
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
import { suggestName } from '../core/nearest-name.ts';
import { ProblemList } from '../core/problem-list.ts';
import { findLoadedCampaign } from '../journal/ruleset-registry.ts';
import { planSandbox, type SandboxPlan } from '../sandbox/sandbox.ts';
import { checkApplications } from './application-check.ts';
import { describeUnknownCoverage, isCoverable } from './coverage.ts';
import { substituteExample } from './examples.ts';
import type { FixtureLibrary } from './fixture-library.ts';
import { clientGiven, faultsGiven } from './given-lists.ts';
import { checkClock, checkPatches } from './patch-check.ts';
import type { Scenario } from './scenario.ts';
import { DataSource, type ScenarioSource } from './scenario-source.ts';
import { checkFaults, checkReasons, checkSteps } from './step-check.ts';

/**
 * Builds one scenario of a source and validates it as far as possible without running it. The input includes the
 * scenario's id, the row of examples or `null`, and a cache of plans. Throws `scenario-invalid` with every problem
 * and its location.
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
  wrong.attempt(() => checkCovers(head?.covers ?? toList(written['covers']), source));
  const stepList = head?.steps ?? toList(written['steps']);
  const steps = stepList.flatMap((step, index) => wrong.attempt(() => parseStep(step, index, source, fixtures)) ?? []);
  const plan = head === undefined ? undefined : wrong.attempt(() => planOnce(head, source, fixtures, plans));
  if (head !== undefined) {
    const userIds = Object.keys(head.given.users);
    wrong.attempt(() => checkFaults(plan?.faults ?? [], userIds, source));
    wrong.attempt(() => checkSteps(steps, { userIds, whole: steps.length === stepList.length, source }));
  }
  if (plan !== undefined) {
    const ruleset = rulesets.get(plan.ruleset) ?? findLoadedCampaign(plan.ruleset);
    if (ruleset !== undefined) wrong.attempt(() => checkReasons(steps, ruleset, source));
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

/** Input for the plan of a sandbox: the initial state of a scenario. */
export interface PlanInput {
  readonly given: ScenarioGiven;
  readonly ruleset?: string;
  readonly clock?: string;
  readonly seed?: number;
}

const planInputSchema = scenarioHeadSchema.omit({ name: true, steps: true, examples: true });

/**
 * Creates the plan of a sandbox without a scenario. The fixtures are looked up by the names in the input. Throws
 * `scenario-invalid`.
 */
export function planFrom(input: PlanInput, fixtures: FixtureLibrary): SandboxPlan {
  const source = new DataSource('given', input);
  const head = parseAt(planInputSchema, input, source, []);
  const plan = createPlan(head, source, fixtures);
  checkFaults(plan.faults ?? [], Object.keys(head.given.users), source);
  return plan;
}

/** Cache of the plans in one file, by their input. The rows of examples rarely differ in the initial state. */
export type PlanCache = Map<string, SandboxPlan>;

function planOnce(
  head: z.output<typeof scenarioHeadSchema>,
  source: ScenarioSource,
  fixtures: FixtureLibrary,
  plans: PlanCache,
): SandboxPlan {
  const { given, clock, seed, ruleset } = head;
  const key = JSON.stringify([given, clock, seed, ruleset]);
  const plan = plans.get(key) ?? createPlan(head, source, fixtures);
  plans.set(key, plan);
  return plan;
}

function createPlan(
  head: z.output<typeof planInputSchema>,
  source: ScenarioSource,
  fixtures: FixtureLibrary,
): SandboxPlan {
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

/** Plans a sandbox and reports problems with their locations in the file. */
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

/** Returns true if a plan location is in the list of clients or faults, which has the same order in the file. */
function isOfList(place: string): boolean {
  return place.startsWith('clients.') || place.startsWith('faults.');
}

/**
 * Returns a list in its original form, or an empty list if it is not a list. The head of the scenario reports that
 * problem.
 */
function toList(written: unknown): readonly unknown[] {
  return Array.isArray(written) ? written : [];
}

/** Converts a plan location to a location under `given`. The plan numbers the users, and the file names them. */
function givenPath(place: string, userIds: readonly string[]): readonly PropertyKey[] {
  const [part = '', index] = place.split('.');
  if (part === 'ruleset') return ['ruleset'];
  if (isOfList(place) && index !== undefined) return ['given', part, Number(index)];
  if (part !== 'users') return ['given', part];
  const userId = userIds[Number(index)];
  return userId === undefined ? ['given', 'users'] : ['given', 'users', userId];
}

/**
 * Parses one step. Throws `scenario-invalid`.
 *
 * @param step - step in its original form
 * @param index - position in the list of steps
 * @param source - file that contains the step
 * @param fixtures - fixtures that the step can name
 */
export function parseStep(step: unknown, index: number, source: ScenarioSource, fixtures: FixtureLibrary): Step {
  const path = ['steps', index];
  if (!isPlainObject(step)) throw fault(source, path, `a step must be a mapping with one of ${stepKinds.join(', ')}`);
  const { expect, ...verbs } = step;
  const [kind, ...others] = Object.keys(verbs);
  if (kind === undefined || others.length > 0 || !isStepKind(kind)) {
    const words = Object.keys(verbs);
    const given = words.join(', ') || 'none';
    const misspelled = words.find((word) => !isStepKind(word)) ?? '';
    throw fault(
      source,
      path,
      `a step must have exactly one of ${stepKinds.join(', ')}, and may have expect; this one has ${given}${suggestName(misspelled, [...stepKinds, 'expect'])}`,
    );
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
      : [{ location: source.place(['covers', index]), message: describeUnknownCoverage(id) }],
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

/** Resolves faults that are given by name. An unknown name is reported with its location. */
function faultsAt(
  given: unknown,
  path: readonly PropertyKey[],
  source: ScenarioSource,
  fixtures: FixtureLibrary,
): unknown {
  return faultsGiven(fixtures, given, (index, work) => at(source, [...path, index], work));
}

/** Runs a function for a part of the file and reports its errors with the location of that part. */
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

/** Returns the problems of an error with their locations. Any other error is thrown again. */
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
