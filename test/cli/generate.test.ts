import { describe, expect, it } from 'vitest';
import { wantedFormats } from '../../src/cli/generate/write-suite.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

interface Failure {
  readonly error: { readonly code: string; readonly message: string };
}

describe('generate: formats', () => {
  it.each([
    ['journeys', false, ['scenarios', 'vitest', 'playwright', 'gherkin', 'json']],
    ['array', false, ['scenarios', 'vitest', 'playwright', 'gherkin', 'csv', 'json']],
    ['array', true, ['csv', 'json']],
    ['machine', false, ['json']],
    ['machine', true, ['vitest', 'json']],
  ] as const)('a suite of the type %s (own module: %s) has the formats %j', (kind, hasModule, formats) => {
    const suite = { kind } as never;
    expect(wantedFormats([], suite, hasModule)).toEqual([formats[0]]);
    expect(wantedFormats([...formats, 'json'], suite, hasModule)).toEqual(formats);
    for (const name of ['cobol', ...(kind === 'machine' ? ['csv'] : [])]) {
      expect(() => wantedFormats(['json', name], suite, hasModule)).toThrow(
        expect.objectContaining({ code: 'usage-invalid', message: expect.stringContaining(formats.join(', ')) }),
      );
    }
  });
});

describe('generate: own parameters', () => {
  it.each([
    ['export const values = [];', 'config-invalid'],
    ['export default { factors: "none" };', 'config-invalid'],
    ['export const factors = [;', 'config-invalid'],
  ])('%s is rejected with the error %s', async (text, code) => {
    const cwd = suiteFolder({ 'own.mjs': text });
    const ended = await runHere(['generate', './own.mjs', '--strength', '2', '--json'], { cwd });
    expect([ended.code, parseOutput(ended)]).toMatchObject([2, { error: { code } }]);
  });

  it('usage-invalid: --strength rejects the name of a machine', async () => {
    const ended = await runHere(['generate', 'sign-in', '--strength', '2', '--json'], { cwd: suiteFolder({}) });
    expect([ended.code, parseOutput(ended)]).toMatchObject([2, { error: { code: 'usage-invalid' } }]);
  });
});

describe('generate: models', () => {
  it.each(['elevator', 'sandbox'])(
    'usage-invalid: the model %s is rejected, and the models are named',
    async (name) => {
      const ended = await runHere(['generate', name, '--json'], { cwd: suiteFolder({}) });
      const { error } = parseOutput(ended) as Failure;
      expect([ended.code, error.code]).toEqual([2, 'usage-invalid']);
      for (const model of ['sign-in', 'document', 'journeys']) {
        expect(error.message.split(/[ ,.]+/)).toContain(model);
      }
    },
  );
});
