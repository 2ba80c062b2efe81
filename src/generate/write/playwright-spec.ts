import type { PageName } from '../../contract/step-names.ts';
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

/**
 * Pages with a prompt that stays open when its tab navigates away, because leaving one would send a beacon to the
 * server.
 */
const openPages: readonly (PageName | undefined)[] = [undefined, 'prompt', 'required', 'setup', 'error-screen'];

/**
 * Maximum number of steps at the default timeout. Longer tests have three times the timeout, and still longer ones a
 * timeout per step.
 */
const stepsOfQuickTestMax = 15;
const stepsOfSlowTestMax = 30;
const secondsPerStep = 3;

/** Page variable of the test, with the scenario tab that it represents. */
interface PageVariable {
  readonly name: string;
  tab: string | null;
  isOpen: boolean;
}

/** Converts the steps of one test to statements. */
class PageSteps {
  readonly #body: SpecBody;
  readonly #steps: readonly SpecStep[];
  readonly #pages: PageVariable[] = [];
  #latest: PageVariable | null = null;

  constructor(body: SpecBody, steps: readonly SpecStep[]) {
    this.#body = body;
    this.#steps = steps;
  }

  write(): void {
    const steps = this.#steps.length;
    if (steps > stepsOfSlowTestMax)
      this.#body.say(`test.setTimeout(${Math.ceil((steps * secondsPerStep) / 10)}0_000);`);
    else if (steps > stepsOfQuickTestMax) this.#body.say('test.slow();');
    for (const [index, step] of this.#steps.entries()) {
      if (step.kind === 'signIn') this.#signIn(step, index);
      else if (step.answers) this.#answer(step);
      else this.#other(step);
    }
  }

  #signIn(step: SpecStep, index: number): void {
    const body = this.#body;
    const { user, as: _tab, ...attempt } = step.say;
    body.pause();
    const page = this.#pageFor(step.tab, index);
    page.tab = step.tab;
    this.#latest = page;
    const { visitedPages } = step.expect;
    const head = `await ${body.use('signIn')}(${page.name}, ${literal(user)}`;
    const call = Object.keys(attempt).length === 0 ? `${head})` : body.call(`${head}, `, attempt);
    body.say(visitedPages === undefined ? `${call};` : `expect(${call}).toMatchObject(${literal({ visitedPages })});`);
    this.#sayPage(step, page);
    const besides = verdictBesides(step.expect);
    if (Object.keys(besides).length > 0) {
      body.say(
        body.call(`expect(await ${body.use('nudgelab')}.verdictAt(${page.name})).toMatchObject(`, besides, ');'),
      );
    }
    this.#formatNudgeStatus(step, page);
  }

  #answer(step: SpecStep): void {
    const body = this.#body;
    const page = this.#getPage(step.tab);
    const { prompt: _tab, ...how } = step.say;
    if (step.kind === 'abandon') body.say(`// No action: ${page.name} stays as it is.`);
    else {
      const head = `${body.use('prompt')}(${page.name}).${step.kind}(`;
      const call = Object.keys(how).length === 0 ? `${head})` : body.call(head, how);
      const { status } = step.expect;
      body.say(
        status === undefined ? `await ${call};` : `expect(await ${call}).toMatchObject(${literal({ status })});`,
      );
      this.#sayPage(step, page);
    }
    this.#formatNudgeStatus(step, page);
  }

  #other(step: SpecStep): void {
    if (step.kind === 'advance' || step.kind === 'setClock') this.#body.pause();
    sayBenchStep(this.#body, step);
    formatNudgeStatus(this.#body, step);
  }

  #sayPage({ expect, kind }: SpecStep, page: PageVariable): void {
    page.isOpen = openPages.includes(expect.page);
    const matcher = pageMatcher(expect);
    if (matcher !== null && kind !== 'closeBrowser') this.#body.say(`await expect(${page.name}).${matcher};`);
  }

  /** Writes the expectation of a nudge status; a prompt page itself shows the snoozes left. */
  #formatNudgeStatus(step: SpecStep, page: PageVariable): void {
    const { page: shown, snoozesLeft } = step.expect;
    if (shown !== 'prompt' || snoozesLeft === undefined) return formatNudgeStatus(this.#body, step);
    this.#body.say(`await expect(${page.name}).toHaveSnoozesLeft(${snoozesLeft});`);
    formatNudgeStatus(this.#body, step, ['snoozesLeft']);
  }

  /**
   * Returns the page for a sign-in: that of its tab or another unused one, if it has no open prompt and no later step
   * needs it; otherwise a new page.
   */
  #pageFor(tab: string | null, index: number): PageVariable {
    const free = this.#pages.filter(
      (page) => !page.isOpen && (page.tab === tab || !this.#isNamedAfter(page.tab, index)),
    );
    const again = free.find((page) => page.tab === tab) ?? free[0];
    if (again !== undefined) return again;
    const body = this.#body;
    const isFirst = this.#pages.length === 0;
    const name = isFirst ? body.use('page') : body.variable(tab ?? 'device', 'device');
    if (!isFirst) body.say(`const ${name} = await ${body.use('newDevice')}();`);
    const page = { name, tab, isOpen: true };
    this.#pages.push(page);
    return page;
  }

  /** Checks whether a later step acts on the prompt of a tab before the next sign-in there. */
  #isNamedAfter(tab: string | null, index: number): boolean {
    for (const step of this.#steps.slice(index + 1)) {
      if (step.tab !== tab || tab === null) continue;
      return step.answers;
    }
    return false;
  }

  #getPage(tab: string | null): PageVariable {
    const page = tab === null ? this.#latest : (this.#pages.findLast((one) => one.tab === tab) ?? null);
    if (page !== null) return page;
    throw new RangeError(`Tab ${tab} is not open in any page.`);
  }
}

const dialect: SpecDialect = {
  module: 'nudgelab/playwright',
  block: 'test.describe',
  ending: 'spec.ts',
  writeSteps: (body, steps) => new PageSteps(body, steps).write(),
  details: (covers, besides) =>
    covers.length === 0 ? '' : `${literal({ tag: covers.map((id) => `@${id}`) }, 0, besides)}, `,
  given: (given, indent) => ({ line: `test.use(${literal({ given }, indent, 11)});`, test: 'test' }),
};

/**
 * Generates Playwright specs for scenarios, to run in a project that depends on this package. `fixtures` are those that
 * the scenarios reference.
 */
export function playwrightSpecs(
  scenarios: readonly ScenarioData[],
  heading: Heading,
  fixtures: FixtureLibrary,
): readonly Artefact[] {
  return specFiles(dialect, scenarios, heading, fixtures);
}
