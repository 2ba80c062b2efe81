import { getRule } from '../machines/rules/rule-registry.ts';
import { datelessRulesets as rulesets } from '../machines/rulesets/ruleset-registry.ts';
import { gateIds, matrixPlatforms, passkeyTypes, type Ruleset } from '../machines/vocabulary.ts';
import { navigation, pageTitle } from '../site/navigation.ts';
import { assumptions } from '../src/contract/assumptions.ts';
import { controlOperations } from '../src/contract/control-openapi.ts';
import { isStream } from '../src/contract/control-operation.ts';
import { describeObservation, type Observation } from '../src/contract/coverage-evidence.ts';
import { tenantFactsSchema } from '../src/contract/facts.schema.ts';
import { ruleCatalogue } from '../src/contract/rule-catalogue.ts';
import { errorTable } from '../src/core/errors.ts';
import { findSwitch } from '../src/server/control-api/assumption-switches.ts';
import { apiReference, apiSources } from './api-reference.ts';
import { cliReference } from './cli-reference.ts';
import { glossary, glossaryBlocks } from './language/glossary.ts';
import { rulesetReference } from './ruleset-reference.ts';

/** Page in docs/ or module that is generated from the program's data. */
export interface GeneratedDocument {
  /** Path relative to the repository root. */
  readonly path: string;
  /** Returns the complete text, which ends with a line break. */
  readonly render: () => string;
}

/** Generated pages, which `npm run docs` writes and `npm run check` compares. */
export const documents: readonly GeneratedDocument[] = [
  { path: 'docs/README.md', render: docsIndex },
  { path: 'docs/errors.md', render: errorsPage },
  { path: 'docs/rules.md', render: rulesPage },
  { path: 'docs/assumptions.md', render: assumptionsPage },
  { path: 'src/client/control-routes.ts', render: controlRoutes },
  {
    path: 'docs/reference/glossary.md',
    render: () => page('Glossary', ['tooling/language/glossary.yaml'], glossaryBlocks(glossary)),
  },
  { path: 'docs/reference/cli.md', render: () => page('Command-line reference', ['src/cli/'], cliReference()) },
  {
    path: 'docs/reference/rulesets.md',
    render: () =>
      page(
        'Ruleset file reference',
        ['src/contract/ruleset.schema.ts', 'tooling/ruleset-defaults.ts'],
        rulesetReference(),
      ),
  },
  { path: 'docs/reference/api.md', render: () => page('API reference', apiSources(), apiReference()) },
];

/** Lists all pages by reader. */
function docsIndex(): string {
  const sections = navigation.flatMap(({ title, about, pages }) => [
    `## ${title}`,
    about,
    table(
      ['Page', 'Purpose'],
      pages.map(({ path, about: purpose }) => [`[${pageTitle(path)}](${fromDocs(path)})`, purpose]),
    ),
  ]);
  const site =
    'The same pages with search: `npm run site` builds them, `npm run nudgelab -- docs` serves them on this machine.';
  return page('Documentation', ['site/navigation.yaml'], [site, ...sections]);
}

/** A path of the repository as a link of a page in docs/. */
function fromDocs(path: string): string {
  return path.startsWith('docs/') ? path.slice('docs/'.length) : `../${path}`;
}

function controlRoutes(): string {
  return [
    '/**',
    ' * Maps each operation of the control API to its method and its path below `/_control/v1`. Written by `npm run docs`, so that',
    ' * a browser client does not have to load the schemas of the operations.',
    ' */',
    'export const controlRoutes = {',
    ...controlOperations.map(({ id, route }) => `  ${id}: '${route}',`),
    '} as const;',
    '',
    '/** Maps each operation whose response is not JSON to its kind: events, lines (NDJSON), or the bytes of a file. */',
    'export const streamedReplies = {',
    ...controlOperations.flatMap(({ id, reply }) => {
      const kind = isStream(reply) ? reply.stream : reply;
      return typeof kind === 'string' ? [`  ${id}: '${kind}',`] : [];
    }),
    '} as const;',
    '',
    '/** Maps each operation whose request body is a file to the media type of the file. */',
    'export const uploadTypes = {',
    ...controlOperations.flatMap(({ id, file }) => (file === null ? [] : [`  ${id}: '${file.mediaType}',`])),
    '} as const;',
    '',
  ].join('\n');
}

type Rows = readonly (readonly string[])[];

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([code, { title, action, status, exitCode }]) => [
    `\`${code}\``,
    title,
    action,
    String(status),
    String(exitCode),
  ]);
  return page(
    'Errors',
    ['src/core/errors.ts'],
    [
      'Every expected failure has a stable code. Messages may change; codes do not. Commands print the code after `error`, the ' +
        'control API returns it as `error.code`, and error pages show it. The policy API has its own codes, one per status: see ' +
        '[the policy API](how-to/policy-api.md).',
      'Exit codes: 1, a check failed; 2, invalid input or usage; 3, an internal error of the simulator.',
      table(['Code', 'Meaning', 'Suggested action', 'HTTP status', 'Exit code'], rows),
    ],
  );
}

