import { describe, expect, it } from 'vitest';
import { assignProblems } from '../../console/src/form/field-problems.ts';
import {
  describeField,
  describeKey,
  type FormSchema,
  labelKey,
  listFields,
  toMergePatch,
} from '../../console/src/form/form-schema.ts';
import { findCompleteForm, findRequestSchema } from '../../console/src/form/request-schema.ts';
import { controlDocument } from '../../src/contract/control-openapi.ts';
import { sandboxUserSchema } from '../../src/contract/sandbox.schema.ts';
import { nonEmpty } from '../non-empty.ts';

type Description = Parameters<typeof findRequestSchema>[0];
const document = JSON.parse(JSON.stringify(controlDocument)) as Description;
const user = findRequestSchema(document, 'putUser');
const listed = findRequestSchema(document, 'putFaults').properties?.['faults']?.items ?? {};
const faults = findCompleteForm(listed).oneOf ?? [];

/** Lists every field of a schema by its path, with its kind, label and description. */
function listAll(
  schema: FormSchema,
  path = '',
): readonly (readonly [path: string, kind: string, label: string, about: string])[] {
  return listFields(schema).flatMap(([key, given]) => {
    const { kind, schema: own } = describeField(key, given);
    const at = `${path}${key}`;
    const inner =
      kind === 'list' ? [own.items ?? {}] : kind === 'group' ? [own] : kind === 'variants' ? (own.anyOf ?? []) : [];
    return [
      [at, kind, labelKey(key), describeKey(key, own) ?? ''] as const,
      ...inner.flatMap((one) => listAll(one, `${at}.`)),
    ];
  });
}

describe('forms of users and faults', () => {
  it('each key of a user has a field of the kind of its value, in the order of the form', () => {
    expect(listAll(user).map(([path, kind]) => `${path} ${kind}`)).toEqual([
      'userPrincipalName text',
      'displayName text',
      'id text',
      'type choice',
      'groups texts',
      'methods choices',
      'passkeys list',
      'passkeys.type choice',
      'passkeys.deviceId text',
      'passkeys.credentialId text',
      'mfaCapable switch',
      'snooze group',
      'snooze.count number',
      'snooze.snoozedAtMs instant',
      'facts json',
      'password text',
      'code text',
      'roles texts',
      'directory group',
      'directory.givenName text',
      'directory.surname text',
      'directory.mail text',
      'directory.mailNickname text',
      'directory.jobTitle text',
      'directory.department text',
      'directory.createdDateTime text',
      'directory.accountEnabled switch',
      'directory.phones group',
      'directory.phones.mobile text',
      'directory.phones.alternateMobile text',
      'directory.phones.office text',
      'directory.email text',
      'directory.preferredMethod choice',
      'directory.isSystemPreferredAuthenticationMethodEnabled switch',
      'directory.perUserMfaState choice',
      'directory.passwordlessPhone switch',
      'directory.temporaryAccessPass group',
      'directory.temporaryAccessPass.createdDateTime text',
      'directory.temporaryAccessPass.startDateTime text',
      'directory.temporaryAccessPass.lifetimeInMinutes number',
      'directory.temporaryAccessPass.isUsableOnce switch',
      'claims json',
      'nudgeStatus json',
    ]);
    const keys = listFields(user).map(([key]) => key);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(sandboxUserSchema.shape)));
  });

  it('each kind of fault has fields for all of its keys, and none needs JSON', () => {
    expect(faults.length).toBeGreaterThan(20);
    const kinds = faults.flatMap((fault) => listAll(fault).map(([path, kind]) => `${path} ${kind}`));
    expect([...new Set(kinds)].toSorted()).toEqual([
      'after number',
      'caller text',
      'characters number',
      'client text',
      'delayMs number',
      'endpoint choice',
      'fault choice',
      'field text',
      'latency variants',
      'latency.fixedMs number',
      'latency.medianMs number',
      'latency.sigma number',
      'message text',
      'probability number',
      'retryAfterSeconds number',
      'status number',
      'times number',
      'tool text',
      'user text',
      'when choice',
    ]);
  });

  it('every field and every kind of fault is described, with a label of words', () => {
    const fields = [user, ...faults].flatMap((schema) => listAll(schema));
    expect(fields.length).toBeGreaterThan(50);
    for (const [path, kind, label, about] of nonEmpty(fields.filter(([path]) => path !== 'nudgeStatus'))) {
      expect([path, kind, label, about]).toEqual([
        path,
        kind,
        expect.stringMatching(/^[A-Z][a-zA-Z (),-]+$/),
        expect.stringMatching(/\.$/),
      ]);
    }
    expect(faults.filter(({ description = '' }) => !description.endsWith('.'))).toEqual([]);
  });

  it.each([
    ['delayMs', 'Delay (ms)'],
    ['retryAfterSeconds', 'Retry-After (seconds)'],
    ['displayName', 'Display name'],
    ['deviceId', 'Device id'],
    ['mfaCapable', 'Capable of MFA'],
    ['lifetimeSeconds', 'Lifetime (seconds)'],
    ['tool', 'Tool'],
  ])('the key %s has the label %s', (key, label) => {
    expect(labelKey(key)).toBe(label);
  });

  it('an operation without a body is reported by its name', () => {
    expect(() => findRequestSchema(document, 'getUser')).toThrow(/getUser/);
  });
});

describe('merge patches of forms', () => {
  it.each([
    [{ a: 1, b: [1] }, { a: 1, b: [1] }, {}],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: [] }, { a: [] }],
    [{ a: [1, 2] }, { a: [2, 1] }, { a: [2, 1] }],
    [{ snooze: { count: 1, snoozedAtMs: 5 } }, { snooze: { count: 2, snoozedAtMs: 5 } }, { snooze: { count: 2 } }],
    [
      { snooze: { count: 1, snoozedAtMs: 5 } },
      { snooze: { count: 1, snoozedAtMs: null } },
      { snooze: { snoozedAtMs: null } },
    ],
  ])('%j to %j is %j', (before, after, patch) => {
    expect(toMergePatch(before, after)).toEqual(patch);
  });
});

describe('problems at fields', () => {
  const problem = (location: string, message = 'is wrong') => ({ location, message });

  it.each([
    ['body.code', 'code'],
    ['user.code', 'code'],
    ['body.snooze.count', 'snooze.count'],
    ['body.methods.1', 'methods'],
    ['body.passkeys.1.type', 'passkeys.1.type'],
    ['body.passkeys.3.type', 'passkeys'],
  ])('a problem at %s is shown at the field %s', (location, field) => {
    const fields = ['code', 'snooze', 'snooze.count', 'methods', 'passkeys', 'passkeys.1.type'];
    const { atFields, others } = assignProblems([problem(location)], fields);
    expect([[...atFields], others]).toEqual([[[field, 'is wrong']], []]);
  });

  it('problems of the same field are joined, and problems of no field remain', () => {
    const problems = [problem('body.code', 'a'), problem('body.code', 'b'), problem('body'), problem('body.codes')];
    const { atFields, others } = assignProblems(problems, ['code']);
    expect([[...atFields], others.map(({ location }) => location)]).toEqual([
      [['code', 'a; b']],
      ['body', 'body.codes'],
    ]);
  });

  it('a problem of another object of the same request belongs to no field', () => {
    const problems = [
      problem('body.faults.1.delayMs'),
      problem('body.faults.0.delayMs'),
      problem('body.faults.10.delayMs'),
    ];
    const { atFields, others } = assignProblems(problems, ['delayMs'], 'faults.1');
    expect([[...atFields.keys()], others.length]).toEqual([['delayMs'], 2]);
  });
});
