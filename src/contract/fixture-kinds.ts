/** Subfolders of a fixtures folder. */
export const fixtureKinds = ['tenants', 'users', 'clients', 'faults', 'lookup'] as const;
export type FixtureKind = (typeof fixtureKinds)[number];
