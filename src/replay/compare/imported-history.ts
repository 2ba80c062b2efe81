import { dayMs, snoozeDaysMax } from '../../../machines/campaign-limits.ts';
import { effectiveCampaign } from '../../../machines/effective-campaign.ts';
import { pinRules } from '../../../machines/ruleset-gates.ts';
import type { EffectiveCampaign, Facts, Ruleset, TenantFacts, Verdict } from '../../../machines/vocabulary.ts';
import type { Assumption } from '../../contract/comparison.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { decodeAttempt } from '../attempt-code.ts';
import type { PolicyEpoch } from '../import/import-policy.ts';
import type { ActionEffects } from './action-effect.ts';
import type { UserClasses } from './user-classes.ts';
import { deviceName, importedDevice, userDevicesMax } from './user-devices.ts';
import type { VariantEvaluator } from './variant-evaluator.ts';

/**
 * Limits of the counts and days that rules distinguish: above the snooze limit and the longest duration, all are alike
 * (decision 036).
 */
const countsMax = 4;
const daysMax = snoozeDaysMax + 1;
const places = (countsMax + 1) * (daysMax + 2);

/** Number of a device without any of the user's passkeys. */
const strangeDevice = userDevicesMax + 1;

/** Attempt: the code of its facts, and the number of its device within the user. */
export interface ImportedAttempt {
  readonly code: number;
  readonly device: number;
  /** Index of its policy, if an annotation names it; otherwise the time determines the policy. */
  readonly epoch?: number | undefined;
}

/** Period with one policy. It has a part for each edition of the ruleset. */
interface PolicyPeriod {
  readonly fromMs: number;
  readonly editions: readonly Epoch[];
}

/** Period with one policy and edition, and the evaluations under it: for each user class, a row per attempt and device. */
interface Epoch {
  readonly fromMs: number;
  readonly tenant: TenantFacts;
  readonly rules: Ruleset;
  readonly campaign: EffectiveCampaign;
  readonly evaluated: (Map<number, Int16Array> | undefined)[];
}

/** Nudge status of a user under one policy at a point in time. */
export interface VariantUser {
  class: number;
  count: number;
  /** Start of the latest snooze in milliseconds; `NaN` if there is none. */
  snoozedAtMs: number;
  /** `true` if an earlier action of the user was assumed. */
  assumed: boolean;
}

/**
 * Evaluates the attempts of an import under successive policies. The rules evaluate each combination of user class,
 * attempt, count and days once, and the lifecycle computes the effect of each distinct action once.
 */
export class ImportedHistory {
  readonly evaluator: VariantEvaluator;
  readonly ruleset: Ruleset;
  readonly #epochs: readonly PolicyPeriod[];
  readonly #classes: UserClasses;
  readonly #effects: ActionEffects;
  readonly #assumedAction: Assumption;
  /** `true` if a policy distinguishes the devices of a user (A9). */
  readonly #isStrict: boolean;

