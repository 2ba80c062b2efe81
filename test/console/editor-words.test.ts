import { describe, expect, it } from 'vitest';
import { type JsonSchema, wordsAt } from '../../console/src/editor/schema-terms.ts';
import { yamlPlace } from '../../console/src/editor/yaml-location.ts';
import { publishedSchemas } from '../../src/cli/schema/schemas.ts';
import { stepKinds } from '../../src/contract/step-names.ts';

const schema = publishedSchemas.get('scenario')?.document() as JsonSchema;
const head = 'name: x\ngiven:\n  tenant: app-enabled\n  users:\n    ada: sms-user\nsteps:\n';

/** The words that are offered at the end of a text. */
function offered(text: string): readonly string[] {
  return wordsAt(schema, yamlPlace(text)).map(({ word }) => word);
}

describe('where a cursor stands in YAML', () => {
  it.each([
    ['na', [], 'key', 'na'],
    ['given:\n  te', [{ key: 'given' }], 'key', 'te'],
    ['given:\n  users:\n    ada:\n      meth', [{ key: 'given' }, { key: 'users' }, { key: 'ada' }], 'key', 'meth'],
    ['ruleset: se', [{ key: 'ruleset' }], 'value', 'se'],
    ['covers: [R1, R', [{ key: 'covers' }, 'item'], 'value', 'R'],
    ['covers:\n  - R', [{ key: 'covers' }, 'item'], 'key', 'R'],
    ['steps:\n  - ', [{ key: 'steps' }, 'item'], 'key', ''],
    ['steps:\n- sig', [{ key: 'steps' }, 'item'], 'key', 'sig'],
    ['steps:\n  - signIn: { user: ada, o', [{ key: 'steps' }, 'item', { key: 'signIn' }], 'key', 'o'],
    ['steps:\n  - signIn: { user: ada }\n    ex', [{ key: 'steps' }, 'item'], 'key', 'ex'],
    [
      'steps:\n  - signIn: { mfa: { method: s',
      [{ key: 'steps' }, 'item', { key: 'signIn' }, { key: 'mfa' }, { key: 'method' }],
      'value',
      's',
    ],
    ['a: { b: "x, {", c', [{ key: 'a' }], 'key', 'c'],
    ['a:\n  b: 1\n# a comment\nc', [], 'key', 'c'],
    ['"quoted key":\n  b', [{ key: 'quoted key' }], 'key', 'b'],
  ] as const)('%j', (text, path, kind, word) => {
    expect(yamlPlace(text)).toEqual({ path, kind, word });
  });

  it('any text is a place, however broken', () => {
    for (const text of ['', '}', ']}]', '- - - -', ': :', '{', '\t\t', '"', "'", 'a: [}', '- {a: [', '\n\n  \n']) {
      expect(['key', 'value']).toContain(yamlPlace(text).kind);
    }
  });
});

describe('words of the schema', () => {
  it('the keys of a scenario are offered at its top', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['name', 'covers', 'given', 'steps', 'clock', 'examples']));
  });

  it('a step begins with any of its verbs', () => {
    expect(offered(`${head}  - `)).toEqual(expect.arrayContaining([...stepKinds]));
  });

  it('of a verb its own keys are offered, and no others', () => {
    const words = offered(`${head}  - signIn: { `);
    expect(words).toEqual(expect.arrayContaining(['user', 'as', 'os', 'browser', 'mfa', 'otherWay']));
    expect(words).not.toContain('expect');
    expect(words).not.toContain('days');
  });

  it.each([
    ['    expect: { outcome: ', ['none', 'skippable', 'required']],
    ['    expect:\n      state: ', ['notPrompted', 'prompted', 'snoozed', 'registrationRequired', 'registered']],
    ['    expect: { page: ', ['prompt', 'required', 'not-nudged']],
  ])('values of %j are the allowed words', (text, words) => {
    expect(offered(`${head}  - signIn: { user: ada }\n${text}`)).toEqual(expect.arrayContaining(words));
  });

  it('true and false are offered where one of them is wanted', () => {
    expect(offered(`${head}  - signIn: { user: ada, ssoSession: `)).toEqual(['true', 'false']);
  });

  it('nothing is offered where anything may stand', () => {
    expect(offered('name: ')).toEqual([]);
    expect(offered(`${head}  - nonsense: { `)).toEqual([]);
  });

  it('what a key is for is told beside it, where the schema says so', () => {
    const [word] = wordsAt(schema, yamlPlace('given:\n  ten')).filter(({ word: one }) => one === 'tenant');
    expect(word?.about).toContain('fixture');
  });
});
