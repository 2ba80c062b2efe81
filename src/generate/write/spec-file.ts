import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { ScenarioData } from '../journey.ts';
import { type Artefact, createSlug, type Heading } from './artefact.ts';
import { literal } from './code-literal.ts';
import { listSpecSteps, SpecBody, type SpecStep } from './spec-body.ts';

/** Maximum number of tests in one file: runners distribute files, and people read them. */
const testsOfFileMax = 40;

/** Format of the specs for one test runner. */
export interface SpecDialect {
  /** Module that exports `test` and `expect`. */
  readonly module: string;
  /** Function that opens a block of tests; `describe` needs an import. */
  readonly block: 'describe' | 'test.describe';
  /** File name extension. */
  readonly ending: string;
  /** Adds the steps of a test. */
  readonly writeSteps: (body: SpecBody, steps: readonly SpecStep[]) => void;
  /**
   * Returns the arguments between a test's name and its function, such as its tags. `covers` lists the covered ids, and
   * `besides` is the number of other characters on the line.
   */
  readonly details: (covers: readonly string[], besides: number) => string;
  /** Returns the lines that set the initial data of a block, and the name of the test function to use in it. */
  readonly given: (given: object, indent: number) => { readonly line: string; readonly test: string };
}

/** Returns the initial data of tests in the format of the `given` fixture. */
function pickSetup({ given, clock, ruleset, seed }: ScenarioData): object {
  return { ...given, clock, ruleset, seed };
}

/**
 * Generates the spec files of scenarios in the format of a test runner. `fixtures` are those that the scenarios
 * reference.
 */
export function specFiles(
  dialect: SpecDialect,
  scenarios: readonly ScenarioData[],
  { title, comment }: Heading,
  fixtures: FixtureLibrary,
): readonly Artefact[] {
  const parts: (readonly ScenarioData[])[] = [];
  const named = withOwnNames(scenarios);
  for (let at = 0; at < named.length; at += testsOfFileMax) parts.push(named.slice(at, at + testsOfFileMax));
  const digits = String(parts.length).length;
  return parts.map((part, index) => {
    const number = parts.length === 1 ? '' : `-${String(index + 1).padStart(digits, '0')}`;
    return {
      path: `${createSlug(title)}${number}.${dialect.ending}`,
      text: fileText(dialect, part, comment, fixtures),
    };
  });
}

/** Makes scenario names unique, as test runners require within a file. */
function withOwnNames(scenarios: readonly ScenarioData[]): readonly ScenarioData[] {
  const counts = new Map<string, number>();
  return scenarios.map((scenario) => {
    const count = (counts.get(scenario.name) ?? 0) + 1;
    counts.set(scenario.name, count);
    return count === 1 ? scenario : { ...scenario, name: `${scenario.name} (${count})` };
  });
}

function fileText(
  dialect: SpecDialect,
  scenarios: readonly ScenarioData[],
  comment: string,
  fixtures: FixtureLibrary,
): string {
  const groups = Map.groupBy(scenarios, (scenario) => JSON.stringify(pickSetup(scenario)));
  const single = groups.size === 1;
  const names = single || dialect.block !== 'describe' ? 'expect, test' : 'describe, expect, test';
  const blocks = [...groups.values()].map((group) => {
    const first = group[0] as ScenarioData;
    const { line, test } = dialect.given(pickSetup(first), 0);
    const tests = group.map((scenario) => testText(dialect, scenario, test, fixtures));
    const text = `${line}\n\n${tests.join('\n\n')}`;
    if (single) return text;
    const whom = Object.keys(first.given.users ?? {}).join(', ');
    return `${dialect.block}(${literal(`Given ${givenName(first)}${whom === '' ? '' : ` with ${whom}`}`)}, () => {\n${shifted(text)}\n});`;
  });
  const head = comment.split('\n').map((text) => `// ${text}`.trimEnd());
  const imports = `import { ${names} } from ${literal(dialect.module)};`;
  return `${head.join('\n')}\n${imports}\n\n${blocks.join('\n\n')}\n`;
}

function givenName({ given }: ScenarioData): string {
  return typeof given.tenant === 'string' ? `the tenant ${given.tenant}` : 'a tenant';
}

function shifted(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function testText(dialect: SpecDialect, scenario: ScenarioData, test: string, fixtures: FixtureLibrary): string {
  const body = new SpecBody(Object.keys(scenario.given.users ?? {}));
  dialect.writeSteps(body, listSpecSteps(scenario, fixtures));
  const personas = body.declarePersonas();
  const parameters =
    body.fixtures.size === 0 ? '' : `{ ${fixtureOrder.filter((name) => body.fixtures.has(name)).join(', ')} }`;
  const lines = [...personas, ...(personas.length === 0 ? [] : ['']), ...body.lines];
  const name = literal(scenario.name);
  const details = dialect.details(scenario.covers, name.length + parameters.length + test.length);
  return `${test}(${name}, ${details}async (${parameters}) => {\n${lines.join('\n')}\n});`;
}

/** Order of the fixtures in a test's parameters. */
const fixtureOrder = ['page', 'newDevice', 'nudgelab', 'signIn', 'prompt', 'persona', 'clock'];
