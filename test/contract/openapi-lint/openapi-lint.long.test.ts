import type { RulesetDefinition } from '@stoplight/spectral-core';
import { describe, expect, it } from 'vitest';
import { publishedSchemas, schemaText } from '../../../src/cli/schema/schemas.ts';
import { installOnDemand } from '../../../tooling/packages-on-demand.ts';
import { nonEmpty } from '../../non-empty.ts';

installOnDemand('test/contract/openapi-lint');
const { BaseResolver, lintDocument, loadConfig, makeDocumentFromString } = await import('@redocly/openapi-core');
const { Spectral } = await import('@stoplight/spectral-core');
const { oas } = await import('@stoplight/spectral-rulesets');

const names = [...publishedSchemas.keys()].filter((name) => name.endsWith('-openapi'));

function getText(name: string): string {
  const document = publishedSchemas.get(name);
  if (document === undefined) throw new Error(`There is no document ${name}.`);
  return schemaText(document);
}

/** Rules of Redocly that a document breaks, each with a message. */
async function redoclyProblems(text: string): Promise<readonly string[]> {
  const problems = await lintDocument({
    document: makeDocumentFromString(text, 'openapi.json'),
    config: await loadConfig({ configPath: 'redocly.yaml' }),
    externalRefResolver: new BaseResolver(),
  });
  return problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
}

/** Errors of Spectral, without its recommendations, which have another severity. */
async function spectralErrors(text: string): Promise<readonly string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas as RulesetDefinition] });
  const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>);
  return problems
    .filter(({ severity }) => Number(severity) === 0)
    .map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`);
}

describe('OpenAPI documents', () => {
  it.each(nonEmpty(names))('%s passes Redocly without errors and warnings', async (name) => {
    expect(await redoclyProblems(getText(name))).toEqual([]);
  });

  it.each(nonEmpty(names))('%s passes Spectral without errors', async (name) => {
    expect(await spectralErrors(getText(name))).toEqual([]);
  });

  it('both linters find a planted fault', async () => {
    const [name = ''] = names;
    const { paths, ...rest } = JSON.parse(getText(name)) as { readonly paths: object };
    const bent = JSON.stringify({ ...rest, paths: { ...paths, '/bent/{id}': { get: { responses: {} } } } });
    expect((await redoclyProblems(bent)).length).toBeGreaterThan(0);
    expect((await spectralErrors(bent)).length).toBeGreaterThan(0);
  });
});
