import { dayMs } from '../../machines/campaign-limits.ts';
import { allUsersId, comparableId } from '../../machines/membership.ts';
import { snoozeElapsedMs } from '../../machines/snooze.ts';
import type { TenantFacts } from '../../machines/vocabulary.ts';
import { afterPendingInput, stopwatch, toInstant } from '../core/clock.ts';
import { forecastUserTypesMax } from '../core/limits.ts';
import { nextDayStartMs } from '../core/utc-calendar.ts';
import type { SandboxState, UserRecord } from '../journal/state.ts';
import { snoozeAfterLeaves } from './explain.ts';

/** Description for a forecast, with notes about the parts that are assumed. */
export interface ForecastInputDraft {
  readonly description: Readonly<Record<string, unknown>>;
  readonly notes: string[];
}

/** Maximum number of users whose facts the description contains exactly. */
const exactUsersMax = forecastUserTypesMax;

/** Maximum size of the exact user types as JSON, in characters, so that a client can send the description back. */
const exactCharactersMax = 900_000;

/** Maximum number of user types with different facts in a description that is not exact. */
const kindsMax = 900;

/** Maximum time for counting users before yielding to other work, in milliseconds of real time. */
const sliceMs = 5;

/** Number of users between two checks of the elapsed time. */
const usersAtOnce = 256;

const daysDefault = 90;
const usersDefault = 10_000;

/** Assumed values for data that a sandbox does not contain, based on an office. */
export const assumedHabits = {
  signIn: {
    weekdays: { monday: 0.6, tuesday: 0.55, wednesday: 0.55, thursday: 0.5, friday: 0.4, saturday: 0.05, sunday: 0.02 },
  },
  platforms: [
    { share: 0.7, os: 'windows', browser: 'edge' },
    { share: 0.2, os: 'macos', browser: 'safari' },
    { share: 0.1, os: 'ios', browser: 'safari' },
  ],
  answers: {
    skippable: [{ register: 0.2, skip: 0.6, close: 0.2, letExpire: 0, closeDuringSetup: 0 }],
    required: [{ register: 0.8, close: 0.2, letExpire: 0, closeDuringSetup: 0 }],
    failure: [0.05],
    onFailure: { retry: 0.5, skip: 0.5, close: 0 },
  },
} as const;

/** Precision levels for grouping users. A later level distinguishes fewer users than an earlier one. */
const grains = ['exact', 'days'] as const;
type Grain = (typeof grains)[number];

/**
 * Describes a sandbox for a forecast that starts on the day after its virtual clock: the policy, and the types of
 * users with their shares. With up to 10,000 users, the forecast simulates exactly these users; with more, users are
 * drawn by type. Counting the users yields to other work in between. Sign-in frequency, platforms and actions are
 * assumed, and the notes say so.
 */
export async function draftForecastInput(state: SandboxState): Promise<ForecastInputDraft> {
  const { tenant, ruleset, seed, users, lastAtMs } = state;
  const startMs = nextDayStartMs(lastAtMs);
  const targeted = targetedUsers(tenant);
  const described = {
    name: 'This sandbox',
    ruleset: ruleset.id,
    start: toInstant(startMs).slice(0, 10),
    days: daysDefault,
    users: users.size === 0 ? usersDefault : users.size,
    seed: seed >>> 0,
    tenant: groupsForUsers(tenant, targeted),
  };
  const notes = [
    'Sign-in frequency, sign-in context and user behavior are assumed, because a sandbox does not define them.',
  ];
  if (users.size === 0) {
    notes.push(`The sandbox has no users; ${usersDefault} users with sms are assumed.`);
    return { description: { ...described, defaults: assumedHabits }, notes };
  }
  const kinds = await groupUsers(state, { state, startMs, targeted });
  const allocation = users.size <= exactUsersMax ? 'proportional' : 'random';
  notes.unshift(describeUsers(users.size, kinds));
  if (kinds.grain === 'days')
    notes.push('Snooze times are rounded to whole days, because there are too many different users.');
  if (kinds.omitted > 0)
    notes.push(`${kinds.omitted} users with rare properties are omitted, because there are too many different users.`);
  return { description: { ...described, allocation, defaults: { ...assumedHabits, users: kinds.users } }, notes };
}

/** Says whether a forecast simulates the users of the sandbox themselves. */
function describeUsers(users: number, { grain, omitted }: GroupedUsers): string {
  if (users > exactUsersMax)
    return `Users are drawn at random by type, because the sandbox has more than ${exactUsersMax} users.`;
  if (grain === 'days' || omitted > 0) return 'The number of users of each type is as in the sandbox.';
  return 'Exact users: each user of the sandbox is simulated with its own methods, groups, passkeys and snoozes.';
}

/** Types of users with their shares. */
interface GroupedUsers {
  readonly users: readonly unknown[];
  readonly grain: Grain;
  readonly omitted: number;
}

