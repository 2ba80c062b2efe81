import { join } from 'node:path';
import { getPlatform } from '../../../machines/platform.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import type { ComparedAttempt, ComparedRule } from '../../contract/compared-attempt.ts';
import type { Assumption, Comparison } from '../../contract/comparison.schema.ts';
import type { ImportManifest } from '../../contract/import-manifest.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { attemptCodes, decodeAttempt } from '../attempt-code.ts';
import { type DuckDbSession, fileLiteral, literal } from '../import/duckdb-session.ts';
import type { PolicyEpoch } from '../import/import-policy.ts';
import type { KnownMoment, KnownUser } from '../import/known-facts.ts';
import { ActionEffects } from './action-effect.ts';
import { comparedRules } from './compared-rules.ts';
import { type Counted, createComparison, describeRules } from './comparison-report.ts';
import { ComparisonTally } from './comparison-tally.ts';
import { type ImportedAttempt, ImportedHistory, type VariantUser } from './imported-history.ts';
import { hasColumn, type ImportedUsers, readKnownMoments, readManifest, readUsers } from './read-import.ts';
import { UserClasses } from './user-classes.ts';
import { UserDevices } from './user-devices.ts';
import { type Variant, VariantEvaluator, VerdictCodes } from './variant-evaluator.ts';

/** Options of a comparison. */
export interface CompareOptions {
  readonly variants: readonly Variant[];
  readonly assumedAction: Assumption;
  readonly ruleset: Ruleset;
  /** Ruleset of the baseline if it is not that of the history. */
  readonly baseline?: Ruleset | undefined;
  /** Called for every attempt with a changed verdict, or for every attempt of the selected user. */
  readonly see?: ((attempt: ComparedAttempt) => void) | undefined;
  /** User whose attempts are passed to `see`; the totals include all users. */
  readonly user?: string | undefined;
}

/** Variant and its counts so far. */
interface Side {
  readonly variant: Variant;
  readonly history: ImportedHistory;
  readonly tally: ComparisonTally;
  readonly user: VariantUser;
  readonly end: UsersAtEnd;
  bits: number;
  /** `true` if the verdict on an earlier attempt of the user differed. */
  hasDiverged: boolean;
}

/** Moments of annotated attempts, and the index of the first policy of annotations. */
interface KnownEpochs {
  readonly moments: readonly KnownMoment[];
  readonly firstEpoch: number;
}

/** Users at the end of the history, by number. */
class UsersAtEnd {
  readonly #classes: Int32Array;
  readonly #counts: Int32Array;
  readonly #snoozedAtMs: Float64Array;

  constructor({ classes, counts, snoozedAtMs }: ImportedUsers) {
    this.#classes = Int32Array.from(classes);
    this.#counts = Int32Array.from(counts);
    this.#snoozedAtMs = Float64Array.from(snoozedAtMs);
  }

  note(uid: number, user: VariantUser): void {
    this.#classes[uid] = user.class;
    this.#counts[uid] = user.count;
    this.#snoozedAtMs[uid] = user.snoozedAtMs;
  }

