import { rulesets } from '../../machines/rulesets/register.ts';
import type { Facts, GateId, Ruleset, Verdict } from '../../machines/vocabulary.ts';
import { type Change, enabledFacts, hasProfiles, holdsPasskey, keys, managedFacts } from './facts-builder.ts';
import { managedValues, managedValuesRestricted, storedValues } from './tables/effective-campaign.ts';
import { factsOf, type GateRow } from './tables/gate-row.ts';
import { columns, seedMatrix, septemberMatrix } from './tables/matrix.ts';
import { methodGates } from './tables/method-gates.ts';
import { orderTables } from './tables/order.ts';
import { restrictions, seedProfiles, septemberProfiles } from './tables/profiles.ts';
import { scopeGates } from './tables/scope-gates.ts';
import { signInGates } from './tables/sign-in-gates.ts';

/** What of a verdict the tables are about. */
export type Judged = Pick<Verdict, 'outcome' | 'reason' | 'rules' | 'campaign'>;

/** Anything that judges: the project's judge, or one with a fault in it. */
export type Judging = (facts: Facts, rulesetId: string) => Judged;

/** One row of one table. */
export interface Check {
  readonly about: string;
  readonly facts: Facts;
  readonly ruleset: string;
  readonly holds: (judged: Judged) => boolean;
}

/** The ruleset of an id. Throws a `RangeError` when it does not ship. */
export function rulesetOf(id: string): Ruleset {
  const ruleset = rulesets.get(id);
  if (ruleset === undefined) throw new RangeError(`No ruleset ${id}.`);
  return ruleset;
}

/** Outcome of a gate, or its reason when it stopped. */
function said({ rules }: Judged, gate: GateId): string {
  const trace = rules.find(({ id }) => id === gate);
  return trace?.outcome === 'stopped' ? trace.reason : (trace?.outcome ?? 'missing');
}

function gateChecks(rows: readonly GateRow[]): readonly Check[] {
  return rows.map((row) => ({
    about: row.gate,
    facts: factsOf(row),
    ruleset: row.ruleset ?? 'seed',
    holds: (judged) => said(judged, row.gate) === row.expected,
  }));
}

const matrixChecks: readonly Check[] = [['seed', seedMatrix] as const, ['2026-09', septemberMatrix] as const].flatMap(
  ([ruleset, matrix]) =>
    matrix.flatMap(([type, cells]) =>
      columns.map(({ os, browser }, index): Check => {
        const here: Change = ({ attempt }) => Object.assign(attempt, { os, browser });
        const expected = cells[index] === 1 ? 'local-passkey' : 'met';
        return {
          about: 'R11.3',
          facts: enabledFacts('fido2', holdsPasskey(type), here),
          ruleset,
          holds: (judged) => said(judged, 'R11.3') === expected,
        };
      }),
    ),
);

const profileChecks: readonly Check[] = [
  ['seed', seedProfiles] as const,
  ['2026-09', septemberProfiles] as const,
].flatMap(([ruleset, rows]) =>
  rows.flatMap(([passkeyTypes, attestationEnforced, marks]) =>
    restrictions.map(([, keyRestrictions], index): Check => {
      const expected = marks[index] === 1 ? 'met' : 'restricted-profile';
      return {
        about: 'R11.7',
        facts: managedFacts('fido2', hasProfiles({ passkeyTypes, attestationEnforced, keyRestrictions })),
        ruleset,
        holds: (judged) => said(judged, 'R11.7') === expected,
      };
    }),
  ),
);

/** What the larger tables of profiles and devices say, one row of each: enough to tell a judge that reads them wrongly. */
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
  holds: (judged) => said(judged, gate) === expected,
}));

const enabledProfileChecks: readonly Check[] = [
  {
    about: 'R11.7',
    facts: enabledFacts('fido2', hasProfiles(shut())),
    ruleset: 'seed',
    holds: (judged) => said(judged, 'R11.7') === 'not-applicable',
  },
  {
    about: 'R11.3',
    facts: enabledFacts('fido2', hasProfiles({ ...open(), passkeyTypes: 'synced' }), holdsPasskey('windows-bound')),
    ruleset: '2026-09',
    holds: (judged) => said(judged, 'R11.3') === 'local-passkey',
  },
];

/** The order of the trace, by ruleset, copied from the catalogue. */
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
  holds: ({ rules }) => rules.map(({ id }) => id).join(' ') === order,
}));

const orderChecks: readonly Check[] = orderTables.flatMap(({ method, managed, ruleset, stops, exclusive }) =>
  stops.flatMap((earlier, index) =>
    stops.slice(index + 1).flatMap((later): readonly Check[] => {
      if (exclusive.some(([one, other]) => one === earlier.reason && other === later.reason)) return [];
      const build = managed ? managedFacts : enabledFacts;
      const facts = build(method, earlier.provoke, later.provoke);
      return [{ about: 'order', facts, ruleset, holds: (judged) => judged.reason === earlier.reason }];
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
        const wanted = `providerManaged: ${subscription === 'paid' ? values : values.replace('unlimited', 'limited')}`;
        return { about: 'campaign', facts, ruleset, holds: (judged) => inForce(judged) === wanted };
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
      holds: (judged) => inForce(judged) === `enabled: fido2 ${subscription === 'paid' ? paid : freeOrTrial}`,
    })),
  ),
];

/** Every row of every decision table, one after the other. */
export const checks: readonly Check[] = [
  ...gateChecks([...scopeGates, ...signInGates, ...methodGates]),
  ...matrixChecks,
  ...profileChecks,
  ...passkeyChecks,
  ...enabledProfileChecks,
  ...traceChecks,
  ...campaignChecks,
  ...orderChecks,
];

/** Whether the tables find a judge out: at least one row is answered otherwise than it should be. */
export function isKilled(judging: Judging): boolean {
  return checks.some(({ facts, ruleset, holds }) => !holds(judging(facts, ruleset)));
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

/** The passkey policy itself restricts AAGUIDs. */
function restricted(): Change {
  return ({ tenant }) => {
    tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
  };
}
