import { addDuration } from '../../../machines/own/calendar.ts';
import type { OwnRuleset, Reset } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser, registeredItems } from '../../../machines/own/own-state.ts';
import { toInstant } from '../../core/clock.ts';
import type { OwnSession } from '../../scenario/own/own-session.ts';
import { type Assignment, type JourneyStep, journeyUser, writeSignIn, writtenFacts } from './own-journey.ts';
import { allRules, type SpaceFactor } from './own-space.ts';
import type { AimedTimes } from './random-journey.ts';
import { isButton } from './written-ruleset.ts';

/** What an action of a tour depends on. */
export interface WalkPlace {
  readonly session: OwnSession;
  /** Milliseconds until the next time at which a stored instant changes a verdict; `null` if there is none. */
  readonly waitMs: number | null;
  /** The next fixed instant at which a verdict changes; `null` if there is none. */
  readonly dateMs: number | null;
}

/** Action of the user, of an administrator or of the clock in a tour. */
export interface WalkAction {
  readonly name: string;
  /** `plain` for what every tour has; `between` for what concerns several keys of the ledger; `fine` for all else. */
  readonly scope: 'plain' | 'fine' | 'between';
  /** Returns the step of a scenario, or `null` where the action is impossible or has no meaning. */
  readonly step: (place: WalkPlace) => JourneyStep | null;
}

/** Kind of sign-in of a tour: what its values are, besides the device and the session. */
export interface WalkSignIn {
  readonly name: string;
  readonly values: Assignment;
  readonly device: string | null;
  readonly session: 'same' | 'new';
}

/** Phase of the latest prompt while its page is open. */
function openPhase({ session }: WalkPlace): 'offered' | 'setup' | 'error' | null {
  const { state, prompt } = session.memory;
  const open = getOwnUser(state, journeyUser).prompts.find(({ id }) => id === prompt);
  return open === undefined || open.leftAtMs !== null ? null : open.phase;
}

/** Lists the kinds of sign-ins that the ledger of a ruleset distinguishes, each with the values of a base. */
export function listSignIns(
  ruleset: OwnRuleset,
  factors: readonly SpaceFactor[],
  base: Assignment,
): readonly WalkSignIn[] {
  const rules = allRules(ruleset);
  const parts = rules.flatMap(({ ledger }) => ledger.keys.flat());
  const devices = parts.includes('device') || parts.includes('browser') ? ['device-1', 'device-2'] : [null];
  const systems = parts.includes('ecosystem') ? ['attempt.os'] : [];
  const keyed = [...systems, ...parts.filter((part) => part.startsWith('attempt.facts.'))];
  let all: readonly (readonly [string, Assignment])[] = [['signs in', base]];
  for (const path of new Set(keyed)) {
    const { values = [] } = factors.find((factor) => factor.path === path) ?? {};
    all = all.flatMap(([name, before]) =>
      values.map((value) => [`${name} ${String(value)}`, new Map([...before, [path, value]])] as const),
    );
  }
  const inSessions = rules.some(({ answers }) =>
    Object.values(answers).some(({ effects }) => effects.includes('session')),
  );
  const sessions = inSessions ? (['new', 'same'] as const) : (['new'] as const);
  return all.flatMap(([name, values], index) =>
    // A second device is distinguished under one of the other parts of the keys.
    devices.slice(0, index === 0 ? devices.length : 1).flatMap((device) =>
      sessions.map((session) => ({
        name: `${name}${device === null ? '' : ` on ${device}`}${session === 'same' ? ' again' : ''}`,
        values,
        device,
        session,
      })),
    ),
  );
}

/** Lists the actions of tours: sign-ins, what users do at prompts, and what resets the ledger. */
export function listActions(
  ruleset: OwnRuleset,
  signIns: readonly WalkSignIn[],
  factors: readonly SpaceFactor[],
): readonly WalkAction[] {
  const rules = allRules(ruleset);
  const answers = [...new Set(rules.flatMap((one) => Object.keys(one.answers)))].filter(isButton);
  const nextStores = rules.some((one) => one.answers['next']?.effects.includes('nothing') === false);
  const atPrompt = (phases: readonly string[], step: JourneyStep) => (place: WalkPlace) =>
    phases.includes(openPhase(place) ?? '') ? step : null;
  const open = ['offered', 'setup', 'error'];
  return [
    ...signIns.map(
      (one): WalkAction => ({
        name: one.name,
        scope: one.values === signIns[0]?.values && one.device === signIns[0].device ? 'plain' : 'between',
        step: (place) => (openPhase(place) === null ? writeSignIn(ruleset, one.values, one) : null),
      }),
    ),
    ...answers.map(
      (id): WalkAction => ({
        name: `answers ${id}`,
        scope: 'plain',
        step: atPrompt(['offered', 'setup'], { skip: { answer: id } }),
      }),
    ),
    ...(nextStores
      ? [{ name: 'selects next', scope: 'fine' as const, step: atPrompt(['offered'], { next: {} }) }]
      : []),
    { name: 'registers', scope: 'plain', step: atPrompt(open, { register: {} }) },
    { name: 'fails to register', scope: 'fine', step: atPrompt(['offered', 'setup'], { failRegistration: {} }) },
    { name: 'skips the error screen', scope: 'fine', step: atPrompt(['error'], { skipError: {} }) },
    { name: 'closes the browser', scope: 'fine', step: atPrompt(open, { closeBrowser: {} }) },
    ...listResets(ruleset, factors),
  ];
}