  at(uid: number): VariantUser {
    const [number, count] = [this.#classes[uid] as number, this.#counts[uid] as number];
    return { class: number, count, snoozedAtMs: this.#snoozedAtMs[uid] as number, assumed: true };
  }
}

/**
 * Compares the attempts of an import under its own policies and under others. The database must preserve row order. All
 * actions are assumed because exports do not contain them, and only attempts before a user's first prompt are certain.
 * Throws `import-unrecognized`, and `user-not-found` for a user who is not in the import.
 */
export async function compareImport(
  session: DuckDbSession,
  folder: string,
  options: CompareOptions,
): Promise<Comparison> {
  const manifest = await readManifest(folder);
  const known = await readKnownMoments(folder);
  const timeLine = manifest.policies as readonly PolicyEpoch[];
  // No time selects the policies of annotations, which their attempts name.
  const annotated = known.tenants.map((tenant): PolicyEpoch => ({ fromMs: Number.POSITIVE_INFINITY, tenant }));
  const epochs = [...timeLine, ...annotated];
  const changed = options.variants.map((variant) =>
    epochs.map((epoch) => ({ ...epoch, tenant: variant.apply(epoch.tenant) })),
  );
  const classes = new UserClasses([...epochs, ...changed.flat()].map(({ tenant }) => tenant));
  const withIds = options.see !== undefined || options.user !== undefined;
  const users = await readUsers(session, folder, classes, { size: manifest.report.users, withIds });
  const user = await findSelectedUser(session, folder, options.user);
  const run = new ImportComparison(users, classes, {
    epochs,
    changed,
    known: { moments: known.moments, firstEpoch: timeLine.length },
    options: { ...options, user },
  });
  const table = fileLiteral(join(folder, 'attempts.parquet'));
  // Imports from earlier versions have no device column.
  const device = (await hasColumn(session, table, 'device')) ? 'device' : '0::INTEGER AS device';
  // Only imports of annotated sign-ins have this column.
  const moment = (await hasColumn(session, table, 'known')) ? 'known' : '0::INTEGER AS known';
  for await (const chunk of session.chunks(`SELECT uid, t::DOUBLE, code, ${device}, ${moment} FROM ${table}`)) {
    const moments = chunk.numbers(4);
    const [uids, times, codes, devices] = [chunk.numbers(0), chunk.numbers(1), chunk.numbers(2), chunk.numbers(3)];
    for (let row = 0; row < chunk.rowCount; row += 1) {
      run.attempt(uids[row] as number, times[row] as number, {
        code: codes[row] as number,
        deviceId: devices[row] as number,
        moment: moments[row] as number,
      });
    }
  }
  return run.end(folder, manifest);
}

/** Returns the id of the selected user, by id or user principal name. Throws `user-not-found`. */
export async function findSelectedUser(
  session: DuckDbSession,
  folder: string,
  user: string | undefined,
): Promise<string | undefined> {
  if (user === undefined) return undefined;
  const table = fileLiteral(join(folder, 'users.parquet'));
  const name = `lower(${literal(user)})`;
  const [row] = await session.rows(
    `SELECT id FROM ${table} WHERE lower(id) = ${name} OR lower(upn) = ${name} ORDER BY lower(id) = ${name} DESC`,
  );
  if (row !== undefined) return String(row[0]);
  throw new NudgeLabError('user-not-found', { message: `User "${user}" does not exist in the import.` });
}

class ImportComparison {
  readonly #users: ImportedUsers;
  readonly #classes: UserClasses;
  readonly #options: CompareOptions;
  readonly #codes = new VerdictCodes();
  readonly #base: ImportedHistory;
  readonly #baseEvaluator: VariantEvaluator;
  readonly #baseUser: VariantUser = newUser();
  readonly #sides: readonly Side[];
  readonly #platforms: (string | undefined)[] = new Array(attemptCodes);
  /** Latest attempt of each user, and the users in the baseline, for computing required prompts at the next sign-in. */
  readonly #latest: Int32Array;
  readonly #latestDevice: Uint8Array;
  readonly #baseEnd: UsersAtEnd;
  readonly #devices = new UserDevices();
  #uid = -1;
  #place = 0;
  #attempts = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #isSeen = false;
  readonly #known: KnownEpochs;

  constructor(
    users: ImportedUsers,
    classes: UserClasses,
    parts: {
      readonly epochs: readonly PolicyEpoch[];
      readonly changed: readonly (readonly PolicyEpoch[])[];
      readonly known: KnownEpochs;
      readonly options: CompareOptions;
    },
  ) {
    this.#known = parts.known;
    this.#users = users;
    this.#classes = classes;
    const { options } = parts;
    this.#options = options;
    const shared = { classes, effects: new ActionEffects(), assumedAction: options.assumedAction };
    this.#baseEvaluator = new VariantEvaluator(this.#codes);
    const { baseline = options.ruleset } = options;
    this.#base = new ImportedHistory(parts.epochs, baseline, { ...shared, evaluator: this.#baseEvaluator });
    this.#sides = options.variants.map((variant, index) => ({
      variant,
      history: new ImportedHistory(parts.changed[index] ?? [], variant.ruleset ?? options.ruleset, {
        ...shared,
        evaluator: new VariantEvaluator(this.#codes),
      }),
      tally: new ComparisonTally(this.#codes),
      user: newUser(),
      end: new UsersAtEnd(users),
      bits: 0,
      hasDiverged: false,
    }));
    this.#baseEnd = new UsersAtEnd(users);
    this.#latest = new Int32Array(users.classes.length).fill(-1);
    this.#latestDevice = new Uint8Array(users.classes.length);
  }

  /** Counts an attempt. Attempts must be in order of user and time. */
  attempt(
    uid: number,
    atMs: number,
    { code, deviceId, moment }: { readonly code: number; readonly deviceId: number; readonly moment: number },
  ): void {
    if (uid !== this.#uid) this.#nextUser(uid);
    const known = this.#known.moments[moment - 1];
    // The devices of annotated passkeys are relative to the attempt, which is on the unnamed device.
    const device = known === undefined ? this.#devices.of(deviceId) : 0;
    const attempt: ImportedAttempt = {
      code,
      device,
      ...(known === undefined ? {} : { epoch: this.#known.firstEpoch + known.tenant }),
    };
    if (known !== undefined) this.#takeOver(known.user);
    this.#attempts += 1;
    this.#place += 1;
    if (atMs > this.#lastMs) this.#lastMs = atMs;
    this.#latest[uid] = code;
    this.#latestDevice[uid] = device;
    const base = this.#baseUser;
    const before = this.#base.evaluate(base, attempt, atMs);
    const baseAssumed = base.assumed;
    const platform = this.#platform(code);
    const groups = this.#classes.at(this.#users.classes[uid] as number).groups;
    for (const side of this.#sides) {
      const { user, history, tally } = side;
      const after = history.evaluate(user, attempt, atMs);
      const certain = !(user.assumed || baseAssumed);
      tally.add({ before, after, certain, platform, atMs, groups });
      side.bits |= tally.getChange(before, after);
      if (before !== after) side.hasDiverged = true;
      if (this.#isSeen || (this.#options.see !== undefined && this.#options.user === undefined && before !== after)) {
        this.#see(side, { before, after, certain, atMs, attempt, platform });
      }
      if (this.#answers(history, user, after, { attempt, atMs })) tally.answers.assumed += 1;
    }
    this.#answers(this.#base, base, before, { attempt, atMs });
  }

  /** Sets the user to the state that an annotation contains, also in variants that were equal so far. */
  #takeOver(user: KnownUser): void {
    const id = this.#users.ids[this.#uid] ?? '';
    const { count, snoozedAtMs, ...facts } = user;
    const state = {
      class: this.#classes.of({ id, ...facts }),
      count,
      snoozedAtMs: snoozedAtMs ?? Number.NaN,
      assumed: false,
    };
    Object.assign(this.#baseUser, state);
    for (const side of this.#sides) if (!side.hasDiverged) Object.assign(side.user, state);
  }

  /** Applies the assumed action at a prompt. Returns `true` if there was a prompt. */
  #answers(
    history: ImportedHistory,
    user: VariantUser,
    code: number,
    { attempt, atMs }: { attempt: ImportedAttempt; atMs: number },
  ): boolean {
    const { outcome } = this.#codes.side(code);
    if (outcome === 'none') return false;
    history.answer(user, attempt, atMs, outcome === 'required');
    return true;
  }

  #nextUser(uid: number): void {
    this.#finishUser();
    if (uid < this.#uid)
      throw new NudgeLabError('import-unrecognized', { message: 'The attempts are not sorted by user.' });
    this.#uid = uid;
    this.#devices.begin(this.#users.windows[uid] as number, this.#users.mac[uid] as number);
    this.#place = 0;
    const id = this.#users.ids[uid] ?? '';
    this.#isSeen = this.#options.user !== undefined && this.#options.user === id;
    for (const side of this.#sides) side.hasDiverged = false;
    for (const user of [this.#baseUser, ...this.#sides.map((side) => side.user)]) {
      user.class = this.#users.classes[uid] as number;
      user.count = this.#users.counts[uid] as number;
      user.snoozedAtMs = this.#users.snoozedAtMs[uid] as number;
      user.assumed = false;
    }
  }

  #finishUser(): void {
    const uid = this.#uid;
    if (uid < 0) return;
    this.#baseEnd.note(uid, this.#baseUser);
    for (const side of this.#sides) {
      side.end.note(uid, side.user);
      side.tally.addUser(side.bits);
      side.bits = 0;
    }
  }

  #platform(attempt: number): string {
    let platform = this.#platforms[attempt];
    if (platform === undefined) {
      platform = getPlatform(decodeAttempt(attempt));
      this.#platforms[attempt] = platform;
    }
    return platform;
  }

  #see(
    { variant, user, history }: Side,
    seen: { before: number; after: number; certain: boolean; atMs: number; attempt: ImportedAttempt; platform: string },
  ): void {
    const after = this.#codes.side(seen.after);
    const id = this.#users.ids[this.#uid] ?? '';
    this.#options.see?.({
      variant: variant.name,
      user: id,
      attempt: `${id}#${this.#place}`,
      at: toInstant(seen.atMs),
      platform: seen.platform,
      before: this.#codes.side(seen.before),
      after,
      changed: seen.before !== seen.after,
      certain: seen.certain,
      answer: after.outcome === 'none' ? 'none' : 'assumed',
      ...(this.#isSeen ? { rules: this.#rules(history, user, seen) } : {}),
    });
  }

  #rules(
    history: ImportedHistory,
    user: VariantUser,
    { attempt, atMs }: { attempt: ImportedAttempt; atMs: number },
  ): readonly ComparedRule[] {
    return comparedRules(this.#base.verdict(this.#baseUser, attempt, atMs), history.verdict(user, attempt, atMs));
  }

  /** Returns the comparison after all attempts are counted. */
  end(source: string, { report }: ImportManifest): Comparison {
    this.#finishUser();
    // Users without any sign-in also count as users, without changes.
    const absent = this.#latest.reduce((sum, code) => sum + (code < 0 ? 1 : 0), 0);
    for (const { tally } of this.#sides) tally.users.all += absent;
    const nowMs = this.#lastMs;
    const counted: readonly Counted[] = this.#sides.map(({ variant, history, tally, end }) => ({
      name: variant.name,
      ruleset: history.ruleset,
      tally,
      warnings: history.evaluator.warnings,
      requiredAtNextSignIn: {
        ifAppliedNow: this.#requiredAtNextSignIn(history, this.#baseEnd, nowMs),
        ifAppliedThroughout: this.#requiredAtNextSignIn(history, end, nowMs),
      },
    }));
    return createComparison(
      {
        source,
        kind: 'import',
        from: report.from,
        to: report.to,
        attempts: this.#attempts,
        users: this.#users.classes.length,
        assumedAction: this.#options.assumedAction,
        baseRuleset: describeRules(this.#base.ruleset),
      },
      this.#baseEvaluator.warnings,
      counted,
    );
  }

  /** Counts the users whose next prompt would be required if their next sign-in equals their last one (A46). */
  #requiredAtNextSignIn(
    history: ImportedHistory,
    ends: UsersAtEnd,
    nowMs: number,
  ): { users: number; stillSnoozing: number } {
    const isRequired = (user: VariantUser, attempt: ImportedAttempt): boolean =>
      this.#codes.side(history.evaluate(user, attempt, nowMs)).outcome === 'required';
    let users = 0;
    let stillSnoozing = 0;
    for (let uid = 0; uid < this.#latest.length; uid += 1) {
      const attempt = { code: this.#latest[uid] as number, device: this.#latestDevice[uid] as number };
      const user = ends.at(uid);
      if (attempt.code < 0 || user.count === 0) continue;
      if (isRequired(user, attempt)) users += 1;
      else if (isRequired({ ...user, snoozedAtMs: Number.NaN }, attempt)) stillSnoozing += 1;
    }
    return { users, stillSnoozing };
  }
}

function newUser(): VariantUser {
  return { class: 0, count: 0, snoozedAtMs: Number.NaN, assumed: false };
}
