import { rules } from '../../../machines/rules/rule-registry.ts';
import { rulesets } from '../../../machines/rulesets/ruleset-registry.ts';
import { fixtureKinds } from '../../contract/fixture-kinds.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { publishedSchemas } from '../schema/schemas.ts';
import { defineTool } from './tool.ts';
import { fixturesInput, fixturesOutput, rulesInput, rulesOutput, schemaInput, schemaOutput } from './tool-schemas.ts';

/** Tools that list the rules, the fixtures and the schemas. */
export const catalogTools = [
  defineTool({
    name: 'list_rules',
    title: 'List rules',
    description:
      'Lists the rules of the specification with their reason codes and rulesets. Cite these ids in `covers` of a ' +
      'scenario and in answers about verdicts.',
    input: rulesInput,
    output: rulesOutput,
    writes: false,
    limitMs: null,
    run: async ({ ids, ruleset }) => {
      const unknown = (ids ?? []).filter((id) => !ruleCatalogue.some((rule) => rule.id === id));
      if (unknown.length > 0) {
        const known = ruleCatalogue.map(({ id }) => id);
        const problems = unknown.map((id) => ({
          location: 'input.ids',
          message: `"${id}" is not the id of a rule${suggestName(id, known)}`,
        }));
        throw new NudgeLabError('bad-request', { problems });
      }
      const listed = ruleCatalogue.map(describeRule).filter((rule) => ids === undefined || ids.includes(rule.id));
      return {
        rules: listed.filter((rule) => ruleset === undefined || rule.rulesets.includes(ruleset)),
        rulesets: Array.from(rulesets.values(), ({ id, order, limits }) => ({
          id,
          order: [...order],
          limits: { ...limits },
        })),
      };
    },
  }),
  defineTool({
    name: 'list_fixtures',
    title: 'List fixtures',
    description:
      'Lists the names of tenants, users, clients, faults and lookup services that scenarios and explain can use. ' +
      'With kind and name it returns the facts of one fixture, with everything that it extends.',
    input: fixturesInput,
    output: fixturesOutput,
    writes: false,
    limitMs: null,
    run: async ({ kind, name }, { fixtures: folders }) => {
      const library = new FixtureLibrary(folders);
      if (name === undefined) {
        const kinds = kind === undefined ? fixtureKinds : [kind];
        return {
          fixtures: kinds.flatMap((one) => library.names(one).map((fixture) => ({ kind: one, name: fixture }))),
        };
      }
      if (kind === undefined) {
        throw new NudgeLabError('bad-request', {
          problems: [{ location: 'input.kind', message: 'is required with `name`' }],
        });
      }
      return { fixtures: [{ kind, name, facts: library.resolve(kind, name) }] };
    },
  }),
  defineTool({
    name: 'get_schema',
    title: 'Get a schema',
    description:
      'Returns a JSON Schema or OpenAPI document: "scenario" before you write a scenario, "fixture-user" and ' +
      '"fixture-tenant" for fixtures, "facts" and "verdict" for explain, "config" for nudgelab.config.ts.',
    input: schemaInput,
    output: schemaOutput,
    writes: false,
    limitMs: null,
    run: async ({ name }) => {
      const published = publishedSchemas.get(name);
      if (published === undefined) throw new RangeError(`No document has the name ${name}.`);
      return { name, title: published.title, schema: { ...published.document() } };
    },
  }),
];

function describeRule({ id, kind, summary, gate }: (typeof ruleCatalogue)[number]) {
  const rule = rules.find((one) => one.id === gate);
  return {
    id,
    kind,
    summary,
    ...(rule === undefined ? {} : { passesWhen: rule.summary }),
    reasonCodes: [...(rule?.reasons ?? [])],
    sources: [...(rule?.source ?? [])],
    rulesets: [...rulesets.values()]
      .filter(({ order }) => rule !== undefined && order.includes(rule.id))
      .map((r) => r.id),
  };
}
