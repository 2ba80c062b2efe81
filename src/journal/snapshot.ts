import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import type { OpenPrompt } from '../../machines/nudge.machine.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import type { NudgeState, TargetedMethod, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { AttemptInput, SessionInput } from '../contract/context.schema.ts';
import type { PasskeyCredential } from '../contract/credential.schema.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type { KnownResponse, LookupAccount, LookupSetup, LookupToken } from '../contract/lookup.schema.ts';
import type { UserProfile } from '../contract/sandbox.schema.ts';
import type { SyntheticUsersDescription } from '../contract/synthetic-users.schema.ts';
import { afterPendingInput } from '../core/clock.ts';
import type { SignInOrigin } from './journal-event.ts';
import { type CallerUse, getLookupService, isShipped, type LookupState, putAccount, putToken } from './lookup-state.ts';
import { beginOwn, captureHead, captureRecords, type OwnHead, type OwnRecords, sliceOwn } from './own-snapshot.ts';
import type { RegistrationTimes } from './registration-times.ts';
import { rulesetIn, type SandboxRuleset } from './ruleset-lookup.ts';
import { shippedModel } from './sandbox-model.ts';
import { type SharedNumber, SharedPool } from './shared-pool.ts';
import {
  createUserTable,
  type Evaluation,
  getScreen,
  getStoredNudgeState,
  noFactors,
  type PromptEnd,
  type SandboxState,
  type SignInFactors,
  type SignInRecord,
  type SignInSnapshot,
  type UserRecord,
} from './state.ts';
import type { UserTable } from './user-table.ts';

/**
 * Rebuilt state as text, one JSON document per line: first the single values, then users and sign-ins in slices. Facts
 * that several records share are written once, before the first slice that needs them, and are referenced by number.
 * Values that machines and rules derive are not stored, so only the sources that wrote a snapshot can read it.
 */

/** Number of users or sign-ins per line, small enough that writing one does not block other work. */
const sliceRecords = 250;

/** Names of the collections in the state. */
type CollectionName =
  | 'users'
  | 'nextSignIns'
  | 'signIns'
  | 'finished'
  | 'promptEnds'
  | 'revokedTokens'
  | 'acceptedTerms'
  | 'lookup';

/** State without its collections and derived values. */
type Scalars = Omit<
  SandboxState,
  CollectionName | 'model' | 'ruleset' | 'own' | 'tenant' | 'campaign' | 'observer' | 'logObserver' | 'lastAtMs'
>;

interface HeadLine {
  readonly scalars: Scalars;
  readonly ruleset: string;
  /** `null` if there is no entry yet, which the state represents by a number that JSON cannot write. */
  readonly lastAtMs: number | null;
  readonly tenant: TenantFacts;
  readonly nextSignIns: readonly (readonly [string, AttemptInput])[];
  readonly finished: readonly string[];
  readonly promptEnds: readonly (readonly [string, PromptEnd])[];
  readonly revokedTokens: readonly string[];
  readonly acceptedTerms: readonly string[];
  /** Lookup service; `null` if it is the built-in one. */
  readonly service: (Pick<LookupSetup, 'tools' | 'settings'> & { readonly known: readonly KnownResponse[] }) | null;
  readonly accounts: readonly LookupAccount[];
  /** Synthetic users, and the ids of those who were removed. */
  readonly syntheticUsers?: SyntheticUsersDescription;
  readonly removedUsers?: readonly string[];
  /** Values of an own campaign. */
  readonly own?: OwnHead;
}

interface RecordsLine {
  readonly shared: readonly object[];
  readonly tokens?: readonly LookupToken[];
  readonly uses?: readonly UseRow[];
  readonly users?: readonly UserRow[];
  readonly signIns?: readonly SignInRow[];
  readonly own?: OwnRecords;
}

/**
 * Facts, profile, lifecycle state, open prompts, registered method, credentials, and times of methods if there are any;
 * count and time are in the facts.
 */
