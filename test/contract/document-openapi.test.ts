import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { documentDocument } from '../../src/contract/document-openapi.ts';

function copied(document: object): Parameters<Validator['validate']>[0] {
  return structuredClone(document) as Parameters<Validator['validate']>[0];
}

describe('document records API document', () => {
  test('D1: the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(copied(documentDocument));
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  test('D1 canary: a document with an error is not valid', async () => {
    const broken = { ...documentDocument, paths: { '/api/v1/page/': { get: { responses: 'ok' } } } };
    expect((await new Validator().validate(copied(broken))).valid).toBe(false);
  });

  test('D8: the record supports the methods in its Allow header', () => {
    const { parameters: _, ...methods } = documentDocument.paths['/api/v1/document/{id}/'];
    expect(Object.keys(methods).toSorted()).toEqual(['get', 'head', 'options', 'patch', 'put']);
  });
});
