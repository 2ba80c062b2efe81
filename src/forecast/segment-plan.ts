import type {
  AttemptFacts,
  OperatingSystem,
  Passkey,
  PasskeyType,
  TargetedMethod,
  UserFacts,
} from '../../machines/vocabulary.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type {
  CircumstanceShare,
  ForecastDescription,
  PlatformShare,
  PromptAnswers,
  SignInPattern,
  UserKind,
} from '../contract/forecast.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forecastAttemptKindsMax } from '../core/limits.ts';

/** One kind of attempt of a segment: a platform under some circumstance. */
export interface AttemptKind {
  readonly share: number;
  readonly patch: AttemptPatch;
  /** The passkey that a user makes there. */
  readonly passkey: Passkey;
}

/** One kind of user of a segment, and where such users stand before the first day. */
export interface StartingUser {
  readonly share: number;
  readonly facts: UserFacts;
  readonly snoozes: number;
  readonly snoozedDaysAgo: number | null;
}

/** A part of the tenant's users who behave alike, with everything that the description leaves to `defaults` filled in. */
export interface SegmentPlan {
  readonly name: string;
  readonly share: number;
  readonly users: readonly StartingUser[];
  readonly kinds: readonly AttemptKind[];
  readonly signIn: SignInPattern;
  readonly answers: PromptAnswers;
}

/** The id of every user of a forecast: targets name groups, never one of them. */
const forecastUserId = 'user';

/** What people make where nothing is said: the passkey of the system, or a security key where it has none. */
const usualPasskey: Readonly<Record<OperatingSystem, PasskeyType>> = {
  windows: 'windows-bound',
  macos: 'keychain',
  ios: 'keychain',
  android: 'password-manager',
  linux: 'security-key',
  unknown: 'security-key',
};

/**
 * The segments of a description. Takes it with the method that the campaign targets, `null` when none.
 * Throws `forecast-too-large` for more kinds of attempt than the tables hold.
 */
export function planSegments(description: ForecastDescription, method: TargetedMethod | null): readonly SegmentPlan[] {
  const { defaults, segments } = description;
  return segments.map((segment, index) => {
    const given = { ...defaults, ...dropUnset(segment) };
    const kinds = attemptKinds(given.platforms ?? [{}], given.signInContexts ?? [{}]);
    const name = segment.name ?? `segment ${index + 1}`;
    if (kinds.length > forecastAttemptKindsMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `${name} has ${kinds.length} kinds of attempt; there may be ${forecastAttemptKindsMax}.`,
      });
    }
    return {
      name,
      share: shareOf(segment, segments),
      users: startingUsers(given.users ?? [defaultUserKind]),
      kinds,
      signIn: given.signIn as SignInPattern,
      answers: answersOf(given.answers as NonNullable<typeof given.answers>, method),
    };
  });
}

const defaultUserKind: UserKind = {
  type: 'member',
  groups: [],
  methods: ['sms'],
  passkeys: [],
  mfaCapable: true,
  snooze: { count: 0, daysAgo: null },
};

function dropUnset<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined)) as Partial<T>;
}

function shareOf(one: { readonly share?: number | undefined }, all: readonly unknown[]): number {
  return one.share ?? (all.length === 1 ? 1 : 0);
}

function answersOf(
  answers: PromptAnswers | Readonly<Record<TargetedMethod, PromptAnswers>>,
  method: TargetedMethod | null,
): PromptAnswers {
  return 'skippable' in answers ? answers : answers[method ?? 'vendorAuthenticator'];
}

function startingUsers(kinds: readonly UserKind[]): readonly StartingUser[] {
  return kinds.map((kind) => ({
    share: shareOf(kind, kinds),
    facts: {
      id: forecastUserId,
      type: kind.type,
      groups: kind.groups,
      methods: kind.methods,
      passkeys: kind.passkeys.map((passkey) => (typeof passkey === 'string' ? passkeyOf(passkey) : passkey)),
      mfaCapable: kind.mfaCapable,
      snooze: { count: 0, snoozedAtMs: null },
    },
    snoozes: kind.snooze.count,
    snoozedDaysAgo: kind.snooze.daysAgo,
  }));
}

function passkeyOf(type: PasskeyType): Passkey {
  return { type, deviceId: 'device-1' };
}

/** Platforms and circumstances are drawn independently, so every pair is a kind with the product of the shares. */
function attemptKinds(
  platforms: readonly PlatformShare[],
  signInContexts: readonly CircumstanceShare[],
): readonly AttemptKind[] {
  return platforms.flatMap((platform) => {
    const { share: _share, passkey, ...device } = platform;
    const os = platform.os ?? 'windows';
    const deviceId: AttemptFacts['deviceId'] = platform.deviceId ?? os;
    return signInContexts.map((circumstance) => {
      const { share: _other, ...rest } = circumstance;
      return {
        share: shareOf(platform, platforms) * shareOf(circumstance, signInContexts),
        patch: { ...dropUnset({ ...device, ...rest }), deviceId },
        passkey: { type: passkey ?? usualPasskey[os], deviceId },
      };
    });
  });
}
