import type { Expectation } from '../../contract/scenario.schema.ts';
import type { StepKind } from '../../contract/step-names.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { answersPrompt } from '../../scenario/step-check.ts';
import { StepUsers } from '../../scenario/step-users.ts';
import { type ExpectedStep, type ScenarioData, toScenario } from '../journey.ts';
import { literal, variableName } from './code-literal.ts';

/** Indentation of the lines in a test, in spaces. */
const indent = 2;

/** Step of a generated spec. */
export interface SpecStep {
  readonly kind: StepKind;
  /** Content of the step as written in the scenario. */
  readonly say: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
  /** Id of the user. */
  readonly userId: string | null;
  /** `true` if the step acts on a prompt, and the tab of that prompt; the tab is `null` if it is the latest prompt. */
  readonly answers: boolean;
  readonly tab: string | null;
}

/**
 * Lists the steps of a scenario, each with its user.
 * @param fixtures - fixtures that the scenario references
 * @throws `scenario-invalid` if the scenario is invalid
 */
export function listSpecSteps(scenario: ScenarioData, fixtures: FixtureLibrary): readonly SpecStep[] {
  const users = new StepUsers();
  return toScenario(scenario, fixtures).steps.map((step): SpecStep => {
    const { expect = {}, ...verb } = scenario.steps[step.index] as ExpectedStep;
    const said: unknown = Object.values(verb)[0];
    const say = (said ?? {}) as Readonly<Record<string, unknown>>;
    const answers = answersPrompt(step);
    const named = step.kind === 'signIn' ? (say['as'] ?? say['user']) : say['prompt'];
    return {
      kind: step.kind,
      say,
      expect,
      userId: users.follow(step),
      answers,
      tab: typeof named === 'string' ? named : null,
    };
  });
}

/** Lines of one test, with the fixtures and variables that they use. */
export class SpecBody {
  readonly lines: string[] = [];
  /** Names of the fixtures that the test uses. */
  readonly fixtures = new Set<string>();
  readonly #variables = new Set<string>(['page', 'test', 'expect', 'given', 'describe']);
  readonly #personas = new Map<string, string>();

  /** Creates the body of a test. `userIds` are the users that can have variables. */
  constructor(userIds: readonly string[]) {
    for (const id of userIds) this.#personas.set(id, this.variable(id, 'user'));
  }

