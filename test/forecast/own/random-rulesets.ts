import type { OwnForecastInput } from '../../../src/contract/own-forecast.schema.ts';
import { type RandomSource, randomSource } from '../../../src/core/random.ts';

/** Draws of one seed: random numbers, and the times that the ruleset and the description share. */
interface Draws {
  readonly next: RandomSource;
  readonly startMs: number;
  readonly hours: readonly number[];
  readonly days: number;
}

/** Part of a ruleset that is drawn. Its result can have such parts again. */
type Part = (draws: Draws) => unknown;
type Parts = Readonly<Record<string, unknown>>;

const dayMs = 86_400_000;

function pick<T>(list: readonly T[], { next }: Pick<Draws, 'next'>): T {
  return list[Math.floor(next() * list.length)] as T;
}

function resolve(value: unknown, draws: Draws): unknown {
  if (typeof value === 'function') return resolve((value as Part)(draws), draws);
  if (Array.isArray(value)) return value.map((item) => resolve(item, draws));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, resolve(item, draws)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

const one =
  (...list: readonly unknown[]): Part =>
  (draws) =>
    pick(list, draws);
const maybe =
  (share: number, value: unknown): Part =>
  ({ next }) =>
    next() < share ? value : undefined;
const some = (share: number, parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).map(([key, value]) => [key, maybe(share, value)]));
const joined =
  (...parts: readonly unknown[]): Part =>
  (draws) =>
    Object.assign({}, ...parts.map((part) => resolve(part, draws)));

/** Instant at a time of day at which users sign in, or near it. */
const instant: Part = (draws) => {
  const minutes = pick(draws.hours, draws) * 60 + pick([0, 0, 5, 10, 15, 17, 30, 45], draws);
  const day = Math.floor(draws.next() * (draws.days + 2)) - 2;
  return new Date(draws.startMs + day * dayMs + minutes * 60_000).toISOString();
};
const zone = one('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata');
const boundary = one('inclusive', 'exclusive');
const waits = ['1m', '15m', '30m', '1h', '6h', '12h', '23h45m', '1d', '1d30s', '2d', '3d', '5d', '8d'];
const wait = one(...waits, ...waits, '1mo', { setting: 'window' }, { fact: 'user.facts.wait' });
const number = one(0, 1, 2, 3, 4, 5, { setting: 'count' }, { fact: 'user.facts.level' });

const moments = ['kept.firstShownAt', 'kept.lastShownAt', 'kept.answeredAt', 'kept.doneAt', 'kept.previousSignInAt'];
const missing = { missing: one(undefined, undefined, 'pass', 'fail') };
const compared = (fact: unknown): Part =>
  joined({ fact }, one(...['atLeast', 'atMost', 'above', 'below', 'is', 'isNot'].map((name) => ({ [name]: number }))));
const moment = (fact: unknown): Part =>
  joined(
    { fact },
    one(
      { present: one(true, false) },
      joined(one({ inFuture: one(true, false) }, { inPast: one(true, false) }), missing),
      ...['olderThan', 'atLeastOld', 'youngerThan', 'olderThan'].map((name) => joined({ [name]: wait }, missing)),
    ),
  );
const atom = one(
  compared('user.facts.level'),
  { fact: 'user.facts.level', above: { fact: one('kept.shown', 'kept.signIns') } },
  one({ fact: 'user.facts.on', has: one('a', 'b') }, { fact: 'user.facts.on', size: { atLeast: one(1, 2) } }),
  one({ fact: 'user.passkeys', size: { atLeast: one(1, 2, 3) } }, { fact: 'user.methods', has: 'authenticator-totp' }),
  moment('user.facts.endsAt'),
  moment('user.facts.changedAt'),
  compared('kept.signIns'),
  compared('kept.shown'),
  { fact: 'attempt.nowMs', since: one(instant, { fact: 'user.facts.endsAt' }, { fact: 'kept.answeredAt' }) },
  one({ fact: 'attempt.os', is: 'windows' }, { fact: 'attempt.facts.flag', is: true }),
  one({ fact: 'attempt.ecosystem', present: true }, moment('kept.createdAt')),
  ...moments.map(moment),
);
const condition = one(atom, atom, atom, { not: atom }, { all: [atom, atom] }, { any: [atom, atom] });