interface Counting {
  /** Current state, whose model determines which prompts expire before the forecast starts. */
  readonly state: SandboxState;
  readonly startMs: number;
  readonly targeted: ReadonlySet<string>;
}

async function groupUsers({ users }: SandboxState, counting: Counting): Promise<GroupedUsers> {
  for (const grain of grains) {
    const counts = await countKinds(users.values(), grain, counting);
    const isExact = users.size <= exactUsersMax && countCharacters(counts.keys()) <= exactCharactersMax;
    if (isExact && grain === 'exact') {
      const kinds = [...counts].map(([kind, count]) => ({
        share: count / users.size,
        ...(JSON.parse(kind) as object),
      }));
      return { users: kinds, grain, omitted: 0 };
    }
    if (counts.size > kindsMax && grain !== grains.at(-1)) continue;
    const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, kindsMax);
    const kept = frequent.reduce((sum, [, count]) => sum + count, 0);
    return {
      users: frequent.map(([kind, count]) => ({ share: count / kept, ...(JSON.parse(kind) as object) })),
      grain,
      omitted: users.size - kept,
    };
  }
  throw new RangeError('No granularity is defined for counting users.');
}

/** Maximum number of characters of a share with its key in JSON. */
const shareCharacters = 32;

function countCharacters(kinds: Iterable<string>): number {
  let characters = 0;
  for (const kind of kinds) characters += kind.length + shareCharacters;
  return characters;
}

async function countKinds(
  users: Iterable<UserRecord>,
  grain: Grain,
  counting: Counting,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const elapsed = stopwatch();
  let turnMs = 0;
  let counted = 0;
  for (const user of users) {
    const kind = JSON.stringify(toKind(user, grain, counting));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    counted += 1;
    if (counted % usersAtOnce !== 0 || elapsed() - turnMs < sliceMs) continue;
    await new Promise<void>((resolve) => {
      afterPendingInput(resolve);
    });
    turnMs = elapsed();
  }
  return counts;
}

function toKind(user: UserRecord, grain: Grain, { state, startMs, targeted }: Counting): object {
  const { id, type, groups, methods, passkeys, mfaCapable } = user.facts;
  // A forecast starts with a sign-in. Prompts that are open now will have expired or been closed by then.
  const nudgeStatus = snoozeAfterLeaves(state, user, startMs);
  const elapsedMs = snoozeElapsedMs(nudgeStatus, startMs);
  const agoDays = elapsedMs === null ? null : elapsedMs / dayMs;
  const { count } = nudgeStatus;
  const own = targeted.has(comparableId(id)) ? [getGroup(id)] : [];
  return dropDefaults({
    type,
    groups: [...groups, ...own].toSorted(),
    methods: methods.toSorted(),
    passkeys: passkeys.map(({ type: kind, deviceId }) => ({ type: kind, deviceId })),
    mfaCapable,
    snooze: { count, daysAgo: agoDays === null ? null : grain === 'exact' ? agoDays : Math.round(agoDays) },
  });
}

/** Defaults of a user type in a forecast input. */
const kindDefaults: Readonly<Record<string, unknown>> = {
  type: 'member',
  groups: [],
  methods: ['sms'],
  passkeys: [],
  mfaCapable: true,
  snooze: { count: 0, daysAgo: null },
};

/** Omits what is the default, so that thousands of user types fit into a request. */
function dropDefaults(kind: Readonly<Record<string, unknown>>): object {
  const isDefault = (key: string, value: unknown): boolean =>
    JSON.stringify(value) === JSON.stringify(kindDefaults[key]);
  return Object.fromEntries(Object.entries(kind).filter(([key, value]) => !isDefault(key, value)));
}

/**
 * Returns the id of a group for a single user. A forecast has no individual users, so each targeted user gets a
 * group.
 */
function getGroup(userId: string): string {
  return `user ${comparableId(userId)}`;
}

/** Returns the normalized ids of the users that are campaign targets. */
function targetedUsers({ campaign: { includeTargets, excludeTargets } }: TenantFacts): ReadonlySet<string> {
  const named = [...includeTargets, ...excludeTargets].filter(({ targetType }) => targetType === 'user');
  return new Set(named.map(({ id }) => comparableId(id)).filter((id) => id !== allUsersId));
}

function groupsForUsers(tenant: TenantFacts, targeted: ReadonlySet<string>): TenantFacts {
  if (targeted.size === 0) return tenant;
  const grouped = <T extends TenantFacts['campaign']['excludeTargets'][number]>(targets: readonly T[]): readonly T[] =>
    targets.map((target) =>
      target.targetType === 'user' && targeted.has(comparableId(target.id))
        ? { ...target, targetType: 'group', id: getGroup(target.id) }
        : target,
    );
  const { campaign } = tenant;
  return {
    ...tenant,
    campaign: {
      ...campaign,
      includeTargets: grouped(campaign.includeTargets),
      excludeTargets: grouped(campaign.excludeTargets),
    },
  };
}
