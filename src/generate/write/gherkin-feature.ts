import { expectationSentences, givenSentences, stepSentence } from '../../scenario/gherkin-phrases.ts';
import { yamlLine } from '../../scenario/yaml-line.ts';
import type { ScenarioData } from '../journey.ts';
import { type Artefact, createSlug, type Heading } from './artefact.ts';
import { withSharedExamples } from './shared-examples.ts';

/** Maximum number of scenarios in one feature. */
const scenariosOfFeatureMax = 40;

/**
 * Converts scenarios to Gherkin features. Scenarios with the same steps become one Scenario Outline with a table of
 * examples. The step definitions of `nudgelab/cucumber` match every sentence.
 */
export function gherkinFeatures(scenarios: readonly ScenarioData[], { title, comment }: Heading): readonly Artefact[] {
  const all = withSharedExamples(scenarios);
  const count = Math.ceil(all.length / scenariosOfFeatureMax);
  const digits = String(count).length;
  return Array.from({ length: count }, (_, index) => {
    const part = all.slice(index * scenariosOfFeatureMax, (index + 1) * scenariosOfFeatureMax);
    const number = count === 1 ? '' : `-${String(index + 1).padStart(digits, '0')}`;
    const head = comment.split('\n').map((line) => `# ${line}`.trimEnd());
    const text = [
      ...head,
      `Feature: ${oneLine(title)}`,
      ...part.flatMap((scenario) => ['', ...scenarioLines(scenario)]),
    ];
    return { path: `${createSlug(title)}${number}.feature`, text: `${text.join('\n')}\n` };
  });
}

function scenarioLines(scenario: ScenarioData): readonly string[] {
  const { name, covers, tags = [], clock, ruleset, seed, given, examples = [], steps } = scenario;
  const marks = [...covers, ...tags].map((tag) => `@${tag.replaceAll(/[\s@]+/g, '-')}`);
  const lines: string[] = marks.length === 0 ? [] : [`  ${marks.join(' ')}`];
  lines.push(`  ${examples.length === 0 ? 'Scenario' : 'Scenario Outline'}: ${oneLine(name)}`);
  const say = (words: readonly string[], sentences: readonly string[]) => {
    for (const [index, sentence] of sentences.entries()) {
      lines.push(`    ${index === 0 ? words[0] : words[1]} ${withPlaces(sentence)}`);
    }
  };
  say(['Given', 'And'], givenSentences({ ...given, clock, ruleset, seed }));
  for (const { expect = {}, ...step } of steps) {
    say(['When', 'And'], [stepSentence(step)]);
    say(['Then', 'And'], expectationSentences(expect));
  }
  return examples.length === 0 ? lines : [...lines, '', '    Examples:', ...formatTable(examples)];
}

/** Replaces quoted `${name}` variables of a scenario with Gherkin's angle brackets. */
function withPlaces(sentence: string): string {
  return sentence.replaceAll(/'\$\{([A-Za-z_][\w-]*)\}'/g, '<$1>').replaceAll(/\$\{([A-Za-z_][\w-]*)\}/g, '<$1>');
}

function formatTable(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_name, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => `      | ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`);
}

function cell(value: unknown): string {
  return yamlLine(value ?? null)
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('\n', '\\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