const cadence = joined(
  one(
    { kind: 'everySignIn' },
    { kind: 'once' },
    { kind: 'daily' },
    { kind: 'fixed', every: wait, measure: one(undefined, 'elapsed', 'calendar') },
    { kind: 'fixed', every: wait },
    { kind: 'growing', durations: one(['1h', '1d'], ['12h', '2d', '5d']) },
    { kind: 'signIns', signIns: one(2, 3, 4) },
  ),
  some(0.4, { anchor: one('answer', 'firstShown', 'lastShown'), boundary, zone }),
);
const plainAnswer = { effect: one('snooze', 'snooze', 'nothing', 'never', 'session') };
const answer = joined(
  one({ effect: 'snooze', ...some(0.3, { for: wait }) }, plainAnswer, { effect: ['session', 'snooze'] }),
  some(0.2, { counts: one(true, false), whenRequired: one('refused', 'offered') }),
);
const answers = joined(
  { skip: joined({ label: 'Later' }, answer), other: joined({ label: 'Other' }, answer) },
  some(0.5, { close: plainAnswer, expire: plainAnswer, next: plainAnswer }),
);
const eventFact = { fact: one('user.facts.endsAt', 'user.facts.changedAt') };
const end = one(
  { at: one(instant, instant, eventFact, { setting: 'lastDay' }) },
  { after: one('6h', '1d', '3d', '8d', '20d'), since: one('created', 'firstShown', 'firstShown', eventFact) },
);
const rules: Parts = {
  cadence,
  answers,
  deadline: joined(
    { ends: one([end], [end], [end, end]) },
    some(0.4, {
      choose: one('earliest', 'latest'),
      opens: one('1h', '1d', '3d', '5d'),
      before: one('skippable', 'required', 'none'),
      // biome-ignore lint/suspicious/noThenProperty: a key of the format.
      then: one('required', 'blocked', 'none'),
      boundary,
      measure: one('elapsed', 'date'),
      zone,
    }),
  ),
  limit: {
    of: one(1, 2, 3, { setting: 'count' }, { fact: 'user.facts.level' }),
    counts: one('snoozes', 'shown'),
    // biome-ignore lint/suspicious/noThenProperty: a key of the format.
    then: one('required', 'never', 'blocked'),
    after: one('wait', 'now'),
    when: maybe(0.25, condition),
  },
  requirement: { required: condition, blocked: maybe(0.2, condition) },
  lifetime: one('1m', '5m', '15m', '15m', '16m', '20m', '25m', '30m', '40m'),
  failure: { skip: one('signsIn', 'signsIn', 'refused'), stores: one('nothing', 'snooze') },
  completion: {
    set: some(0.5, {
      'user.facts.changedAt': one('now', 'now', 'now', { fact: one(...moments) }),
      'user.facts.level': one(7, 3, { setting: 'count' }),
    }),
    add: some(0.3, { 'user.facts.on': 'a' }),
  },
  done: condition,
  resets: [
    { on: one('registered', 'edition'), clears: one(['count', 'timer'], ['shown'], ['never', 'session'], ['timer']) },
  ],
  rollout: {
    percent: one(30, 60, 100),
    by: one('user', 'device', 'browser', 'signIn', 'tenant'),
    steps: maybe(0.3, [{ from: instant, percent: 80 }]),
    variants: maybe(0.3, [
      { id: 'x', share: 50, settings: { window: '1d' } },
      { id: 'y', share: 50, settings: { window: '6h', count: 1 } },
    ]),
  },
};
const none = { every: null, durations: null, signIns: null, measure: null };
const change = some(0.2, { ...rules, cadence: joined(none, cadence) });
const edition = { from: instant, source: ['a'], set: change };
const ecosystems = { apple: ['ios', 'macos'] };
const ruleset = joined(
  {
    ruleset: 'example',
    version: '1.0.0',
    format: 1,
    title: 'An example',
    methods: { method: { label: 'method', kind: one('passkey', 'passkey', 'form', 'totp') } },
    settings: {
      window: { type: 'duration', default: '2d' },
      count: { type: 'integer', min: 0, max: 9, default: 2 },
      lastDay: { type: 'instant', default: null },
    },
    facts: {
      user: {
        level: { type: 'integer', min: 0, max: 9, default: 0 },
        on: { type: 'set', values: ['a', 'b'], default: [] },
        wait: { type: 'duration', default: '1d' },
        endsAt: { type: 'instant', default: null },
        changedAt: { type: 'instant', default: null },
      },
      attempt: { flag: { type: 'boolean', default: false } },
    },
    gates: [
      {
        id: 'G1',
        summary: 'A gate.',
        when: one({ fact: 'user.type', is: 'member' }, condition),
        stop: 'stop',
        skipIf: maybe(0.1, condition),
      },
    ],
    reasons: { stop: 'A sentence.' },
    ledger: maybe(0.4, {
      keys: one([['browser']], [['device']], [['user', 'ecosystem'], ['device']], [['user'], ['browser']]),
      ecosystems,
    }),
    editions: one(undefined, undefined, [edition], [edition, edition]),
  },
  some(0.28, rules),
  { answers },
);