type UserRow = readonly [
  SharedNumber,
  UserProfile,
  NudgeState,
  readonly OpenPrompt[],
  TargetedMethod | null,
  readonly PasskeyCredential[],
  RegistrationTimes?,
];

/** Caller, dates of quota use by month, and tools with their counts. */
type UseRow = readonly [string, CallerUse['months'], CallerUse['byTool']];

/**
 * Id, user, start, patch, screen, screen context, evaluation, interstitial pages, failed attempts, factors if there are
 * any, and origin if it is known.
 */
type SignInRow = readonly [
  string,
  string,
  number,
  AttemptPatch,
  Screen,
  SignInSnapshot['context'],
  EvaluationRow | null,
  readonly Screen[],
  readonly number[],
  SignInFactors | null,
  SignInOrigin | null,
  SessionInput?,
];

/**
 * Tenant facts, user facts, time of the attempt, outcome, reason and digest; attempt and campaign are derived from
 * these.
 */
type EvaluationRow = readonly [
  SharedNumber,
  SharedNumber,
  number,
  Evaluation['outcome'],
  Evaluation['reason'],
  Evaluation['digest'],
  Evaluation['own']?,
];

/** Serializes a state as text for `deserializeState`. */
export function serializeState(state: SandboxState): string {
  return [...capture(state)].join('');
}

/**
 * Captures a state. The returned function serializes it as text for `deserializeState`, in slices with other work in
 * between. The text contains the state at the time of the call, even if the state changes in the meantime.
 */
export function captureState(state: SandboxState): () => Promise<string> {
  const captured = capture(state);
  return async () => {
    const slices: string[] = [];
    for (const slice of captured) {
      slices.push(slice);
      await new Promise<void>((resolve) => {
        afterPendingInput(resolve);
      });
    }
    return slices.join('');
  };
}

/**
 * Returns true if the version of the ruleset that wrote a state is still loaded. If not, the journal has to be replayed.
 * @throws `bad-request` or `ruleset-missing` if no version is loaded
 */
export function isOfLoadedRuleset(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  const head = JSON.parse(first) as HeadLine;
  return findRuleset(head).digests?.loaded === head.scalars.rulesetDigests?.loaded;
}

function findRuleset({ ruleset, scalars: { rulesetDigests } }: Pick<HeadLine, 'ruleset' | 'scalars'>): SandboxRuleset {
  return rulesetIn({ ruleset, ...(rulesetDigests === null ? {} : { rulesetDigest: rulesetDigests.recorded }) });
}

/**
 * Deserializes a state that `serializeState` wrote.
 * @throws `bad-request` or `ruleset-missing` if the ruleset of the state no longer exists
 */
export function deserializeState(text: string): SandboxState {
  const [first = '', ...lines] = text.split('\n');
  const { scalars, lastAtMs, ...head } = JSON.parse(first) as HeadLine;
  const { ruleset, own } = findRuleset({ ...head, scalars });
  const users = createUserTable(shippedModel, head.syntheticUsers ?? null);
  const state: SandboxState = {
    ...scalars,
    model: shippedModel,
    ruleset,
    own: own === null ? null : beginOwn(own, head.own, head.tenant, users),
    lastAtMs: lastAtMs ?? Number.NEGATIVE_INFINITY,
    tenant: head.tenant,
    campaign: effectiveCampaign(head.tenant, rulesInForce(ruleset, lastAtMs ?? Number.NEGATIVE_INFINITY)),
    users,
    nextSignIns: new Map(head.nextSignIns),
    signIns: new Map(),
    finished: new Set(head.finished),
    promptEnds: new Map(head.promptEnds),
    revokedTokens: new Set(head.revokedTokens),
    acceptedTerms: new Set(head.acceptedTerms),
    lookup: readLookup(head),
  };
  for (const id of head.removedUsers ?? []) state.users.delete(id);
  const shared: object[] = [head.tenant];
  for (const line of lines) {
    if (line !== '') readRecords(state, JSON.parse(line) as RecordsLine, shared);
  }
  return state;
}