function listResets(ruleset: OwnRuleset, factors: readonly SpaceFactor[]): readonly WalkAction[] {
  const events = allRules(ruleset).flatMap(({ resets }) => resets.map(({ on }) => on));
  const isOpen = (place: WalkPlace): boolean => openPhase(place) !== null;
  const kinds = new Set(
    allRules(ruleset).flatMap(({ ask, methods }): string[] => {
      const kind = methods[ask]?.kind ?? 'form';
      if (kind === 'passkey') return ['fido2'];
      const item = registeredItems[kind];
      return 'method' in item ? [item.method] : [];
    }),
  );
  return [
    ...[...kinds].map(
      (method): WalkAction => ({
        name: `${method} is removed`,
        scope: 'plain',
        step: (place) => {
          const { methods, passkeys } = getOwnUser(place.session.memory.state, journeyUser).user;
          const has = method === 'fido2' ? passkeys.length > 0 : methods.some((one) => one === method);
          return has && !isOpen(place) ? { removeMethod: { user: journeyUser, method } } : null;
        },
      }),
    ),
    {
      name: 'the ledger is reset',
      scope: 'fine',
      step: (place) => {
        const { lastAttempt } = getOwnUser(place.session.memory.state, journeyUser);
        return lastAttempt !== null && !isOpen(place) ? { resetLedger: { user: journeyUser } } : null;
      },
    },
    ...(events.includes('browserCleared') || usesBrowsers(ruleset) ? [clearing(isOpen)] : []),
    ...listChanges(ruleset, events, factors),
  ];
}

function usesBrowsers(ruleset: OwnRuleset): boolean {
  return allRules(ruleset).some(({ ledger }) => ledger.keys.flat().includes('browser'));
}

/** Browser data is cleared once, because every time the browser has another id. */
function clearing(isOpen: (place: WalkPlace) => boolean): WalkAction {
  return {
    name: 'the browser is cleared',
    scope: 'plain',
    step: (place) => {
      const { state, cleared } = place.session.memory;
      const hasSignedIn = getOwnUser(state, journeyUser).lastAttempt !== null;
      return hasSignedIn && cleared.size === 0 && !isOpen(place) ? { clearBrowser: { user: journeyUser } } : null;
    },
  };
}

/** Lists the changes of settings and facts that a reset waits for. */
function listChanges(
  ruleset: OwnRuleset,
  events: readonly Reset['on'][],
  factors: readonly SpaceFactor[],
): readonly WalkAction[] {
  const paths = events.flatMap((on) => {
    if (typeof on === 'string') return [];
    return 'settingChanged' in on ? [`tenant.settings.${on.settingChanged}`] : [on.newVersion];
  });
  return [...new Set(paths)].flatMap((path) => {
    const values = factors.find((factor) => factor.path === path)?.values ?? [];
    return values.slice(0, 2).map((value): WalkAction => {
      const owner = path.startsWith('user.') ? 'user' : 'tenant';
      const { facts, settings } = writtenFacts(ruleset, new Map([[path, value]]), owner);
      const step =
        owner === 'user'
          ? { setUser: { user: journeyUser, facts } }
          : { setTenant: path.includes('.settings.') ? { settings } : { facts } };
      return { name: `${path} becomes ${String(value)}`, scope: 'plain', step: () => step };
    });
  });
}

/** Actions of the clock in tours: to each time at which a verdict changes, and to one millisecond before it. */
export const clockActions: readonly WalkAction[] = [
  {
    name: 'waits until just before a change',
    scope: 'fine',
    step: ({ waitMs }) => (waitMs === null || waitMs < 2 ? null : { advance: { ms: waitMs - 1 } }),
  },
  {
    name: 'waits until a change',
    scope: 'plain',
    step: ({ waitMs }) => (waitMs === null ? null : { advance: { ms: waitMs } }),
  },
  {
    name: 'waits until just before a date',
    scope: 'fine',
    step: ({ session, dateMs }) =>
      dateMs === null || dateMs - session.nowMs < 2 ? null : { setClock: toInstant(dateMs - 1) },
  },
  {
    name: 'waits until a date',
    scope: 'fine',
    step: ({ dateMs }) => (dateMs === null ? null : { setClock: toInstant(dateMs) }),
  },
];

/** Lists the actions of the clock in a search without tables: the durations and instants that a ruleset names. */
export function listTimedActions({ durations, instants, months }: AimedTimes): readonly WalkAction[] {
  const by = (name: string, ms: (nowMs: number) => number): readonly WalkAction[] =>
    [-1, 0].map((shift) => ({
      name: `${name}${shift === 0 ? '' : ', less 1 ms'}`,
      scope: 'fine',
      step: ({ session }) => {
        const wait = ms(session.nowMs) + shift;
        return wait > 0 ? { advance: { ms: wait } } : null;
      },
    }));
  return [
    ...durations.flatMap((ms) => by(`waits ${ms} ms`, () => ms)),
    ...months.flatMap((count) =>
      by(
        `waits ${count} months`,
        (nowMs) => addDuration(nowMs, { ms: 0, months: count }, { measure: 'calendar', zone: 'UTC' }) - nowMs,
      ),
    ),
    ...instants.flatMap((atMs) => by(`waits until ${toInstant(atMs)}`, (nowMs) => atMs - nowMs)),
  ];
}
