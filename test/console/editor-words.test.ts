import { describe, expect, it } from 'vitest';
import { type JsonSchema, wordsAt } from '../../console/src/editor/schema-terms.ts';
import { yamlPlace } from '../../console/src/editor/yaml-location.ts';
import { publishedSchemas } from '../../src/cli/schema/schemas.ts';
import { stepKinds } from '../../src/contract/step-names.ts';

const schema = publishedSchemas.get('scenario')?.document() as JsonSchema;
const head = 'name: x\ngiven:\n  tenant: app-enabled\n  users:\n    ada: sms-user\nsteps:\n';

/** Lists the words that completion offers at the end of a text. */
function offered(text: string): readonly string[] {
  return wordsAt(schema, yamlPlace(text)).map(({ word }) => word);
}

describe('cursor position in YAML', () => {
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
  ] as const)('finds the position at the end of %j', (text, path, kind, word) => {
    expect(yamlPlace(text)).toEqual({ path, kind, word });
  });

  it('malformed text always has a position', () => {
    for (const text of ['', '}', ']}]', '- - - -', ': :', '{', '\t\t', '"', "'", 'a: [}', '- {a: [', '\n\n  \n']) {
      expect(['key', 'value']).toContain(yamlPlace(text).kind);
    }
  });
});

describe('completion from the schema', () => {
  it('offers the keys of a scenario at the top level', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['name', 'covers', 'given', 'steps', 'clock', 'examples']));
  });

  it('offers every step name at the start of a step', () => {
    expect(offered(`${head}  - `)).toEqual(expect.arrayContaining([...stepKinds]));
  });

  it('offers only the keys of the current step', () => {
    const words = offered(`${head}  - signIn: { `);
    expect(words).toEqual(expect.arrayContaining(['user', 'as', 'os', 'browser', 'mfa', 'otherWay']));
    expect(words).not.toContain('expect');
    expect(words).not.toContain('days');
  });

  it.each([
    ['    expect: { outcome: ', ['none', 'skippable', 'required']],
    ['    expect:\n      state: ', ['notPrompted', 'prompted', 'snoozed', 'registrationRequired', 'registered']],
    ['    expect: { page: ', ['prompt', 'required', 'not-nudged']],
  ])('offers the allowed values for %j', (text, words) => {
    expect(offered(`${head}  - signIn: { user: ada }\n${text}`)).toEqual(expect.arrayContaining(words));
  });

  it('offers true and false for a boolean value', () => {
    expect(offered(`${head}  - signIn: { user: ada, ssoSession: `)).toEqual(['true', 'false']);
  });

  it('offers nothing for free text and unknown steps', () => {
    expect(offered('name: ')).toEqual([]);
    expect(offered(`${head}  - nonsense: { `)).toEqual([]);
  });

  it('describes a key if the schema has a description', () => {
    const [word] = wordsAt(schema, yamlPlace('given:\n  ten')).filter(({ word: one }) => one === 'tenant');
    expect(word?.about).toContain('fixture');
  });
});
