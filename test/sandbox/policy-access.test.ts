import { describe, expect, test } from 'vitest';
import { policyPermissions, toPolicyCaller } from '../../src/contract/policy-caller.ts';
import type { TokenDescription } from '../../src/contract/scenario.schema.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { campaignBody, catchRejection, createSandbox } from './policy-sandbox.ts';

const { readAll, readMethods, readWriteMethods } = policyPermissions;
const role = 'Authentication Policy Administrator';
const change = campaignBody({ snoozeDurationInDays: 7 });

describe('access-denied on reading: one of three permissions and no role required', () => {
  test.for<[number, TokenDescription]>([
    [200, 'administrator'],
    [200, { user: 'ada', permissions: [readAll] }],
    [200, { user: 'ada', permissions: [readMethods] }],
    [200, { user: 'ada', permissions: ['User.Read', readWriteMethods] }],
    [200, { app: 'pipeline', permissions: [readAll] }],
    [200, { app: 'pipeline', permissions: [readMethods] }],
    [200, { app: 'pipeline', permissions: [readWriteMethods] }],
    [403, { user: 'ada', permissions: [] }],
    [403, { user: 'ada', permissions: ['User.Read'], roles: [role] }],
    [403, { user: 'ada', permissions: ['Policy.Read.ConditionalAccess'] }],
    [403, { app: 'pipeline' }],
  ])('access-denied: status %i for %j', async ([status, description]) => {
    const sandbox = await createSandbox();
    const read = async () => sandbox.policy.read(toPolicyCaller(description));
    const outcome = await read().catch((error: unknown) => error);
    expect(outcome).toMatchObject({ status });
  });
});

describe('access-denied on writing', () => {
  test.for<[TokenDescription]>([
    ['administrator'],
    [{ user: 'ada', permissions: [readWriteMethods, readAll], roles: ['User Administrator', role] }],
    [{ user: 'ada', permissions: [readAll, readWriteMethods], roles: ['Global Administrator'] }],
    [{ permissions: [readAll, readWriteMethods], roles: ['0526716B-113d-4c15-b2c8-68e3c22b9f80'] }],
    [{ permissions: [readAll, readWriteMethods], roles: ['62e90394-69f5-4237-9190-012177145e10'] }],
    [{ app: 'pipeline', permissions: [readWriteMethods] }],
  ])('access-denied: allows a write with %j', async ([description]) => {
    const sandbox = await createSandbox();
    expect((await sandbox.policy.update(toPolicyCaller(description), change)).status).toBe(200);
  });

  test.for<[TokenDescription, readonly string[]]>([
    [{ user: 'ada', permissions: [readAll, readWriteMethods] }, [role]],
    [{ user: 'ada', permissions: [readAll, readWriteMethods], roles: ['Global Reader'] }, [role]],
    [{ user: 'ada', permissions: [readWriteMethods], roles: [role] }, [readAll]],
    [{ user: 'ada', permissions: [readMethods, readWriteMethods], roles: [role] }, [readAll]],
    [{ user: 'ada', permissions: [readAll], roles: [role] }, [readWriteMethods]],
    [{ user: 'ada' }, [readAll, readWriteMethods, role]],
    [{ app: 'pipeline', permissions: [readAll] }, [readWriteMethods]],
    [{ app: 'pipeline', roles: [role] }, [readWriteMethods]],
  ])('access-denied: rejects %j and names the missing permissions', async ([description, missing]) => {
    const sandbox = await createSandbox();
    const { code, message } = await catchRejection(sandbox, change, {}, toPolicyCaller(description));
    const named = [readAll, readMethods, readWriteMethods, role].filter((one) => message.includes(one));
    expect({ code, named }).toEqual({ code: 'access-denied', named: missing });
    expect(sandbox.entryCount).toBe(1);
  });

  test('access-denied: access is checked before the body and the precondition', async () => {
    const caller = toPolicyCaller({ permissions: [readAll] });
    const { code } = await catchRejection(await createSandbox(), { nonsense: true }, { ifMatch: '"old"' }, caller);
    expect(code).toBe('access-denied');
  });
});

describe('unauthenticated callers', () => {
  test.for<['none' | 'invalid']>([['none'], ['invalid']])(
    'unauthenticated: the token description "%s" has no caller',
    ([description]) => {
      expect(() => toPolicyCaller(description)).toThrow(NudgeLabError);
      expect(() => toPolicyCaller(description)).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    },
  );
});
