import { isPlainObject } from '../../../src/core/merge-patch.ts';

/** What `lint` finds and a schema cannot express: a message of `lint`, and the reason. */
export interface BeyondSchema {
  readonly message: RegExp;
  readonly reason: string;
}

/** Everything that `lint` may find in a file that is valid by its schema. */
export const beyondSchema: readonly BeyondSchema[] = [
  { message: /is not one of the fixtures in/, reason: 'fixtures are files, which the schema does not know' },
  { message: /is not in this scenario; given\.users has/, reason: 'a user of a step is a key of given.users' },
  { message: /does not exist in this scenario; its clients are/, reason: 'a client of a step is one of given.clients' },
  { message: /expect\.reason: .* is not one of/, reason: 'reasons are those of the ruleset, which may be a file' },
  { message: /does not require consent/, reason: 'the consent of a client may be that of a fixture' },
  { message: /earlier (sign-in|step)/, reason: 'the order of steps decides, and the tabs that they open' },
  { message: /^(driver-failed|unexpected-screen|bad-request): /, reason: 'lint runs the steps to find it' },
  { message: /is not a value of the row/, reason: 'the name of a row value is a key of each row of examples' },
  { message: /\$\{/, reason: 'a row value is accepted without examples: the schema would have to be there twice' },
  { message: /is not in namedLocations/, reason: 'a network of a policy is one of namedLocations' },
  { message: /profile ".*" does not exist/, reason: 'a profile of a target is one of the profiles' },
  { message: /is not one of the tools of type/, reason: 'a tool of a known answer is one of the tools' },
  { message: /already used by another/, reason: 'ids are unique in their list' },
  {
    message: /^steps\.\d+\.set(Tenant|User)\..*: nothing/,
    reason: 'a merge patch may rely on keys of the present facts',
  },
  { message: /^steps\.\d+\.setTenant\.settings\.passkeys\.metadata/, reason: 'a merge patch may rely on present keys' },
];

/**
 * Returns the data without the keys whose value is null. A merge patch removes them, so `lint` accepts null for a key that does
 * not exist; a schema rejects it as a typing error.
 */
export function withoutNulls(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutNulls);
  if (!isPlainObject(data)) return data;
  const kept = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutNulls(value)]));
}