function readRecords(state: SandboxState, records: RecordsLine, shared: object[]): void {
  for (const object of records.shared) shared.push(object);
  for (const token of records.tokens ?? []) putToken(state.lookup, token);
  for (const [caller, months, byTool] of records.uses ?? []) state.lookup.uses.set(caller, { months, byTool });
  for (const row of records.users ?? []) readUser(state, row, shared);
  for (const row of records.signIns ?? []) readSignIn(state, row, shared);
  if (records.own !== undefined) state.own?.take(records.own.users, records.own.ledger);
}

/**
 * Captures a state immediately and serializes it lazily. Facts, profiles and machine snapshots are replaced and never
 * changed, so only the records that reference them are copied.
 */
function capture(state: SandboxState): Iterable<string> {
  const { users, nextSignIns, signIns, finished, promptEnds, revokedTokens, acceptedTerms, lookup, ...rest } = state;
  const { ruleset, own, tenant, lastAtMs, campaign: _derivedToo, model: _shipped, ...values } = rest;
  const { observer: _noState, logObserver: _neither, ...scalars } = values;
  const head: HeadLine = {
    scalars,
    ruleset: ruleset.id,
    lastAtMs: Number.isFinite(lastAtMs) ? lastAtMs : null,
    tenant,
    nextSignIns: [...nextSignIns],
    finished: [...finished],
    promptEnds: [...promptEnds],
    revokedTokens: [...revokedTokens],
    acceptedTerms: [...acceptedTerms],
    service: isShipped(lookup.service) ? null : { ...lookup.service, known: [...lookup.service.known.values()] },
    accounts: [...lookup.accounts.values()],
    ...describeSynthetic(users),
    ...(own === null ? {} : { own: captureHead(own) }),
  };
  const heldUsers = Array.from(users.stored(), (user) => ({ ...user }));
  const heldSignIns = Array.from(signIns.values(), (signIn) => ({
    ...signIn,
    interstitials: [...signIn.interstitials],
    entries: [...signIn.entries],
  }));
  const rows = Array.from(lookup.uses, ([caller, { months, byTool }]): UseRow => [caller, months, byTool]);
  const tokens = [...lookup.tokens.values()];
  return writeLines(head, {
    users: heldUsers,
    signIns: heldSignIns,
    tokens,
    uses: rows,
    own: own === null ? null : captureRecords(own),
  });
}

function describeSynthetic(users: UserTable): Pick<HeadLine, 'syntheticUsers' | 'removedUsers'> {
  const { synthetic, replaced } = users;
  if (synthetic === null) return {};
  const removed = Array.from(replaced, (index) => synthetic.idAt(index)).filter((id) => !users.has(id));
  return { syntheticUsers: synthetic.description, ...(removed.length === 0 ? {} : { removedUsers: removed }) };
}

function readLookup({ service, accounts }: Pick<HeadLine, 'service' | 'accounts'>): LookupState {
  const lookup: LookupState = {
    service: getLookupService(service),
    accounts: new Map(),
    accountIdsByEmail: new Map(),
    tokens: new Map(),
    tokenIdsByHash: new Map(),
    uses: new Map(),
  };
  for (const account of accounts) putAccount(lookup, account);
  return lookup;
}

interface HeldRecords {
  readonly users: readonly UserRecord[];
  readonly signIns: readonly SignInRecord[];
  readonly tokens: readonly LookupToken[];
  readonly uses: readonly UseRow[];
  readonly own: OwnRecords | null;
}

