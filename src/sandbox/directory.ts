import { allUsersId, comparableId } from '../../machines/membership.ts';
import type { EffectiveCampaign, RegisteredMethod, TenantFacts, Warning } from '../../machines/vocabulary.ts';
import { completeUser } from '../contract/complete-user.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { NudgeStatus } from '../contract/control-responses.schema.ts';
import { snoozeRecordSchema, tenantFactsSchema } from '../contract/facts.schema.ts';
import { parseOr } from '../contract/parse.ts';
import {
  type SandboxUser,
  sandboxUserSchema,
  type TenantSettings,
  tenantSettingsSchema,
} from '../contract/sandbox.schema.ts';
import { toInstantOrNull } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { usersMax } from '../core/limits.ts';
import { isPlainObject, mergePatch } from '../core/merge-patch.ts';
import type { ChangeOrigin } from '../journal/journal-event.ts';
import { hasOwnCampaign } from '../journal/own-campaign-events.ts';
import { listRulesetNotices } from '../journal/ruleset-notices.ts';
import { findDeclarations, type RulesetDeclarations } from '../journal/ruleset-registry.ts';
import { findSnoozeEnd, getNudgeState, type SandboxState, type UserRecord } from '../journal/state.ts';
import { refuseUnknownNetwork } from './context.ts';
import { refuseAttempt, refuseUndeclaredFacts, refuseUndeclaredTenant, splitSettings } from './declared-facts.ts';
import { unknownUser } from './explain.ts';
import { listUnknownAaguids } from './method-configurations.ts';
import { ownNudgeStatus, refuseWithoutOwn, refuseWithoutSignIn } from './own-nudge-status.ts';
import { refuseUntrustedMetadata } from './passkey-metadata.ts';
import { listPasskeys, type StoredPasskey } from './passkeys.ts';
import { type FoundUsers, findUsers, type Population, summarizeUsers, type UserFilter } from './population.ts';
import type { Recorder } from './recorder.ts';
import { snoozesLeft } from './sign-in-view.ts';
import { UserNames } from './user-names.ts';

/** Administrator interface to the sandbox: reads and changes the tenant, its users and their nudge status. */
export class Directory {
  readonly #recorder: Recorder;
  readonly #names = new UserNames();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Returns the complete facts of the tenant. */
  tenant(): TenantFacts {
    return this.#recorder.state().tenant;
  }

  /** Returns the tenant settings that no rule reads. */
  settings(): TenantSettings {
    return this.#recorder.state().settings;
  }

  /** Returns the campaign currently in effect. */
  campaign(): EffectiveCampaign {
    return this.#recorder.state().campaign;
  }

  /** Returns the version of the tenant, which starts at 1 and increases with every change. */
  tenantVersion(): number {
    return this.#recorder.state().tenantVersion;
  }

  /**
   * Replaces the facts of the tenant, and its settings if they are given, after validating them against their schemas.
   * Throws `bad-request` with all problems; then nothing has changed.
   */
  async putTenant(facts: unknown, by: ChangeOrigin, settings?: unknown): Promise<TenantFacts> {
    const declared = this.#declared();
    const { ofRuleset, others } = splitSettings(settings, declared);
    const all = ofRuleset === undefined || !isPlainObject(facts) ? facts : { ...facts, settings: ofRuleset };
    const parsed = parseOr('bad-request', tenantFactsSchema, all, 'tenant');
    refuseUndeclaredTenant(parsed, declared);
    const changes = others === undefined ? {} : { settings: await parseSettings(others) };
    return this.#recorder.recordAndSay({ type: 'tenant.changed', facts: parsed, ...changes, by }, () => this.tenant());
  }

  /** Changes facts of the tenant by a merge patch (RFC 7396). If it throws `bad-request`, nothing has changed. */
  async patchTenant(patch: unknown, by: ChangeOrigin): Promise<TenantFacts> {
    return this.putTenant(mergePatch(this.tenant(), patch), by);
  }

