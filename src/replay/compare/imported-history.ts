import { dayMs, snoozeDaysMax } from '../../../machines/campaign-limits.ts';
import { effectiveCampaign } from '../../../machines/effective-campaign.ts';
import type { EffectiveCampaign, Facts, Ruleset, TenantFacts, Verdict } from '../../../machines/vocabulary.ts';
import type { Assumption } from '../../contract/comparison.schema.ts';
import { defaultPasskeyType } from '../../contract/step-names.ts';
import { decodeAttempt } from '../attempt-code.ts';
import type { PolicyEpoch } from '../import/import-policy.ts';
import type { ActionEffects } from './action-effect.ts';
import type { UserClasses } from './user-classes.ts';
import { deviceName, importedDevice, userDevicesMax } from './user-devices.ts';
import type { VariantEvaluator } from './variant-evaluator.ts';

/** Counts and days that rules tell apart: above the limit, and above the longest duration, all are alike (decision 036). */
const countsMax = 4;
const daysMax = snoozeDaysMax + 1;
const places = (countsMax + 1) * (daysMax + 2);

/** A device that no passkey belongs to. */
const strangeDevice = userDevicesMax + 1;

/** An attempt: the code of its facts, and the number of its device among those of its user. */
export interface ImportedAttempt {
  readonly code: number;
  readonly device: number;
}

/** A policy in force for a time, with what was evaluated under it so far: for each class of user a row for each attempt and device. */
interface Epoch {
  readonly fromMs: number;
  readonly tenant: TenantFacts;
  readonly campaign: EffectiveCampaign;
  readonly evaluated: (Map<number, Int16Array> | undefined)[];
}

/** A user in a world, at a time. */
export interface WorldUser {
  class: number;
  count: number;
  /** When the latest snooze began; `NaN` where there was none. */
  snoozedAtMs: number;
  /** Whether an answer was assumed for the user before. */
  assumed: boolean;
}

/**
 * The attempts of an import under one policy after another. Rules are asked once for each class of user and attempt, and for
 * each count and number of days that they tell apart; the lifecycle is asked for each answer in the same way.
 */
export class ImportedHistory {
  readonly evaluator: VariantEvaluator;
  readonly ruleset: Ruleset;
  readonly #epochs: readonly Epoch[];
  readonly #classes: UserClasses;
  readonly #effects: ActionEffects;
  readonly #assumedAction: Assumption;
  /** Whether a policy tells the devices of a user apart (A9). */
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
    this.#epochs = epochs.map(({ fromMs, tenant }) => ({
      fromMs: fromMs ?? Number.NEGATIVE_INFINITY,
      tenant,
      campaign: effectiveCampaign(tenant, ruleset),
      evaluated: [],
    }));
  }

  /** What the rules say of an attempt; the user is as he was before it. Returns the code of the side. */
  evaluate(user: WorldUser, { code: attempt, device }: ImportedAttempt, nowMs: number): number {
    const epoch = this.#epochAt(nowMs);
    const told = this.#toldApart(user.class, device);
    const row = this.#rowOf(epoch, user.class, attempt * (userDevicesMax + 2) + told);
    const count = user.count > countsMax ? countsMax : user.count;
    const days = daysSince(user.snoozedAtMs, nowMs);
    const place = count * (daysMax + 2) + days + 1;
    const known = row[place] as number;
    if (known >= 0) return known;
    const { code } = this.evaluator.evaluate(
      this.#facts(user.class, { count, days }, { code: attempt, device: told }, epoch.tenant),
      this.ruleset,
    );
    row[place] = code;
    return code;
  }

  /** What was evaluated of a class of user and an attempt on a device, which are a number small enough to be looked up quickly. */
  #rowOf({ evaluated }: Epoch, userClass: number, key: number): Int16Array {
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

  /** The whole verdict of an attempt, with every gate. */
  verdict(user: WorldUser, attempt: ImportedAttempt, nowMs: number): Verdict {
    const epoch = this.#epochAt(nowMs);
    const snoozedAtMs = Number.isNaN(user.snoozedAtMs) ? null : user.snoozedAtMs;
    const snooze = { count: user.count, snoozedAtMs };
    const facts = this.#facts(user.class, { count: 0, days: -1 }, attempt, epoch.tenant);
    const known: Facts = { ...facts, user: { ...facts.user, snooze }, attempt: { ...facts.attempt, nowMs } };
    return this.evaluator.evaluate(known, this.ruleset).verdict;
  }

  /** Answers the prompt of an attempt as it is assumed; the user is as he was before it, and is changed. */
  answer(user: WorldUser, { code: attempt, device }: ImportedAttempt, nowMs: number, required: boolean): void {
    const { campaign } = this.#epochAt(nowMs);
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

  #epochAt(nowMs: number): Epoch {
    const epochs = this.#epochs;
    for (let index = epochs.length - 1; index > 0; index -= 1) {
      const epoch = epochs[index];
      if (epoch !== undefined && nowMs >= epoch.fromMs) return epoch;
    }
    const [first] = epochs;
    if (first === undefined) throw new RangeError('A world without a policy was not refused.');
    return first;
  }

  /** The device of an attempt as far as rules can tell: those that none of the user's passkeys belongs to are all alike. */
  #toldApart(userClass: number, device: number): number {
    if (!this.#isStrict) return 0;
    const name = deviceName(device);
    return this.#classes.at(userClass).passkeys.some(({ deviceId }) => deviceId === name) ? device : strangeDevice;
  }

  #facts(
    userClass: number,
    { count, days }: { readonly count: number; readonly days: number },
    { code, device }: ImportedAttempt,
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

/** Whole days since a time, no more than rules tell apart; -1 where there is none. Time never runs backwards (R5). */
function daysSince(sinceMs: number, nowMs: number): number {
  if (Number.isNaN(sinceMs)) return -1;
  const days = Math.floor((nowMs - sinceMs) / dayMs);
  return days < 0 ? 0 : days > daysMax ? daysMax : days;
}
