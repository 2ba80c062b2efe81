import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { controlDocument, controlOperations } from '../../src/contract/control-openapi.ts';
import { nonEmpty } from '../non-empty.ts';

interface DescribedOperation {
  readonly responses: Readonly<Record<string, unknown>>;
}

const paths = controlDocument.paths as Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

/** Copies a document, because the validator may modify it. */
function copied(document: object): Parameters<Validator['validate']>[0] {
  return structuredClone(document) as Parameters<Validator['validate']>[0];
}

/** Fixed operations as method and path. A leading dot means a path below a sandbox. */
const fixed = [
  'get /health',
  'post /sandboxes',
  'get /sandboxes/{sandbox}',
  'delete /sandboxes/{sandbox}',
  'post ./fork',
  'post ./snapshot',
  'post ./restore',
  'post ./reset',
  'get ./clock',
  'put ./clock',
  'post ./clock/advance',
  'get ./tenant',
  'put ./tenant',
  'patch ./tenant',
  'get ./users',
  'get ./users/{user}',
  'put ./users/{user}',
  'patch ./users/{user}',
  'delete ./users/{user}',
  'post ./users/{user}/next-sign-in',
  'post ./tokens',
  'post ./explain',
  'get ./sign-ins',
  'get ./sign-ins/{signIn}',
  'post ./observations',
  'get ./journal',
  'get ./requests',
  'get ./events',
  'get ./assumptions',
  'put ./assumptions',
];

describe('control API document', () => {
  test('bad-request: the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(copied(controlDocument));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('bad-request: a document with an error is not valid', async () => {
    const broken = { ...controlDocument, paths: { '/health': { get: { responses: 'ok' } } } };
    expect((await new Validator().validate(copied(broken))).valid).toBe(false);
  });

  test.for(fixed)('not-found: %s is documented under its fixed name', (line) => {
    const [verb = '', path = ''] = line.split(' ');
    expect(paths[path.replace(/^\./, '/sandboxes/{sandbox}')]).toHaveProperty(verb);
  });

  test('not-found: operation ids are unique', () => {
    const ids = controlOperations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('sandbox-not-found: every operation below a sandbox documents this error', () => {
    const below = controlOperations.filter(({ path }) => path.startsWith('/sandboxes/{sandbox}'));
    expect(below.length).toBeGreaterThan(30);
    expect(below.filter(({ errors }) => !errors.includes('sandbox-not-found'))).toEqual([]);
  });

  test('unsupported-media-type: only operations with a body document 413 and 415', () => {
    for (const { method, path, body, file } of nonEmpty(controlOperations)) {
      const responses = Object.keys(paths[path]?.[method]?.responses ?? {});
      expect(responses.includes('413') && responses.includes('415')).toBe(body !== null || file !== null);
    }
  });
});
