import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Facts, Ruleset } from '../../machines/vocabulary.ts';
import { type Change, enabledFacts, hasProfiles, holdsPasskey, keys, managedFacts } from './facts-builder.ts';
import { managedValues, managedValuesRestricted, storedValues } from './tables/effective-campaign.ts';
import { createFacts, type GateRow } from './tables/gate-row.ts';
import { columns, seedMatrix, septemberMatrix } from './tables/matrix.ts';
import { methodGates } from './tables/method-gates.ts';
import { orderTables } from './tables/order.ts';
import { restrictions, seedProfiles, septemberProfiles } from './tables/profiles.ts';
import { scopeGates } from './tables/scope-gates.ts';
import { signInGates } from './tables/sign-in-gates.ts';
import { type Check, type Judged, type Judging, saidBy } from './wrong-rows.ts';

/** Returns the ruleset with an id. Throws a `RangeError` if it does not exist. */
export function getRuleset(id: string): Ruleset {
  const ruleset = rulesets.get(id);
  if (ruleset === undefined) throw new RangeError(`No ruleset ${id}.`);
  return ruleset;
}

/** Creates the checks of gate rows. A row without a ruleset uses the given one. */
export function gateChecks(rows: readonly GateRow[], ruleset = 'seed'): readonly Check[] {
  return rows.map((row) => ({
    about: row.gate,
    claim: row.claim,
    facts: createFacts(row),
    ruleset: row.ruleset ?? ruleset,
    expected: row.expected,
    said: saidBy(row.gate),
  }));
}

const matrices = { seed: seedMatrix, '2026-09': septemberMatrix } as const;

/**
 * Creates the checks of all matrix cells in a ruleset, for a passkey from a device. By default, it is the device of the
 * sign-in.
 */
export function matrixChecks(ruleset: keyof typeof matrices, deviceId?: string): readonly Check[] {
  return matrices[ruleset].flatMap(([type, cells]) =>
    columns.map(({ os, browser, platform }, index): Check => {
      const here: Change = ({ attempt }) => Object.assign(attempt, { os, browser });
      const suppresses = cells[index] === 1;
      return {
        about: 'R11.3',
        claim: `${type} ${suppresses ? 'suppresses' : 'does not suppress'} on ${platform}`,
        facts: enabledFacts('fido2', holdsPasskey(type, deviceId), here),
        ruleset,
        expected: suppresses ? 'local-passkey' : 'met',
        said: saidBy('R11.3'),
      };
    }),
  );
}

const profiles = { seed: seedProfiles, '2026-09': septemberProfiles } as const;

/** Creates the checks for the combinations of profile restrictions in a ruleset. */
export function profileChecks(ruleset: keyof typeof profiles): readonly Check[] {
  return profiles[ruleset].flatMap(([passkeyTypes, attestationEnforced, marks]) =>
    restrictions.map(
      ([name, keyRestrictions], index): Check => ({
        about: 'R11.7',
        claim: `${passkeyTypes}, ${attestationEnforced ? 'attested' : 'not attested'}, keys ${name}`,
        facts: managedFacts('fido2', hasProfiles({ passkeyTypes, attestationEnforced, keyRestrictions })),
        ruleset,
        expected: marks[index] === 1 ? 'met' : 'restricted-profile',
        said: saidBy('R11.7'),
      }),
    ),
  );
}

/**
 * Checks for the larger tables on profiles and devices, with one row of each. They are enough to detect an evaluator
 * that reads these tables wrongly.
 */
const passkeyChecks: readonly Check[] = (
  [
    ['R11.7', 'seed', 'met', [hasProfiles(shut(), open())]],
    ['R11.7', '2026-09', 'met', [hasProfiles(shut(), open())]],
    [
      'R11.3',
      'seed',
      'local-passkey',
      [hasProfiles({ ...open(), passkeyTypes: 'synced' }), holdsPasskey('windows-bound')],
    ],
    ['R11.3', '2026-09', 'met', [hasProfiles({ ...open(), passkeyTypes: 'synced' }), holdsPasskey('windows-bound')]],
    ['R11.3', '2026-09', 'local-passkey', [hasProfiles(listed()), holdsPasskey('keychain')]],
    ['R11.3', '2026-09', 'met', [hasProfiles(listed()), holdsPasskey('security-key')]],
    ['R11.3', 'seed', 'local-passkey', [holdsPasskey('keychain'), holdsPasskey('windows-bound')]],
    ['R11.3', 'seed', 'local-passkey', [holdsPasskey('windows-bound', 'device-2')]],
    ['R11.3', 'seed', 'met', [strict, holdsPasskey('windows-bound', 'device-2')]],
    ['R11.3', 'seed', 'local-passkey', [strict, holdsPasskey('security-key', 'device-2')]],
    ['R11.3', 'seed', 'local-passkey', [strict, holdsPasskey('windows-bound', 'device-1')]],
  ] as const
).map(([gate, ruleset, expected, changes]) => ({
  about: gate,
  facts: managedFacts('fido2', ...changes),
  ruleset,
  expected,
  said: saidBy(gate),
}));

