import { dayMs } from '../../machines/campaign-limits.ts';
import { type OwnRules, rulesAt } from '../../machines/own/own-ruleset.ts';
import type { UserFacts } from '../../machines/vocabulary.ts';
import { toInstant } from '../core/clock.ts';
import { nextDayStartMs } from '../core/utc-calendar.ts';
import type { OwnSandboxState } from '../journal/own-campaign-events.ts';
import { assumedHabits, type ForecastInputDraft } from './forecast-input-draft.ts';
import { reservedAnswers } from './own-prompt-view.ts';

/** Maximum number of types of users; users of rarer types are left out. */
const typesMax = 256;

const daysDefault = 90;
const usersDefault = 10_000;

/**
 * Describes a sandbox with an own campaign for a forecast that starts on the day after its virtual clock: the settings and
 * facts of the tenant, and the types of users with their shares. Earlier answers are not part of such a description, so
 * every user begins without them. Sign-in frequency, devices and actions are assumed, and the notes say so.
 */
export function draftOwnForecastInput({ own, tenant, seed, users, lastAtMs }: OwnSandboxState): ForecastInputDraft {
  const startMs = nextDayStartMs(lastAtMs);
  const described = {
    name: 'This sandbox',
    ruleset: own.ruleset.id,
    start: toInstant(startMs).slice(0, 10),
    days: daysDefault,
    users: users.size === 0 ? usersDefault : users.size,
    seed: seed >>> 0,
    tenant: { facts: tenant.facts ?? {}, settings: tenant.settings ?? {} },
    defaults: {
      signIn: assumedHabits.signIn,
      devices: assumedHabits.platforms,
      answers: assumeAnswers(rulesAt(own.ruleset, startMs)),
    },
  };
  const notes = [
    'Sign-in frequency, devices and user behavior are assumed, because a sandbox does not define them.',
    'Every user begins without earlier answers and without an open prompt.',
  ];
  if (users.size === 0) {
    notes.push(`The sandbox has no users; ${usersDefault} users with sms are assumed.`);
    return { description: described, notes };
  }
  const counts = new Map<string, number>();
  for (const { facts } of users.values()) {
    const ageMs = startMs - (own.users.get(facts.id)?.createdAtMs ?? startMs);
    const kind = JSON.stringify(describeType(facts, Math.max(0, Math.round(ageMs / dayMs))));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, typesMax);
  const kept = frequent.reduce((sum, [, count]) => sum + count, 0);
  if (kept < users.size) {
    notes.push(
      `${users.size - kept} users with rare properties are omitted, because there are too many different users.`,
    );
  }
  const segments = frequent.map(([kind, count], index) => ({
    name: `users like number ${index + 1}`,
    share: count / kept,
    ...(JSON.parse(kind) as object),
  }));
  return { description: { ...described, allocation: 'proportional', segments }, notes };
}

function describeType(facts: UserFacts, createdDaysAgo: number): object {
  const { type, groups, methods, passkeys, mfaCapable } = facts;
  return {
    users: [
      {
        share: 1,
        type,
        groups: groups.toSorted(),
        methods: methods.toSorted(),
        passkeys: passkeys.map(({ type: kind, deviceId }) => ({ type: kind, deviceId })),
        mfaCapable,
        createdDaysAgo,
      },
    ],
    facts: facts.facts ?? {},
  };
}

/** Assumed shares of registering, and of all answers together. */
const registerShare = 0.2;
const answersShare = 0.6;

/** Returns the assumed actions: users who turn the prompt down choose each answer equally often. */
function assumeAnswers({ answers }: OwnRules): object {
  const listed = Object.entries(answers).filter(([id]) => !reservedAnswers.has(id));
  const spread = (ids: readonly string[], register: number, share: number): Readonly<Record<string, number>> => {
    const each = ids.length === 0 ? 0 : share / ids.length;
    return { register, ...Object.fromEntries(ids.map((id) => [id, each])), close: 1 - register - each * ids.length };
  };
  const offered = listed.filter(([, { whenRequired }]) => whenRequired === 'offered').map(([id]) => id);
  return {
    skippable: [
      spread(
        listed.map(([id]) => id),
        registerShare,
        answersShare,
      ),
    ],
    required: [spread(offered, 1 - registerShare, 0)],
    failure: assumedHabits.answers.failure,
    onFailure: assumedHabits.answers.onFailure,
  };
}
