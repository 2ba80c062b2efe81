import { describe, expect, it } from 'vitest';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { generateUsers } from '../../src/scenario/generated-users.ts';

describe('synthetic users', () => {
  it('are equal for the same random seed and different for another one', () => {
    expect(generateUsers(50, 7)).toEqual(generateUsers(50, 7));
    expect(generateUsers(50, 7)).not.toEqual(generateUsers(50, 8));
  });

  it('have unique ids and names, and a sandbox accepts all of them', () => {
    const users = generateUsers(2_000, 1);
    expect(new Set(users.map(({ id }) => id)).size).toBe(2_000);
    expect(new Set(users.map(({ userPrincipalName }) => userPrincipalName)).size).toBe(2_000);
    expect(planSandbox({ users }).users).toHaveLength(2_000);
  });

  it('have addresses in the reserved domain and the authentication methods of the mix', () => {
    const users = generateUsers(500, 3);
    expect(users.every(({ userPrincipalName }) => /^[a-z.]+\.\d+@example\.test$/.test(userPrincipalName))).toBe(true);
    expect(new Set(users.flatMap(({ methods }) => methods)).size).toBe(5);
    expect(users.filter(({ type }) => type === 'guest').length).toBeGreaterThan(0);
  });

  it.each([-1, 1.5, 1_000_001])('bad-request: %s users are rejected', (count) => {
    expect(() => generateUsers(count, 1)).toThrowError(expect.objectContaining({ code: 'bad-request' }));
  });
});
