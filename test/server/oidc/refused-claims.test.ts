import { describe, expect, it } from 'vitest';
import { protocolClaims } from '../../../src/contract/user-claims.schema.ts';
import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { findProblems } from '../planning-problems.ts';

const shop = { id: 'shop', kind: 'public', anyLoopbackRedirect: true };

describe('refused configurations', () => {
  it.each([...protocolClaims, 'nl_own'])('CL70 the claim %s belongs to the protocol, for users and clients', (name) => {
    const user = findProblems({ users: [{ id: 'ada', claims: { [name]: 1 } }] });
    expect(user).toEqual([
      { location: `users.0.claims.${name}`, message: expect.stringContaining('claim of the protocol') },
    ]);
    for (const [place, item, at] of [
      ['idToken', name, ''],
      ['accessToken', { name, value: 1 }, '.name'],
      ['userinfo', { name, from: 'id' }, '.name'],
    ] as const) {
      const [problem, ...others] = findProblems({ clients: [{ ...shop, claims: { [place]: ['fine', item] } }] });
      expect(problem?.location).toBe(`clients.0.claims.${place}.1${at}`);
      expect(problem?.message).toContain('claim of the protocol');
      expect(others).toEqual([]);
    }
  });

  it.each([
    ['a password', { name: 'x', from: 'profile.password' }, 'idToken.0.from', /is not one of "id"/],
    ['a code', { name: 'x', from: 'profile.code' }, 'idToken.0.from', /is not one of "id"/],
    ['a path that does not exist', { name: 'x', from: 'profile.directory.job' }, 'idToken.0.from', /"profile/],
    ['a source that does not exist', { name: 'x', from: 'group' }, 'idToken.0.from', /did you mean "groups"/i],
    ['neither value nor from', { name: 'x' }, 'idToken.0', /either value or from/],
    ['value and from', { name: 'x', value: 1, from: 'id' }, 'idToken.0', /either value or from/],
    ['as without groups', { name: 'x', from: 'id', as: 'name' }, 'idToken.0.as', /unless from is groups/],
    ['only without groups', { name: 'x', value: 1, only: ['a'] }, 'idToken.0.only', /unless from is groups/],
    ['a number', 7, 'idToken.0', /7 is not a string or an object/],
    ['a list', [['a']], 'idToken.0', /is not a string or an object/],
    ['a name with a space', 'cost center', 'idToken.0', /printable ASCII/],
    ['an unknown key', { name: 'x', value: 1, form: 'id' }, 'idToken.0', /form/],
  ])('CL70 %s', (_case, item, at, message) => {
    const [problem] = findProblems({ clients: [{ ...shop, claims: { idToken: [item] } }] });
    expect(problem).toEqual({ location: `clients.0.claims.${at}`, message: expect.stringMatching(message) });
  });

  it.each([
    ['a name twice', { clients: [{ ...shop, claims: { idToken: ['a', { name: 'a', value: 1 }] } }] }, 'idToken.1'],
    ['a place that does not exist', { clients: [{ ...shop, claims: { token: [] } }] }, 'claims'],
    ['a role that is no text', { clients: [{ ...shop, userRoles: { ada: [1] } }] }, 'userRoles.ada.0'],
    ['a list of roles without any', { clients: [{ ...shop, userRoles: { ada: [] } }] }, 'userRoles.ada'],
    ['a name of a user claim with a space', { users: [{ id: 'ada', claims: { 'a b': 1 } }] }, 'claims.a b'],
    ['a value that is not JSON', { users: [{ id: 'ada', claims: { a: 1n } }] }, 'claims.a'],
    ['a value that is too long', { users: [{ id: 'ada', claims: { a: 'x'.repeat(70_000) } }] }, 'claims.a'],
    ['a limit below zero', { settings: { identity: { groupsLimit: -1 } } }, 'identity.groupsLimit'],
  ])('CL70–CL72 %s', (_case, input, at) => {
    const problems = findProblems(input as SandboxInput);
    expect(problems.map(({ location }) => location)).toEqual([expect.stringMatching(new RegExp(`${at}$`))]);
  });
});