const enabledProfileChecks: readonly Check[] = [
  {
    about: 'R11.7',
    facts: enabledFacts('fido2', hasProfiles(shut())),
    ruleset: 'seed',
    expected: 'not-applicable',
    said: saidBy('R11.7'),
  },
  {
    about: 'R11.3',
    facts: enabledFacts('fido2', hasProfiles({ ...open(), passkeyTypes: 'synced' }), holdsPasskey('windows-bound')),
    ruleset: '2026-09',
    expected: 'local-passkey',
    said: saidBy('R11.3'),
  },
];

/** Order of the trace in each ruleset, copied from the catalog. */
const traceChecks: readonly Check[] = (
  [
    [
      'seed',
      'C1 S1 S2 S3 R13.1 R1 R3 R13.2 R13.3 R4 R13.4 R13.5 R13.6 R10.4 R11.4 R11.6 R11.9 R11.5 R10.5 R10.2 R10.3 R11.1 R11.2 R11.7 R10.1 R11.3 R5',
    ],
    [
      '2026-09',
      'C1 S1 S2 S3 R13.1 R1 R3 M1 R13.2 R13.3 R4 R13.4 R13.5 R13.6 R10.4 R11.4 R11.6 R11.9 R11.5 R10.5 R10.2 R10.3 R11.1 R11.2 R11.7 R10.1 R11.3 R5',
    ],
  ] as const
).map(([ruleset, order]) => ({
  about: 'order',
  facts: enabledFacts('fido2'),
  ruleset,
  expected: order,
  said: ({ rules }) => rules.map(({ id }) => id).join(' '),
}));

const orderChecks: readonly Check[] = orderTables.flatMap(({ method, managed, ruleset, stops, exclusive }) =>
  stops.flatMap((earlier, index) =>
    stops.slice(index + 1).flatMap((later): readonly Check[] => {
      if (exclusive.some(([one, other]) => one === earlier.reason && other === later.reason)) return [];
      const build = managed ? managedFacts : enabledFacts;
      const facts = build(method, earlier.provoke, later.provoke);
      return [{ about: 'order', facts, ruleset, expected: earlier.reason, said: ({ reason }) => reason ?? 'none' }];
    }),
  ),
);

function inForce({ campaign: { state, method, snoozeDays, limited } }: Judged): string {
  return `${state}: ${method} ${snoozeDays} ${limited ? 'limited' : 'unlimited'}`;
}

function switched(switches: string, ...more: readonly Change[]): Facts {
  const [method, snoozeDays, snoozeLimit, targeting] = [...switches].map((mark) => mark === '1');
  const set: Change = ({ tenant }) => Object.assign(tenant.rollout, { method, snoozeDays, snoozeLimit, targeting });
  return managedFacts('fido2', set, ...more);
}

const campaignChecks: readonly Check[] = [
  ...[
    ...managedValues.map((row) => ({ ...row, change: [] as readonly Change[] })),
    ...managedValuesRestricted.map((row) => ({ ...row, change: [restricted()] })),
  ].flatMap(({ switches, change, seed, september }): readonly Check[] =>
    (['paid', 'free', 'trial'] as const).flatMap((subscription) => {
      const facts = switched(switches, ...change, ({ tenant }) => Object.assign(tenant, { subscription }));
      return (
        [
          ['seed', seed],
          ['2026-09', september],
        ] as const
      ).map(([ruleset, values]) => {
        const expected = `providerManaged: ${subscription === 'paid' ? values : values.replace('unlimited', 'limited')}`;
        return { about: 'campaign', facts, ruleset, expected, said: inForce };
      });
    }),
  ),
  ...storedValues.flatMap(({ days, enforce, paid, freeOrTrial }): readonly Check[] =>
    (['paid', 'free', 'trial'] as const).map((subscription) => ({
      about: 'campaign',
      facts: enabledFacts('fido2', ({ tenant }) => {
        Object.assign(tenant, { subscription });
        Object.assign(tenant.campaign, { snoozeDurationInDays: days, enforceRegistrationAfterAllowedSnoozes: enforce });
      }),
      ruleset: 'seed',
      expected: `enabled: fido2 ${subscription === 'paid' ? paid : freeOrTrial}`,
      said: inForce,
    })),
  ),
];

/** Rows of all decision tables. */
export const checks: readonly Check[] = [
  ...gateChecks([...scopeGates, ...signInGates, ...methodGates]),
  ...matrixChecks('seed'),
  ...matrixChecks('2026-09'),
  ...profileChecks('seed'),
  ...profileChecks('2026-09'),
  ...passkeyChecks,
  ...enabledProfileChecks,
  ...traceChecks,
  ...campaignChecks,
  ...orderChecks,
];

/** Checks whether the tables kill an evaluator: at least one row has another result than expected. */
export function isKilled(judging: Judging): boolean {
  return checks.some(({ facts, ruleset, expected, said }) => said(judging(facts, ruleset)) !== expected);
}

function open() {
  return { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null } as const;
}

function shut() {
  return { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: keys('block', 'keychain') } as const;
}

function listed() {
  return { passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: keys('allow', 'keychain') } as const;
}

function strict({ tenant }: Parameters<Change>[0]): void {
  tenant.options.strictDevice = true;
}

/** Returns a change that restricts AAGUIDs in the passkey policy itself. */
function restricted(): Change {
  return ({ tenant }) => {
    tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
  };
}