function rulesPage(): string {
  const shipped = [...rulesets.values()];
  return page(
    'Rules',
    ['src/contract/rule-catalogue.ts', 'machines/rules/', 'machines/rulesets/'],
    [
      'The ids that code, scenarios, verdicts and reports use. A gate lets a prompt pass or stops it, and appears in the trace ' +
        'of every verdict. A permission also appears in the trace but never stops a prompt. A lifecycle rule is a named ' +
        'transition of the nudge machine. A validation rule is observed in a response of the policy API.',
      table(
        ['Id', 'Rule', 'Kind', 'Evaluated by the gate', 'Observed as'],
        ruleCatalogue.map(({ id, summary, kind, gate, confirmedBy }) => [
          id,
          summary,
          kind,
          gate ?? '',
          seen(confirmedBy),
        ]),
      ),
      '## The matrix of R12',
      'Passkey types that suppress the prompt, by platform and ruleset: 1 suppresses. `linux` and `unknown` have no column ' +
        '(R11.6, R11.9).',
      ...shipped.flatMap((ruleset) => [`Ruleset \`${ruleset.id}\`:`, matrixTable(ruleset)]),
      '## Evaluation order of the gates',
      'Every gate is evaluated and reported; the first gate that stops, in the order of the ruleset, determines the reason. Gates ' +
        'for a method that is not targeted are not applicable. Source files are in `machines/rules/`.',
      gatesTable(shipped),
    ],
  );
}

function matrixTable({ matrix }: Ruleset): string {
  return table(
    ['Passkey', ...matrixPlatforms],
    passkeyTypes.map((type) => [
      `\`${type}\``,
      ...matrixPlatforms.map((platform) => (matrix[type][platform] ? '1' : '0')),
    ]),
  );
}

function gatesTable(shipped: readonly Ruleset[]): string {
  const rows = gateIds.map((id) => {
    const { summary, appliesTo, reasons, reads, source } = getRule(id);
    const places = shipped.map(({ order }) => String(order.indexOf(id) + 1 || ''));
    return [...places, id, summary, appliesTo, listed(reasons), listed(reads), source.join(', ')];
  });
  const heads = shipped.map(({ id }) => `Position in \`${id}\``);
  return table([...heads, 'Gate', 'Met if', 'Method', 'Stops with', 'Reads', 'Source'], rows);
}

function assumptionsPage(): string {
  const tenant = tenantFactsSchema.parse({});
  const rows = assumptions.map(({ id, question, answer, confirmedBy }) => {
    const toggle = findSwitch(id, tenant);
    const setting = toggle === null ? '' : `\`${toggle.name}\`: ${allowedText(toggle.allowed)}`;
    return [id, question, answer, seen(confirmedBy), setting];
  });
  return page(
    'Assumptions',
    [
      'src/contract/assumptions.ts',
      'src/contract/ruleset-assumptions.ts',
      'src/contract/client-assumptions.ts',
      'src/contract/assumption-evidence.ts',
    ],
    [
      'Open questions of the specification ("the seed"), and from A52 on of the format of ruleset files, of the announced changes and of the sign-in of applications, with the answers used by ' +
        'this program, which you can change where a switch exists. A scenario that relies on an assumption names it in `covers`; a run must then confirm it by one of the ' +
        'observations in the fourth column: a gate that was met or gave the reason, a transition of the nudge machine with its ' +
        'guard or action, an expectation about the nudge status, or a response of the policy API. "Claimed only" means that ' +
        'test runs cannot observe the assumption; reports list it as claimed.',
      'The last column shows the switch of each assumption that can be changed per sandbox, with ' +
        '`PUT /_control/v1/sandboxes/{sandbox}/assumptions` and a body such as `{"A9": true}`. All others are fixed.',
      table(['Id', 'Question', 'Answer', 'Observed as', 'Switch'], rows),
    ],
  );
}

function allowedText(allowed: NonNullable<ReturnType<typeof findSwitch>>['allowed']): string {
  return 'minimum' in allowed ? `${allowed.minimum} to ${allowed.maximum}` : allowed.join(' or ');
}

function seen(confirmedBy: readonly Observation[]): string {
  return confirmedBy.map(describeObservation).join('; or ');
}

function listed(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}

function page(title: string, sources: readonly string[], parts: readonly string[]): string {
  const origin = `Generated by \`npm run docs\` from ${sources.map((source) => `\`${source}\``).join(', ')}. Edit the sources, not this page.`;
  return `${[`# ${title}`, origin, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: Rows): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