  constructor(
    epochs: readonly PolicyEpoch[],
    ruleset: Ruleset,
    parts: {
      readonly evaluator: VariantEvaluator;
      readonly classes: UserClasses;
      readonly effects: ActionEffects;
      readonly assumedAction: Assumption;
    },
  ) {
    this.evaluator = parts.evaluator;
    this.#classes = parts.classes;
    this.#effects = parts.effects;
    this.#assumedAction = parts.assumedAction;
    this.ruleset = ruleset;
    this.#isStrict = epochs.some(({ tenant }) => tenant.options.strictDevice);
    const editions = [
      { fromMs: Number.NEGATIVE_INFINITY, rules: pinRules(ruleset, Number.NEGATIVE_INFINITY) },
      ...(ruleset.editions ?? []),
    ];
    this.#epochs = epochs.map(({ fromMs, tenant }) => ({
      fromMs: fromMs ?? Number.NEGATIVE_INFINITY,
      editions: editions.map(({ fromMs: since, rules }) => ({
        fromMs: since,
        tenant,
        rules,
        campaign: effectiveCampaign(tenant, rules),
        evaluated: [],
      })),
    }));
  }

  /** Evaluates an attempt with the user's state before it. Returns the verdict code. */
  evaluate(user: VariantUser, { code: attempt, device, epoch: at }: ImportedAttempt, nowMs: number): number {
    const epoch = this.#epochAt(nowMs, at);
    const distinguished = this.#distinguishDevice(user.class, device);
    const row = this.#getRow(epoch, user.class, attempt * (userDevicesMax + 2) + distinguished);
    const count = user.count > countsMax ? countsMax : user.count;
    const days = daysSince(user.snoozedAtMs, nowMs);
    const place = count * (daysMax + 2) + days + 1;
    const known = row[place] as number;
    if (known >= 0) return known;
    const { code } = this.evaluator.evaluate(
      this.#facts(user.class, { count, days }, { code: attempt, device: distinguished }, epoch.tenant),
      epoch.rules,
    );
    row[place] = code;
    return code;
  }

  /**
   * Returns the cached evaluations of a user class for an attempt on a device. Attempt and device are combined to a
   * small number for fast access.
   */
  #getRow({ evaluated }: Epoch, userClass: number, key: number): Int16Array {
    let rows = evaluated[userClass];
    if (rows === undefined) {
      rows = new Map();
      evaluated[userClass] = rows;
    }
    let row = rows.get(key);
    if (row === undefined) {
      row = new Int16Array(places).fill(-1);
      rows.set(key, row);
    }
    return row;
  }

  /** Returns the full verdict on an attempt, with every gate. */
  verdict(user: VariantUser, attempt: ImportedAttempt, nowMs: number): Verdict {
    const epoch = this.#epochAt(nowMs, attempt.epoch);
    const snoozedAtMs = Number.isNaN(user.snoozedAtMs) ? null : user.snoozedAtMs;
    const snooze = { count: user.count, snoozedAtMs };
    const facts = this.#facts(user.class, { count: 0, days: -1 }, attempt, epoch.tenant);
    const known: Facts = { ...facts, user: { ...facts.user, snooze }, attempt: { ...facts.attempt, nowMs } };
    return this.evaluator.evaluate(known, epoch.rules).verdict;
  }

  /** Applies the assumed action at the prompt of an attempt, and updates the user from the state before it. */
  answer(user: VariantUser, { code: attempt, device, epoch }: ImportedAttempt, nowMs: number, required: boolean): void {
    const { campaign } = this.#epochAt(nowMs, epoch);
    const nudgeStatus = { count: user.count, hasTimer: !Number.isNaN(user.snoozedAtMs), required };
    const { counted, startsTimer, registers } = this.#effects.of(this.#assumedAction, nudgeStatus, campaign);
    user.count += counted;
    if (startsTimer) user.snoozedAtMs = nowMs;
    if (registers && campaign.method !== null) {
      const deviceId = this.#isStrict ? deviceName(device) : importedDevice;
      const passkey = { type: defaultPasskeyType(decodeAttempt(attempt).os), deviceId };
      user.class = this.#classes.registered(user.class, campaign.method, passkey);
    }
    user.assumed = true;
  }

  #epochAt(nowMs: number, named: number | undefined): Epoch {
    const { editions } = this.#periodAt(nowMs, named);
    for (let index = editions.length - 1; index > 0; index -= 1) {
      const edition = editions[index];
      if (edition !== undefined && nowMs >= edition.fromMs) return edition;
    }
    return editions[0] as Epoch;
  }

  #periodAt(nowMs: number, named: number | undefined): PolicyPeriod {
    const epochs = this.#epochs;
    const known = named === undefined ? undefined : epochs[named];
    if (known !== undefined) return known;
    for (let index = epochs.length - 1; index > 0; index -= 1) {
      const epoch = epochs[index];
      if (epoch !== undefined && nowMs >= epoch.fromMs) return epoch;
    }
    const [first] = epochs;
    if (first === undefined) throw new RangeError('A history without a policy was not rejected.');
    return first;
  }

  /**
   * Returns the device of an attempt as far as rules distinguish it: all devices without the user's passkeys are alike.
   */
  #distinguishDevice(userClass: number, device: number): number {
    if (!this.#isStrict) return 0;
    const name = deviceName(device);
    return this.#classes.at(userClass).passkeys.some(({ deviceId }) => deviceId === name) ? device : strangeDevice;
  }

  #facts(
    userClass: number,
    { count, days }: { readonly count: number; readonly days: number },
    { code, device }: Pick<ImportedAttempt, 'code' | 'device'>,
    tenant: TenantFacts,
  ): Facts {
    const nowMs = (daysMax + 1) * dayMs;
    return {
      tenant,
      user: { ...this.#classes.at(userClass), snooze: { count, snoozedAtMs: days < 0 ? null : nowMs - days * dayMs } },
      attempt: { ...decodeAttempt(code), deviceId: deviceName(device), nowMs },
    };
  }
}

/**
 * Returns the whole days since a time, up to the limit that rules distinguish; -1 if there is none. Elapsed time is
 * never negative (R5).
 */
function daysSince(sinceMs: number, nowMs: number): number {
  if (Number.isNaN(sinceMs)) return -1;
  const days = Math.floor((nowMs - sinceMs) / dayMs);
  return days < 0 ? 0 : days > daysMax ? daysMax : days;
}
