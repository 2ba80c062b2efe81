import { describe, expect, it } from 'vitest';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';

const fixtures = new FixtureLibrary(['fixtures']);

const sound = `name: A text-message user is asked
covers: [R1]
given:
  tenant: app-enabled
  users: { ada: sms-user }
steps:
  - signIn: { user: ada }
    expect: { page: prompt, outcome: skippable, reason: null }
`;

/** Returns a reference to a value in the example row. */
function fromRow(name: string): string {
  return `'$\{${name}}'`;
}

function findProblems(text: string): readonly { location: string; message: string }[] {
  return loadText('suite/one.yaml', text, fixtures).problems;
}

describe('loading scenarios', () => {
  it('loads a valid scenario completely: users with their ids, steps with their line numbers', () => {
    const { scenarios, problems } = loadText('suite/one.yaml', sound, fixtures);
    expect(problems).toEqual([]);
    expect(scenarios).toHaveLength(1);
    expect(scenarios[0]).toMatchObject({ id: 'suite/one.yaml', covers: ['R1'], rows: 1 });
    expect(scenarios[0]?.plan.users[0]).toMatchObject({ id: 'ada', userPrincipalName: 'ada@example.test' });
    expect(scenarios[0]?.steps[0]).toMatchObject({ kind: 'signIn', line: 7 });
  });

  it.each([
    ['broken YAML', 'name: [unclosed\n', /^suite\/one\.yaml:\d+:\d+$/, /./],
    ['an unknown key of the scenario', sound.replace('covers: [R1]', 'cover: [R1]'), /:2:1$/, /unknown key "cover"/],
    ['an unknown rule id', sound.replace('[R1]', '[R99]'), /:2:10$/, /"R99" is not the id/],
    [
      'a token of an unknown user',
      `${sound}  - callApi: { path: /v1.0/me, as: { user: bob } }\n`,
      /:9:5$/,
      /user "bob" is not in this scenario/,
    ],
    [
      'a call of another API',
      `${sound}  - callApi: { path: /users }\n`,
      /:9:\d+$/,
      /must begin with \/v1\.0\/ or \/beta\//,
    ],
    ['an unknown verb', sound.replace('signIn:', 'login:'), /:7:5$/, /exactly one of signIn, signOut, next.*has login/],
    [
      'two verbs in one step',
      sound.replace('    expect', '    skip: {}\n    expect'),
      /:7:5$/,
      /exactly one of .*has signIn, skip/,
    ],
    [
      'an unknown attempt field',
      sound.replace('user: ada }', 'user: ada, osx: windows }'),
      /:7:\d+$/,
      /unknown key "osx"/,
    ],
    [
      'a wrong value',
      sound.replace('user: ada }', 'user: ada, os: beos }'),
      /:7:\d+$/,
      /"beos" is not one of "windows"/,
    ],
    ['a wrong expectation', sound.replace('page: prompt', 'page: promt'), /:8:\d+$/, /"promt" is not one of "prompt"/],
    [
      'a user in no tenant',
      sound.replace('{ user: ada }', '{ user: bob }'),
      /:7:5$/,
      /user "bob" is not in this scenario/,
    ],
    ['users without a tenant', sound.replace('  tenant: app-enabled\n', ''), /:4:3$/, /given\.tenant/],
    [
      'an unknown fixture',
      sound.replace('app-enabled', 'no-such'),
      /:4:11$/,
      /"no-such" is not one of the fixtures in tenants/,
    ],
    [
      'a wrong fact of a user',
      sound.replace('sms-user }', '{ methods: [fax] } }'),
      /:5:17$/,
      /users\.0\.methods\.0: "fax"/,
    ],
    [
      'a profile that does not exist',
      sound.replace(
        'tenant: app-enabled',
        'tenant: { methodsPolicy: { fido2: { includeTargets: [{ targetType: group, id: all_users, profiles: [x] }] } } }',
      ),
      /:4:11$/,
      /profile "x" does not exist/,
    ],
    ['an unknown ruleset', `ruleset: seeds\n${sound}`, /:1:10$/, /"seeds" is not one of seed, 2026-09/],
    [
      'an answer before any sign-in',
      sound.replace('  - signIn', '  - skip: {}\n    expect: { status: 409 }\n  - signIn'),
      /:7:5$/,
      /skip requires a prompt, and no earlier step can have shown one/,
    ],
    [
      'a page that is loaded again before any was shown',
      sound.replace('  - signIn', '  - reload: {}\n    expect: { page: prompt }\n  - signIn'),
      /:7:5$/,
      /reload requires a prompt, and no earlier step can have shown one/,
    ],
    ['a tab that is loaded again and was never opened', `${sound}  - reload: { prompt: tab9 }\n`, /:9:5$/, /"tab9"/],
    [
      'a reload that is to pass pages',
      `${sound}  - reload: {}\n    expect: { visitedPages: [] }\n`,
      /:9:5$/,
      /reload does not return visitedPages/,
    ],
    [
      'an unknown tab',
      `${sound}  - skip: { prompt: tab9 }\n    expect: { status: 200 }\n`,
      /:9:5$/,
      /"tab9" is not an earlier sign-in; earlier sign-ins are ada/,
    ],
    [
      'an expectation that the step cannot show',
      `${sound}  - advance: { days: 1 }\n    expect: { page: prompt }\n`,
      /:9:5$/,
      /advance does not return page/,
    ],
    ['no expectation at all', sound.replace(/ {4}expect.*\n/, ''), /:7:3$/, /at least one expect/],
    [
      'mixed methods',
      sound.replace(
        'tenant: app-enabled',
        'tenant: { extends: app-enabled, campaign: { includeTargets: [{ targetType: group, id: all_users, targetedAuthenticationMethod: fido2 }, { targetType: user, id: u, targetedAuthenticationMethod: vendorAuthenticator }] } }',
      ),
      /:4:11$/,
      /one method at a time/,
    ],
    [
      'a missing row value',
      `${sound.replace('user: ada }', () => `user: ada, os: ${fromRow('os')} }`)}examples:\n  - { browser: edge }\n`,
      /:7:\d+$/,
      /"os" is not a value of the row; use one of browser/,
    ],
  ])('scenario-invalid: %s is rejected with its location and the allowed values', (_what, text, place, message) => {
    const problems = findProblems(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]?.location).toMatch(place);
    expect(problems[0]?.message).toMatch(message);
    expect(loadText('suite/one.yaml', text, fixtures).scenarios).toEqual([]);
  });

  it('scenario-invalid: every invalid step is reported, not only the first', () => {
    const text = sound.replace('user: ada }', 'user: ada, os: beos }');
    const problems = findProblems(`${text}  - skip: { promt: tab }\n    expect: { state: asleep }\n`);
    expect(problems.map(({ location }) => location.split(':')[1])).toEqual(['7', '9', '10']);
  });

  it.each(['[]', 'edge', '[edge]'])('scenario-invalid: %s is rejected as an examples table', (examples) => {
    const { scenarios, problems } = loadText('suite/one.yaml', `${sound}examples: ${examples}\n`, fixtures);
    expect(scenarios).toEqual([]);
    expect(problems).toMatchObject([{ location: expect.stringMatching(/:9:11$/) }]);
  });

  it('scenario-invalid: a YAML bomb is rejected before it expands', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]' : `a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`,
    );
    expect(findProblems(`${levels.join('\n')}\nname: *a11\n`)[0]?.message).toMatch(/alias/i);
  });

  it('each example row creates one scenario, and its values keep their type', () => {
    const text = `${sound
      .replace('user: ada }', () => `user: ada, os: ${fromRow('os')}, termsOfUse: ${fromRow('terms')} }`)
      .replace('{ page: prompt, outcome: skippable, reason: null }', () => fromRow('wanted'))}examples:
  - { os: macos, terms: false, wanted: { page: prompt } }
  - { os: windows, terms: true, wanted: { page: terms-of-use, reason: terms-of-use } }
`;
    const { scenarios, problems } = loadText('suite/one.yaml', text, fixtures);
    expect(problems).toEqual([]);
    expect(scenarios.map(({ id }) => id)).toEqual(['suite/one.yaml#1', 'suite/one.yaml#2']);
    expect(scenarios[1]?.steps[0]).toMatchObject({
      say: { os: 'windows', termsOfUse: true },
      expect: { reason: 'terms-of-use' },
    });
  });

  it('extends merges facts over a fixture without changing the fixture', () => {
    const text = sound.replace('{ ada: sms-user }', '{ ada: { extends: sms-user, methods: [voice] }, bob: sms-user }');
    const users = loadText('suite/one.yaml', text, fixtures).scenarios[0]?.plan.users;
    expect(users?.map(({ methods }) => methods)).toEqual([['voice'], ['sms']]);
  });
});
