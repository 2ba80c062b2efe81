import { describe, expect, it } from 'vitest';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { generateUsers } from '../../src/scenario/generated-users.ts';

describe('synthetic users', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(generateUsers(50, 7)).toEqual(generateUsers(50, 7));
    expect(generateUsers(50, 7)).not.toEqual(generateUsers(50, 8));
  });

  it('have ids and names of their own and are all accepted by a sandbox', () => {
    const users = generateUsers(2_000, 1);
    expect(new Set(users.map(({ id }) => id)).size).toBe(2_000);
    expect(new Set(users.map(({ userPrincipalName }) => userPrincipalName)).size).toBe(2_000);
    expect(planSandbox({ users }).users).toHaveLength(2_000);
  });

  it('live in the reserved domain and have methods of every kind in the mix', () => {
    const users = generateUsers(500, 3);
    expect(users.every(({ userPrincipalName }) => /^[a-z.]+\.\d+@example\.test$/.test(userPrincipalName))).toBe(true);
    expect(new Set(users.flatMap(({ methods }) => methods)).size).toBe(5);
    expect(users.filter(({ type }) => type === 'guest').length).toBeGreaterThan(0);
  });

  it.each([-1, 1.5, 1_000_001])('bad-request: %s users are refused', (count) => {
    expect(() => generateUsers(count, 1)).toThrowError(expect.objectContaining({ code: 'bad-request' }));
  });
});
