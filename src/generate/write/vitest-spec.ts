import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { ScenarioData } from '../journey.ts';
import type { Artefact, Heading } from './artefact.ts';
import { literal } from './code-literal.ts';
import {
  formatNudgeStatus,
  pageMatcher,
  type SpecBody,
  type SpecStep,
  sayBenchStep,
  verdictBesides,
} from './spec-body.ts';
import { type SpecDialect, specFiles } from './spec-file.ts';

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** Maximum length in characters of a sign-in call without a separate line. */
const callCharactersMax = 90;

/**
 * Converts the steps of one test to statements. Every sign-in has its own tab, with a variable if later steps use it.
 */
class TabSteps {
  readonly #body: SpecBody;
  readonly #steps: readonly SpecStep[];
  /** Variables of sign-ins, by tab of the scenario. */
  readonly #tabs = new Map<string, string>();
  #latest = '';
  #count = 0;

  constructor(body: SpecBody, steps: readonly SpecStep[]) {
    this.#body = body;
    this.#steps = steps;
  }

  write(): void {
    for (const [index, step] of this.#steps.entries()) {
      if (step.kind === 'signIn') this.#signIn(step, index);
      else if (step.answers) this.#answer(step);
      else {
        if (step.kind === 'advance' || step.kind === 'setClock') this.#body.pause();
        sayBenchStep(this.#body, step);
        formatNudgeStatus(this.#body, step);
      }
    }
  }

  #signIn(step: SpecStep, index: number): void {
    const body = this.#body;
    const { user, as, ...attempt } = step.say;
    this.#count += 1;
    body.pause();
    const head = `${body.use('signIn')}(${literal(user)}`;
    const call = Object.keys(attempt).length === 0 ? `${head})` : body.call(`${head}, `, attempt);
    const matcher = pageMatcher(step.expect);
    const besides = verdictBesides(step.expect);
    const fitsOnOneLine =
      call.length + (matcher ?? '').length <= callCharactersMax && step.expect.visitedPages === undefined;
    if (fitsOnOneLine && !this.#isAnswered(step, index) && Object.keys(besides).length === 0) {
      body.say(matcher === null ? `await ${call};` : `await expect(await ${call}).${matcher};`);
    } else {
      const name = body.variable(
        typeof as === 'string' ? as : (ordinals[this.#count - 1] ?? `signIn${this.#count}`),
        'tab',
      );
      this.#latest = name;
      if (step.tab !== null) this.#tabs.set(step.tab, name);
      body.say(`const ${name} = await ${call};`);
      if (matcher !== null) body.say(`await expect(${name}).${matcher};`);
      const { visitedPages } = step.expect;
      if (visitedPages !== undefined) body.say(body.call(`expect(${name}.visitedPages).toEqual(`, visitedPages, ');'));
      if (Object.keys(besides).length > 0) {
        body.say(body.call(`expect(await ${name}.verdict()).toMatchObject(`, besides, ');'));
      }
    }
    formatNudgeStatus(body, step);
  }

  #answer(step: SpecStep): void {
    const body = this.#body;
    const tab = step.tab === null ? this.#latest : (this.#tabs.get(step.tab) ?? this.#latest);
    const { prompt: _tab, ...how } = step.say;
    const head = `${tab}.${step.kind}(`;
    const call = Object.keys(how).length === 0 ? `${head})` : body.call(head, how);
    const { status } = step.expect;
    body.say(status === undefined ? `await ${call};` : `expect(await ${call}).toMatchObject(${literal({ status })});`);
    const matcher = pageMatcher(step.expect);
    if (matcher !== null) body.say(`await expect(${tab}).${matcher};`);
    formatNudgeStatus(body, step);
  }

  /** Checks whether a later step acts on the prompt of a sign-in before the next use of its tab. */
  #isAnswered({ tab }: SpecStep, index: number): boolean {
    let isLatest = true;
    for (const step of this.#steps.slice(index + 1)) {
      if (step.answers && (step.tab === tab || (isLatest && step.tab === null))) return true;
      if (step.kind !== 'signIn') continue;
      if (step.tab === tab) return false;
      isLatest = false;
    }
    return false;
  }
}

const dialect: SpecDialect = {
  module: 'nudgelab/vitest',
  block: 'describe',
  ending: 'test.ts',
  writeSteps: (body, steps) => new TabSteps(body, steps).write(),
  details: () => '',
  given: (given, indent) => ({
    line: `const it = test.extend(${literal({ given }, indent, 25)});`,
    test: 'it',
  }),
};

/**
 * Generates Vitest specs for scenarios, to run in a project that depends on this package. `fixtures` are those that the
 * scenarios reference.
 */
export function vitestSpecs(
  scenarios: readonly ScenarioData[],
  heading: Heading,
  fixtures: FixtureLibrary,
): readonly Artefact[] {
  return specFiles(dialect, scenarios, heading, fixtures);
}