const shares =
  (...names: readonly string[]): Part =>
  (draws) => {
    const parts = names.map(() => pick([0, 1, 1, 2, 5], draws));
    const sum = parts.reduce((total, part) => total + part, 0);
    return Object.fromEntries(
      names.map((name, index) => [name, sum === 0 ? 1 / names.length : (parts[index] ?? 0) / sum]),
    );
  };
const atPrompts = shares('skip', 'other', 'close', 'letExpire', 'closeDuringSetup', 'register');
const halves = (values: Parts): Parts => Object.fromEntries(Object.keys(values).map((key) => [key, 0.5]));
const maybeInstant = one(null, null, (draws: Draws) => halves({ null: 0, [resolve(instant, draws) as string]: 0 }));
const daily = one(0.5, 0.8, 1);
const description: Parts = {
  ruleset: './a.ruleset.yaml',
  start: ({ startMs }: Draws) => new Date(startMs).toISOString().slice(0, 10),
  days: ({ days }: Draws) => days,
  tenant: { settings: some(0.3, { lastDay: instant, window: one(...waits) }) },
  defaults: {
    users: one(
      [{ createdDaysAgo: 20 }],
      [
        { share: 0.5, createdDaysAgo: 0 },
        { share: 0.5, createdDaysAgo: 3.01, passkeys: ['keychain'] },
      ],
    ),
    facts: {
      level: one(0, halves({ 1: 0, 4: 0 })),
      endsAt: maybeInstant,
      changedAt: maybeInstant,
      flag: one(false, halves({ true: 0, false: 0 })),
    },
    signIn: {
      weekdays: {
        monday: daily,
        tuesday: daily,
        wednesday: daily,
        thursday: daily,
        friday: daily,
        saturday: daily,
        sunday: daily,
      },
      perDay: one([1], [0.5, 0.5], [0.3, 0.4, 0.3], [0, 0, 1]),
      hours: ({ hours, next }: Draws) =>
        next() < 0.3 ? null : Object.fromEntries(hours.map((hour) => [hour, 1 / hours.length])),
    },
    devices: one(
      [{ os: 'windows' }],
      [
        { share: 0.6, os: 'windows' },
        { share: 0.4, os: 'ios', browser: 'safari' },
      ],
    ),
    signInContexts: one([{}], [{}], [{}], [{ share: 0.5 }, { share: 0.5, session: 'same' }]),
    answers: {
      skippable: one([atPrompts], [atPrompts, atPrompts]),
      required: [atPrompts],
      failure: one([0], [0.5], [0.3, 0.7]),
      onFailure: shares('retry', 'skip', 'close'),
    },
  },
};

/** Draws a ruleset, not always a valid one, and the description of its forecast. */
export function randomForecast(seed: number): { readonly ruleset: unknown; readonly description: OwnForecastInput } {
  const next = randomSource(seed);
  const startMs = Date.parse(pick(['2026-01-05', '2026-03-22', '2026-10-20'], { next }));
  const hours = pick([[9], [9, 10], [0, 9, 23], [8, 9, 22]], { next });
  const draws: Draws = { next, startMs, hours, days: 10 + Math.floor(next() * 21) };
  const { editions, ...rest } = resolve(ruleset, draws) as { readonly editions?: readonly { readonly from: string }[] };
  const inOrder = editions
    ?.map((one, index) => ({ ...one, id: `e${index}` }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return {
    ruleset: { ...rest, ...(inOrder && { editions: inOrder }) },
    description: resolve(description, draws) as OwnForecastInput,
  };
}
