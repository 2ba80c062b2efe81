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

/** Attempt type of a segment: a combination of platform and sign-in context. */
export interface AttemptKind {
  readonly share: number;
  readonly patch: AttemptPatch;
  /** Passkey that a user registers on this platform. */
  readonly passkey: Passkey;
}

/** Users of a segment with the same facts, and their nudge status before the first day. */
export interface StartingUser {
  readonly share: number;
  readonly facts: UserFacts;
  readonly snoozes: number;
  readonly snoozedDaysAgo: number | null;
}

/** Segment of users with the same behavior. Missing values are filled in from `defaults`. */
export interface SegmentPlan {
  readonly name: string;
  readonly share: number;
  readonly users: readonly StartingUser[];
  readonly kinds: readonly AttemptKind[];
  readonly signIn: SignInPattern;
  readonly answers: PromptAnswers;
}

/** Id of every user in a forecast. It can be shared because targets name groups instead of individual users. */
const forecastUserId = 'user';

/** Default passkey type for each operating system: the passkey of the system, or a security key if it has none. */
export const usualPasskey: Readonly<Record<OperatingSystem, PasskeyType>> = {
  windows: 'windows-bound',
  macos: 'keychain',
  ios: 'keychain',
  android: 'password-manager',
  linux: 'security-key',
  unknown: 'security-key',
};

/**
 * Plans the segments of a description. `method` is the target of the campaign; `null` if there is none. Throws
 * `forecast-too-large` if there are more attempt types than the tables allow.
 */
export function planSegments(description: ForecastDescription, method: TargetedMethod | null): readonly SegmentPlan[] {
  const { defaults, segments } = description;
  return segments.map((segment, index) => {
    const given = { ...defaults, ...dropUnset(segment) };
    const kinds = attemptKinds(given.platforms ?? [{}], given.signInContexts ?? [{}]);
    const name = segment.name ?? `segment ${index + 1}`;
    if (kinds.length > forecastAttemptKindsMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `${name} has ${kinds.length} kinds of attempts; the maximum is ${forecastAttemptKindsMax}.`,
      });
    }
    return {
      name,
      share: computeShare(segment, segments),
      users: startingUsers(given.users ?? [defaultUserKind]),
      kinds,
      signIn: given.signIn as SignInPattern,
      answers: getAnswers(given.answers as NonNullable<typeof given.answers>, method),
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
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Partial<T>;
}

function computeShare(one: { readonly share?: number | undefined }, all: readonly unknown[]): number {
  return one.share ?? (all.length === 1 ? 1 : 0);
}

function getAnswers(
  answers: PromptAnswers | Readonly<Record<TargetedMethod, PromptAnswers>>,
  method: TargetedMethod | null,
): PromptAnswers {
  return 'skippable' in answers ? answers : answers[method ?? 'vendorAuthenticator'];
}

function startingUsers(kinds: readonly UserKind[]): readonly StartingUser[] {
  return kinds.map((kind) => ({
    share: computeShare(kind, kinds),
    facts: {
      id: forecastUserId,
      type: kind.type,
      groups: kind.groups,
      methods: kind.methods,
      passkeys: kind.passkeys.map((passkey) => (typeof passkey === 'string' ? createPasskey(passkey) : passkey)),
      mfaCapable: kind.mfaCapable,
      snooze: { count: 0, snoozedAtMs: null },
      ...(kind.facts === undefined ? {} : { facts: kind.facts }),
    },
    snoozes: kind.snooze.count,
    snoozedDaysAgo: kind.snooze.daysAgo,
  }));
}

function createPasskey(type: PasskeyType): Passkey {
  return { type, deviceId: 'device-1' };
}

/**
 * Lists the attempt types. Platforms and sign-in contexts are independent, so each pair is a type whose share is
 * the product of both shares.
 */
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
        share: computeShare(platform, platforms) * computeShare(circumstance, signInContexts),
        patch: { ...dropUnset({ ...device, ...rest }), deviceId },
        passkey: { type: passkey ?? usualPasskey[os], deviceId },
      };
    });
  });
}