  /** Returns a variable name that is unique in the test. */
  variable(text: string, otherwise: string): string {
    const name = variableName(text, new Set([...this.#variables, ...fixtureNames]), otherwise);
    this.#variables.add(name);
    return name;
  }

  /** Returns the variable of a user. */
  persona(id: string): string {
    return this.#personas.get(id) ?? `${this.use('persona')}(${literal(id)})`;
  }

  /** Adds a fixture to the test and returns its name. */
  use(fixture: string): string {
    this.fixtures.add(fixture);
    return fixture;
  }

  /** Adds a statement. */
  say(line: string): void {
    this.lines.push(`${' '.repeat(indent)}${line}`);
  }

  /** Adds an empty line between two groups of statements. */
  pause(): void {
    if (this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('');
  }

  /** Formats a call with one more argument, which can span several lines. */
  call(head: string, argument: unknown, tail = ')'): string {
    return `${head}${literal(argument, indent, head.length + tail.length + 1)}${tail}`;
  }

  /** Returns the statements that create the variables of the test's users. */
  declarePersonas(): readonly string[] {
    const used = [...this.#personas].filter(([, name]) =>
      this.lines.some((line) => new RegExp(`\\b${name}\\b`).test(line)),
    );
    if (used.length > 0) this.use('persona');
    return used.map(([id, name]) => `${' '.repeat(indent)}const ${name} = persona(${literal(id)});`);
  }
}

const fixtureNames = ['nudgelab', 'signIn', 'prompt', 'persona', 'clock', 'authenticator', 'newDevice'] as const;

/** Returns the expression to await for a step without a page. */
function benchCall(body: SpecBody, { kind, say }: SpecStep): string {
  const { user, ...rest } = say;
  const id = String(user);
  switch (kind) {
    case 'advance':
      return body.call(`${body.use('clock')}.advance(`, say);
    case 'setClock':
      return body.call(`${body.use('clock')}.set(`, say);
    case 'setUser':
      return body.call(`${body.persona(id)}.update(`, rest);
    case 'removeMethod':
      return body.call(`${body.persona(id)}.removeMethod(`, rest['method']);
    case 'explain':
      return Object.keys(rest).length === 0
        ? `${body.use('nudgelab')}.explain(${literal(id)})`
        : body.call(`${body.use('nudgelab')}.explain(${literal(id)}, `, rest);
    default:
      return body.call(`${body.use('nudgelab')}.${kind}(`, say);
  }
}

/** Adds a step without a page, with the expectation on its response. */
export function sayBenchStep(body: SpecBody, step: SpecStep): void {
  const answer = answerExpected(step.expect);
  const call = benchCall(body, step);
  if (Object.keys(answer).length === 0) body.say(`await ${call};`);
  else body.say(body.call(`expect(await ${call}).toMatchObject(`, answer, ');'));
}

/** Returns the expected response of a step. */
function answerExpected({ status, headers, body, remaining, outcome, reason, warnings }: Expectation): object {
  const expectedHeaders = {
    ...headers,
    ...(remaining === undefined || remaining === null ? {} : { 'x-ratelimit-remaining': String(remaining) }),
  };
  return {
    ...(status === undefined ? {} : { status }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(warnings === undefined ? {} : { verdict: { warnings: warnings.map((code) => ({ code })) } }),
    ...(Object.keys(expectedHeaders).length === 0 ? {} : { headers: expectedHeaders }),
    ...(body === undefined ? {} : { body }),
  };
}

/** Returns the expected nudge status of a step's user. */
function nudgeStatusExpected({
  snoozes,
  snoozesLeft,
  nextPromptAt,
  state,
}: Expectation): Readonly<Record<string, unknown>> {
  const all = { snoozes, snoozesLeft, nextPromptAt, state };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Outcomes that a page implies, so they need no extra check. */
const outcomeOfPage: Readonly<Record<string, string>> = { prompt: 'skippable', required: 'required' };

/** Returns the matcher call for the page at the end of a step; `null` if no page is expected. */
export function pageMatcher({ page, reason }: Expectation): string | null {
  switch (page) {
    case undefined:
    case 'closed':
      return null;
    case 'prompt':
      return 'toBePrompted()';
    case 'required':
      return 'toBeRequired()';
    case 'signed-in':
      return 'toBeSignedIn()';
    case 'not-nudged':
      return `toBeLetThrough(${reason === undefined || reason === null ? '' : literal(reason)})`;
    default:
      return `toBeAt(${literal(page)})`;
  }
}

/** Returns the expectations on a sign-in's verdict that its page does not imply. */
export function verdictBesides({ page, outcome, reason, warnings }: Expectation): object {
  const said = page === 'not-nudged' ? 'none' : page === undefined ? undefined : (outcomeOfPage[page] ?? 'none');
  const reasonSaid = page === 'not-nudged' || (reason === null && (page === 'prompt' || page === 'required'));
  return {
    ...(outcome === undefined || outcome === said ? {} : { outcome }),
    ...(reason === undefined || reasonSaid ? {} : { reason }),
    ...(warnings === undefined ? {} : { warnings: warnings.map((code) => ({ code })) }),
  };
}

/**
 * Adds the expectations on the user's nudge status.
 * @param said - keys that are already covered
 */
export function formatNudgeStatus(body: SpecBody, { expect, userId }: SpecStep, said: readonly string[] = []): void {
  const nudgeStatus = Object.entries(nudgeStatusExpected(expect)).filter(([key]) => !said.includes(key));
  if (userId === null || nudgeStatus.length === 0) return;
  body.say(
    body.call(`await expect(${body.persona(userId)}).toHaveNudgeStatus(`, Object.fromEntries(nudgeStatus), ');'),
  );
}
