import { completeUser } from '../contract/complete-user.ts';
import { tenantFactsSchema } from '../contract/facts.schema.ts';
import { faultsSchema } from '../contract/fault.schema.ts';
import { parseOr } from '../contract/parse.ts';
import { sandboxUserSchema, tenantSettingsSchema } from '../contract/sandbox.schema.ts';
import { syntheticUsersSchema } from '../contract/synthetic-users.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { ProblemList } from '../core/problem-list.ts';
import type { EventOf } from '../journal/journal-event.ts';
import { rulesetIn } from '../journal/ruleset-lookup.ts';
import { findDeclarations, type RulesetDeclarations } from '../journal/ruleset-registry.ts';
import { planClients } from './client-plan.ts';
import { refuseUndeclaredFacts, refuseUndeclaredTenant, splitSettings } from './declared-facts.ts';
import { planLookup } from './lookup/plan-lookup.ts';
import { refuseDoubles, refuseEarlySignIns, refuseUnknownProfiles } from './plan-checks.ts';
import { listBuiltInUris } from './token-resources.ts';

/** Input for a new sandbox. Every part has a default. */
export interface SandboxInput {
  /** Facts of the tenant in the format of the schema. In a fixture, they include its settings under `settings`. */
  readonly tenant?: unknown;
  readonly settings?: unknown;
  /** Users with their facts and profiles. */
  readonly users?: readonly unknown[];
  /** Description of synthetic users, in addition to those. */
  readonly syntheticUsers?: unknown;
  /** Applications that may request tokens. The default is a set of sample applications. */
  readonly clients?: readonly unknown[] | undefined;
  /** Initial faults. */
  readonly faults?: readonly unknown[] | undefined;
  /**
   * Lookup service with its tools, accounts, tokens, settings and known responses. The default is the built-in one.
   */
  readonly lookup?: unknown;
  /** Initial virtual time in milliseconds, and whether the clock runs. */
  readonly clock?: { readonly nowMs: number; readonly running: boolean };
  readonly seed?: number;
  readonly ruleset?: string;
}

/**
 * Validated input for a sandbox that can be recorded any number of times. Scenarios validate once and run often.
 */
export type SandboxPlan = Omit<EventOf<'sandbox.created'>, 'clock'> & {
  readonly clock: { readonly nowMs: number; readonly running: boolean };
};

/** Default start time of a clock: 2026-01-05T09:00:00.000Z. */
export const clockDefaultMs = 1_767_603_600_000;

const seedDefault = 1;

/**
 * Validates the input for a sandbox and returns its plan. Throws `bad-request` with every problem, such as two
 * users with the same name.
 */
export function planSandbox(input: SandboxInput): SandboxPlan {
  const wrong = new ProblemList();
  const users = (input.users ?? []).flatMap((user, index) => {
    const parsed = wrong.attempt(() => parseOr('bad-request', sandboxUserSchema, user, `users.${index}`));
    return parsed === undefined ? [] : [completeUser(parsed)];
  });
  const described = input.syntheticUsers;
  const syntheticUsers = wrong.attempt(() =>
    described === undefined ? null : parseOr('bad-request', syntheticUsersSchema, described, 'syntheticUsers'),
  );
  const clock = input.clock ?? { nowMs: clockDefaultMs, running: false };
  wrong.attempt(() => refuseEarlySignIns(syntheticUsers ?? null, clock));
  if (wrong.problems.length === 0) wrong.attempt(() => refuseDoubles(users, syntheticUsers ?? null));
  const known = wrong.attempt(() => rulesetIn({ ruleset: input.ruleset ?? 'seed' }));
  const ruleset = known?.ruleset.id;
  const declared = findDeclarations(ruleset ?? 'seed');
  const { facts, given, place } = parseTenant(input, declared);
  const settings = wrong.attempt(() => parseOr('bad-request', tenantSettingsSchema, given, place));
  const tenant = wrong.attempt(() => parseOr('bad-request', tenantFactsSchema, facts, 'tenant'));
  wrong.attempt(() => tenant && refuseUnknownProfiles(tenant.methodsPolicy.fido2));
  wrong.attempt(() => tenant && ruleset !== undefined && refuseUndeclaredTenant(tenant, declared));
  if (ruleset !== undefined) {
    for (const [index, user] of users.entries()) {
      wrong.attempt(() => refuseUndeclaredFacts('user', user, declared, `users.${index}`));
    }
  }
  const { clients, lookup, faults } = input;
  const builtInUris = settings === undefined ? [] : listBuiltInUris(settings);
  const lists = {
    ...(clients === undefined ? {} : { clients: wrong.attempt(() => planClients(clients, builtInUris)) ?? [] }),
    ...(lookup === undefined ? {} : { lookup: wrong.attempt(() => planLookup(lookup, input.seed ?? seedDefault)) }),
    ...(faults === undefined
      ? {}
      : { faults: wrong.attempt(() => parseOr('bad-request', faultsSchema, faults, 'faults')) ?? [] }),
  };
  if (tenant === undefined || settings === undefined || wrong.problems.length > 0) {
    throw new NudgeLabError('bad-request', { problems: wrong.problems });
  }
  return {
    type: 'sandbox.created',
    ruleset,
    ...(known?.loadedDigest == null ? {} : { rulesetDigest: known.loadedDigest }),
    seed: input.seed ?? seedDefault,
    clock,
    tenant,
    settings,
    users,
    ...(syntheticUsers == null ? {} : { syntheticUsers }),
    ...lists,
  } as SandboxPlan;
}

/**
 * Separates facts and settings of the tenant. A fixture has its settings among the facts, and separate settings
 * take precedence. Settings that the ruleset declares are facts.
 */
function parseTenant(
  { tenant = {}, settings }: SandboxInput,
  declared: RulesetDeclarations,
): { facts: unknown; given: unknown; place: string } {
  const { settings: own, ...facts } = isPlainObject(tenant) ? tenant : { settings: undefined };
  const place = settings === undefined && own !== undefined ? 'tenant.settings' : 'settings';
  const inTenant = splitSettings(own, declared);
  const beside = splitSettings(settings, declared);
  const ofRuleset = { ...inTenant.ofRuleset, ...beside.ofRuleset };
  const all = Object.keys(ofRuleset).length === 0 ? facts : { ...facts, settings: ofRuleset };
  return { facts: isPlainObject(tenant) ? all : tenant, given: beside.others ?? inTenant.others ?? {}, place };
}