  /**
   * Sets the settings that no rule reads. Throws `bad-request`, also if the signature of metadata does not chain to a
   * root.
   */
  async putSettings(settings: unknown, by: ChangeOrigin): Promise<TenantSettings> {
    const parsed = await parseSettings(settings);
    return this.#recorder.recordAndSay({ type: 'tenant.changed', facts: {}, settings: parsed, by }, () =>
      this.settings(),
    );
  }

  /** Changes those settings by a merge patch (RFC 7396). If it throws `bad-request`, nothing has changed. */
  async patchSettings(patch: unknown, by: ChangeOrigin): Promise<TenantSettings> {
    return this.putSettings(mergePatch(this.settings(), patch), by);
  }

  /**
   * Returns warnings that no single attempt reveals: targets that are missing from the directory, and AAGUIDs that stand
   * for no passkey type.
   */
  warnings(): readonly Warning[] {
    const state = this.#recorder.state();
    return [
      ...unknownTargets(state).map(
        (id): Warning => ({
          code: 'unknown-target',
          message: `The directory has no object ${id}; the target is kept, because directories can be out of date.`,
        }),
      ),
      ...listRulesetNotices(state),
      ...listUnknownAaguids(state).map(
        (aaguid): Warning => ({
          code: 'unknown-aaguid',
          message: `The AAGUID ${aaguid} is not in the list of models, so it stands for no passkey type.`,
        }),
      ),
    ];
  }

  /** Returns users in order of creation. The filter limits their number, start id, names and nudge states. */
  users(filter: UserFilter): readonly SandboxUser[] {
    return findUsers(this.#recorder.state(), filter, this.#names).page.map(userView);
  }

  /**
   * Returns a page of the users that `users` finds, the total number of matches, and the number of users evaluated to
   * find them.
   */
  userPage(filter: UserFilter): Omit<FoundUsers, 'page'> & { readonly users: readonly SandboxUser[] } {
    const { page, ...counts } = findUsers(this.#recorder.state(), filter, this.#names);
    return { users: page.map(userView), ...counts };
  }

  /** Prepares the names of many users for a search and yields to other requests in between. */
  async prepareSearch(): Promise<void> {
    await this.#names.prepare(this.#recorder.state());
  }

  /** Returns the number of users per nudge state and the time at which the next snooze ends. */
  population(): Population {
    return summarizeUsers(this.#recorder.state());
  }

  /** Returns the number of users. */
  userCount(): number {
    return this.#recorder.state().users.size;
  }

  /** Returns true if a user with this id exists. */
  has(userId: string): boolean {
    return this.#recorder.state().users.has(userId);
  }

  /** Returns one user with all data. Throws `user-not-found`. */
  user(userId: string): SandboxUser {
    return userView(this.#getRecord(userId));
  }

  /** Returns the user with a user principal name, compared without regard to case, or `null` if there is none. */
  userNamed(userPrincipalName: string): SandboxUser | null {
    const state = this.#recorder.state();
    const id = state.users.findId(userPrincipalName.trim().toLowerCase());
    const user = id === undefined ? undefined : state.users.get(id);
    return user === undefined ? null : userView(user);
  }

  /** Creates or replaces a user. Throws `bad-request` with all problems. */
  async putUser(userId: string, user: unknown): Promise<SandboxUser> {
    const complete = completeUser(parseOr('bad-request', sandboxUserSchema, withId(user, userId), 'user'));
    const state = this.#recorder.state();
    refuseUndeclaredFacts('user', complete, this.#declared(), 'user');
    if (complete.id !== userId)
      throw badField('user.id', `"${complete.id}" does not match the id in the path, "${userId}"`);
    if (!state.users.has(userId) && state.users.size >= usersMax) {
      throw badField('user', `the sandbox already has ${usersMax} users, the maximum`);
    }
    const namesake = state.users.findId(complete.userPrincipalName.toLowerCase());
    if (namesake !== undefined && namesake !== userId) {
      throw badField('user.userPrincipalName', 'another user already has this name');
    }
    return this.#recorder.recordAndSay({ type: 'user.saved', user: complete }, () => this.user(userId));
  }

  /** Changes a user by a merge patch (RFC 7396). Throws `user-not-found` or `bad-request`. */
  async patchUser(userId: string, patch: unknown): Promise<SandboxUser> {
    return this.putUser(userId, mergePatch(this.user(userId), patch));
  }

  /** Deletes a user. Throws `user-not-found`. */
  async removeUser(userId: string): Promise<void> {
    this.#getRecord(userId);
    await this.#recorder.record({ type: 'user.removed', userId });
  }

  /** Returns the passkeys of a user, each with the data used to verify it. Throws `user-not-found`. */
  passkeys(userId: string): readonly StoredPasskey[] {
    return listPasskeys(this.#recorder.state(), this.#getRecord(userId));
  }

  /** Removes a method from a user. `fido2` removes all passkeys. Throws `user-not-found`. */
  async removeMethod(userId: string, method: RegisteredMethod | 'fido2'): Promise<SandboxUser> {
    this.#getRecord(userId);
    return this.#recorder.recordAndSay({ type: 'method.removed', userId, method }, () => this.user(userId));
  }

  /** Returns the current nudge status of a user. Throws `user-not-found`. */
  nudgeStatus(userId: string): NudgeStatus {
    const user = this.#getRecord(userId);
    const state = this.#recorder.state();
    if (hasOwnCampaign(state)) return ownNudgeStatus(state, userId);
    const { count, snoozedAtMs, openPrompts } = user.nudge.context;
    return {
      state: getNudgeState(state, user),
      snoozes: count,
      snoozesLeft: snoozesLeft(state, count),
      snoozedAt: toInstantOrNull(snoozedAtMs),
      nextPromptAt: toInstantOrNull(findSnoozeEnd(state, user)),
      openPrompts: openPrompts.map(({ id, leftAtMs }) => ({ id, unloadedAt: toInstantOrNull(leftAtMs) })),
    };
  }

  /**
   * Sets the snooze count and time of a user, which is the only explicit reset (A3). Throws `user-not-found` or
   * `bad-request`.
   */
  async setSnooze(userId: string, nudgeStatus: unknown): Promise<NudgeStatus> {
    this.#getRecord(userId);
    const { count, snoozedAtMs } = parseOr('bad-request', snoozeRecordSchema, nudgeStatus, 'snooze');
    return this.#recorder.recordAndSay({ type: 'snooze.set', userId, count, snoozedAtMs }, () =>
      this.nudgeStatus(userId),
    );
  }

  /**
   * Presets the sign-in context for the next sign-in of a user. The preset is used once. Throws `user-not-found`, or
   * `bad-request` for a network that is not a named location of the tenant.
   */
  async setNextSignIn(userId: string, attempt: AttemptInput): Promise<void> {
    refuseAttempt(this.#recorder.state(), attempt);
    if (attempt.network !== undefined) refuseUnknownNetwork(this.settings().context, attempt.network);
    this.#getRecord(userId);
    await this.#recorder.record({ type: 'nextSignIn.set', userId, attempt });
  }

  /** Returns the preset for the next sign-in of a user, or `null` if there is none. */
  nextSignIn(userId: string): AttemptInput | null {
    return this.#recorder.state().nextSignIns.get(userId) ?? null;
  }

  /** Settles the pending closes of a user, as the next sign-in would (A41). Throws `user-not-found`. */
  async settlePendingCloses(userId: string): Promise<NudgeStatus> {
    this.#getRecord(userId);
    return this.#recorder.recordAndSay({ type: 'pendingClose.settled', userId }, () => this.nudgeStatus(userId));
  }

  /**
   * Records that a user cleared the data of the browser of the latest sign-in, with the resets of an own campaign. Throws
   * `user-not-found`, or `bad-request` without an own campaign or an earlier sign-in.
   */
  async clearBrowser(userId: string): Promise<NudgeStatus> {
    this.#getRecord(userId);
    refuseWithoutSignIn(this.#recorder.state(), userId);
    return this.#recorder.recordAndSay({ type: 'browser.cleared', userId }, () => this.nudgeStatus(userId));
  }

  /** Clears what a user's answers left in an own campaign (A3). Throws `user-not-found`, or `bad-request` without one. */
  async resetLedger(userId: string): Promise<NudgeStatus> {
    this.#getRecord(userId);
    refuseWithoutOwn(this.#recorder.state());
    return this.#recorder.recordAndSay({ type: 'ledger.reset', userId }, () => this.nudgeStatus(userId));
  }

  /** Returns the facts and settings that the ruleset of the sandbox declares. */
  #declared(): RulesetDeclarations {
    return findDeclarations(this.#recorder.state().ruleset.id);
  }

  #getRecord(userId: string): UserRecord {
    const { users } = this.#recorder.state();
    const user = users.get(userId);
    if (user === undefined) throw unknownUser(userId, users);
    return user;
  }
}

function userView({ facts, profile }: UserRecord): SandboxUser {
  return { ...facts, ...profile };
}

function withId(user: unknown, userId: string): unknown {
  return typeof user === 'object' && user !== null && !('id' in user) ? { ...user, id: userId } : user;
}

function badField(place: string, message: string): NudgeLabError {
  return new NudgeLabError('bad-request', { problems: [{ location: place, message }] });
}

/**
 * Returns the campaign target ids that match no user or group. Users are searched only while a target is still
 * unmatched.
 */
function unknownTargets({ tenant, users }: SandboxState): readonly string[] {
  const targets = [...tenant.campaign.includeTargets, ...tenant.campaign.excludeTargets];
  const unknown = { user: new Set<string>(), group: new Set<string>() };
  for (const { targetType, id } of targets) unknown[targetType].add(comparableId(id));
  const parents = Object.entries(tenant.groups).flatMap(([id, of]) => [id, ...of]);
  for (const id of [allUsersId, ...parents]) unknown.group.delete(comparableId(id));
  for (const { user } of users.alike()) {
    if (unknown.user.size === 0 && unknown.group.size === 0) break;
    if (unknown.user.size > 0) unknown.user.delete(comparableId(user.facts.id));
    if (unknown.group.size > 0) for (const id of user.facts.groups) unknown.group.delete(comparableId(id));
  }
  for (const id of unknown.user) if (users.has(id)) unknown.user.delete(id);
  return targets.filter(({ targetType, id }) => unknown[targetType].has(comparableId(id))).map(({ id }) => id);
}

async function parseSettings(settings: unknown): Promise<TenantSettings> {
  const parsed = parseOr('bad-request', tenantSettingsSchema, settings, 'settings');
  await refuseUntrustedMetadata(parsed.passkeys);
  return parsed;
}
