/** What `lint` finds and a schema cannot express: a message of `lint`, and the reason. */
export interface BeyondSchema {
  readonly message: RegExp;
  readonly reason: string;
}

/** Everything that `lint` may find in a file that is valid by its schema. */
export const beyondSchema: readonly BeyondSchema[] = [
  { message: /is not a fixture in/, reason: 'fixtures are files, which the schema does not know' },
  { message: /is in no tenant of this scenario/, reason: 'a user of a step is a key of given.users' },
  { message: /is none of this scenario; its clients are/, reason: 'a client of a step is one of given.clients' },
  { message: /asks its users for nothing/, reason: 'the consent of a client may be that of a fixture' },
  { message: /no sign-in before this step is called/, reason: 'the name of a tab is that of an earlier step' },
  { message: /no prompt can have been shown yet/, reason: 'the order of steps decides' },
  { message: /^(driver-failed|unexpected-screen|bad-request): /, reason: 'lint runs the steps to find it' },
  { message: /no row value is called/, reason: 'the name of a placeholder is a key of each row of examples' },
  { message: /\$\{/, reason: 'a placeholder is accepted without examples: the schema would have to be there twice' },
  { message: /is none of namedLocations/, reason: 'a network of a policy is one of namedLocations' },
  { message: /no profile has the id/, reason: 'a profile of a target is one of the profiles' },
  {
    message: /^steps\.\d+\.set(Tenant|User)\..*: nothing/,
    reason: 'a merge patch may rely on keys of the present facts',
  },
  { message: /^steps\.\d+\.setTenant\.settings\.passkeys\.metadata/, reason: 'a merge patch may rely on present keys' },
];
