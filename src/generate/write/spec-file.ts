import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { ScenarioData } from '../journey.ts';
import { type Artefact, createSlug, type Heading } from './artefact.ts';
import { literal } from './code-literal.ts';
import { listSpecSteps, SpecBody, type SpecStep } from './spec-body.ts';

/** So many tests stand in one file: runners spread files, and people read them. */
const testsOfFileMax = 40;

/** How the specs of one runner are written. */
export interface SpecDialect {
  /** The module that `test` and `expect` come from. */
  readonly module: string;
  /** How a block of tests is opened, and whether its name is imported. */
  readonly block: 'describe' | 'test.describe';
  /** What a file's name ends in. */
  readonly ending: string;
  /** Adds the steps of a test. */
  readonly writeSteps: (body: SpecBody, steps: readonly SpecStep[]) => void;
  /** What stands before the function of a test besides its name, such as its tags. Takes what it covers, and how much stands there. */
  readonly details: (covers: readonly string[], besides: number) => string;
  /** The lines that give tests of a block what they begin with, and the name by which they are then called. */
  readonly given: (given: object, indent: number) => { readonly line: string; readonly test: string };
}

/** What tests begin with, in the words of the fixture `given`. */
function givenOf({ given, clock, ruleset, seed }: ScenarioData): object {
  return { ...given, clock, ruleset, seed };
}

/** The spec files of scenarios. Takes how the runner wants them, the scenarios, and fixtures that they name. */
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

/** Test runners want names that no other test of a file has. */
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
  const groups = Map.groupBy(scenarios, (scenario) => JSON.stringify(givenOf(scenario)));
  const single = groups.size === 1;
  const names = single || dialect.block !== 'describe' ? 'expect, test' : 'describe, expect, test';
  const blocks = [...groups.values()].map((group) => {
    const first = group[0] as ScenarioData;
    const { line, test } = dialect.given(givenOf(first), 0);
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
  const asked =
    body.fixtures.size === 0 ? '' : `{ ${fixtureOrder.filter((name) => body.fixtures.has(name)).join(', ')} }`;
  const lines = [...personas, ...(personas.length === 0 ? [] : ['']), ...body.lines];
  const name = literal(scenario.name);
  const details = dialect.details(scenario.covers, name.length + asked.length + test.length);
  return `${test}(${name}, ${details}async (${asked}) => {\n${lines.join('\n')}\n});`;
}

/** The order in which a test asks for its fixtures. */
const fixtureOrder = ['page', 'newDevice', 'nudgelab', 'signIn', 'prompt', 'persona', 'clock'];