function* writeLines(head: HeadLine, { users, signIns, tokens, uses, own }: HeldRecords): Generator<string, void> {
  yield JSON.stringify(head);
  const pool = new SharedPool(head.tenant);
  for (let index = 0; index < users.length; index += sliceRecords) {
    const rows = users.slice(index, index + sliceRecords).map((user) => writeUser(user, pool));
    yield formatLine({ shared: pool.added(), users: rows });
  }
  for (let index = 0; index < signIns.length; index += sliceRecords) {
    const rows = signIns.slice(index, index + sliceRecords).map((signIn) => writeSignIn(signIn, pool));
    yield formatLine({ shared: pool.added(), signIns: rows });
  }
  for (let index = 0; index < tokens.length; index += sliceRecords) {
    yield formatLine({ shared: [], tokens: tokens.slice(index, index + sliceRecords) });
  }
  for (let index = 0; index < uses.length; index += sliceRecords) {
    yield formatLine({ shared: [], uses: uses.slice(index, index + sliceRecords) });
  }
  for (const records of own === null ? [] : sliceOwn(own, sliceRecords)) {
    yield formatLine({ shared: [], own: records });
  }
}

function formatLine(line: RecordsLine): string {
  return `\n${JSON.stringify(line)}`;
}

function writeUser(user: UserRecord, pool: SharedPool): UserRow {
  const { openPrompts, registered } = user.nudge.context;
  const row = [
    pool.getNumber(user.facts),
    user.profile,
    getStoredNudgeState(user),
    openPrompts,
    registered,
    user.credentials,
  ] as const;
  return user.registered === undefined ? row : [...row, user.registered];
}

function readUser(state: SandboxState, row: UserRow, shared: readonly object[]): void {
  const [number, profile, value, openPrompts, registered, credentials, times] = row;
  const facts = shared[number] as UserFacts;
  const nudge = state.model.nudgeSnapshot(value, { ...facts.snooze, openPrompts, registered });
  const registeredAt = times === undefined ? {} : { registered: times };
  state.users.add({ facts, profile, nudge, credentials, ...registeredAt });
}

function writeSignIn(signIn: SignInRecord, pool: SharedPool): SignInRow {
  const { id, userId, startedAtMs, patch, screen, evaluation, interstitials, entries, origin, session } = signIn;
  const factors = signIn.factors === noFactors ? null : signIn.factors;
  const evaluated = evaluation === null ? null : writeEvaluation(evaluation, pool);
  const row = [
    id,
    userId,
    startedAtMs,
    patch,
    getScreen(signIn),
    screen.context,
    evaluated,
    interstitials,
    entries,
    factors,
    origin ?? null,
  ] as const;
  return session === undefined ? row : [...row, session];
}

function readSignIn(state: SandboxState, row: SignInRow, shared: readonly object[]): void {
  const [id, userId, startedAtMs, patch, screen, context, evaluated, interstitials, entries, factors, origin, session] =
    row;
  state.signIns.set(id, {
    id,
    userId,
    startedAtMs,
    patch,
    screen: state.model.signInSnapshot(screen, context),
    evaluation: evaluated === null ? null : readEvaluation(state, patch, evaluated, shared),
    interstitials: [...interstitials],
    entries: [...entries],
    factors: factors ?? noFactors,
    ...(origin === null ? {} : { origin }),
    ...(session === undefined ? {} : { session }),
  });
}

function writeEvaluation({ facts, outcome, reason, digest, own }: Evaluation, pool: SharedPool): EvaluationRow {
  const { tenant, user, attempt } = facts;
  const row = [pool.getNumber(tenant), pool.getNumber(user), attempt.nowMs, outcome, reason, digest] as const;
  return own === undefined ? row : [...row, own];
}

function readEvaluation(
  state: SandboxState,
  patch: AttemptPatch,
  row: EvaluationRow,
  shared: readonly object[],
): Evaluation {
  const [tenantNumber, userNumber, nowMs, outcome, reason, digest, own] = row;
  const tenant = shared[tenantNumber] as TenantFacts;
  const user = shared[userNumber] as UserFacts;
  const facts = { tenant, user, attempt: completeAttempt({ ...patch, nowMs }, user, nowMs) };
  return {
    facts,
    outcome,
    reason,
    campaign: effectiveCampaign(tenant, rulesInForce(state.ruleset, facts.attempt.nowMs)),
    digest,
    ...(own === undefined ? {} : { own }),
  };
}
