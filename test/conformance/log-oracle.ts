/**
 * Brute-force simulation of the lifecycle on a clock of ticks of five minutes. It shares no code with the checker: its
 * rules are copied by hand from the specification, it knows no intervals, and it tries every tick of a rounded time.
 */

/** Ticks of the lifetime of a prompt (A40), of an hour and of a day (A6). */
const lifetimeTicks = 3;
export const hourTicks = 12;
export const dayTicks = 288;

export type OracleKind =
  | 'prompt-skippable'
  | 'prompt-required'
  | 'not-prompted'
  | 'signed-in'
  | 'next-selected'
  | 'skipped'
  | 'skip-rejected'
  | 'closed'
  | 'registered'
  | 'setup-failed'
  | 'error-skipped'
  | 'registered-elsewhere'
  | 'method-removed'
  | 'reset';

export const oracleKinds: readonly OracleKind[] = [
  'prompt-skippable',
  'prompt-required',
  'not-prompted',
  'signed-in',
  'next-selected',
  'skipped',
  'skip-rejected',
  'closed',
  'registered',
  'setup-failed',
  'error-skipped',
  'registered-elsewhere',
  'method-removed',
  'reset',
];

/** State of a user at exact ticks. */
export interface OracleState {
  readonly last: number;
  readonly count: number;
  readonly snoozedAt: number | null;
  readonly registered: boolean;
  readonly missing: number;
  readonly prompts: readonly {
    readonly page: 'offered' | 'setup' | 'error';
    readonly required: boolean;
    readonly shown: number;
    readonly left: number | null;
  }[];
}

export interface OraclePolicy {
  readonly days: number;
  readonly limited: boolean;
}

export const oracleStart: OracleState = {
  last: -100_000,
  count: 0,
  snoozedAt: null,
  registered: false,
  missing: 0,
  prompts: [],
};

function ended(
  state: OracleState,
  prompt: OracleState['prompts'][number],
  at: number,
  { limited }: OraclePolicy,
): OracleState {
  const prompts = state.prompts.filter((one) => one !== prompt);
  const counts = !prompt.required && prompt.page !== 'error' && (!limited || state.count < 3);
  if (!counts) return { ...state, prompts };
  return { ...state, prompts, count: state.count + 1, snoozedAt: Math.max(state.snoozedAt ?? at, at) };
}

function withExpiry(state: OracleState, tick: number, policy: OraclePolicy): OracleState {
  let now = state;
  for (const prompt of state.prompts) {
    if (prompt.shown + lifetimeTicks <= tick)
      now = ended(now, prompt, prompt.left ?? prompt.shown + lifetimeTicks, policy);
  }
  return now;
}

function withClosesSettled(state: OracleState, policy: OraclePolicy): OracleState {
  let now = state;
  const left = state.prompts.filter((prompt) => prompt.left !== null);
  for (const prompt of left.toSorted((a, b) => (a.left ?? 0) - (b.left ?? 0)))
    now = ended(now, prompt, prompt.left ?? 0, policy);
  return now;
}

function verdict(
  { registered, snoozedAt, count }: OracleState,
  tick: number,
  { days, limited }: OraclePolicy,
): 'none' | 'skippable' | 'required' {
  if (registered) return 'none';
  if (snoozedAt !== null && tick - snoozedAt < days * dayTicks) return 'none';
  return limited && count >= 3 ? 'required' : 'skippable';
}

/** Returns the states after an event at an exact tick; none if it is impossible. */
export function oracleStep(
  before: OracleState,
  kind: OracleKind,
  tick: number,
  policy: OraclePolicy,
): readonly OracleState[] {
  if (tick < before.last) return [];
  const state = { ...withExpiry(before, tick, policy), last: tick };
  const { limited } = policy;
  if (kind === 'registered-elsewhere') return [{ ...state, registered: true, prompts: [] }];
  if (kind === 'method-removed') return [{ ...state, registered: false }];
  if (kind === 'reset') return [{ ...state, count: 0, snoozedAt: null }];
  if (kind === 'signed-in') return [withClosesSettled(state, policy)];
  if (kind === 'not-prompted') {
    const settled = withClosesSettled(state, policy);
    return verdict(settled, tick, policy) === 'none' ? [settled] : [];
  }
  if (kind === 'prompt-skippable' || kind === 'prompt-required') {
    const settled = withClosesSettled(state, policy);
    const required = kind === 'prompt-required';
    if (verdict(settled, tick, policy) !== (required ? 'required' : 'skippable')) return [];
    const prompt = { page: 'offered', required, shown: tick, left: null } as const;
    return [{ ...settled, prompts: [...settled.prompts, prompt] }];
  }
  return state.prompts.flatMap((prompt, at): readonly OracleState[] => {
    const change = (changed: Partial<OracleState['prompts'][number]>): OracleState => ({
      ...state,
      prompts: state.prompts.map((one, index) => (index === at ? { ...one, ...changed } : one)),
    });
    const without = { ...state, prompts: state.prompts.filter((_one, index) => index !== at) };
    const maySkip = !limited || state.count < 3;
    switch (kind) {
      case 'closed':
        return [change({ left: tick })];
      case 'next-selected':
        return [change({ page: 'setup', left: null })];
      case 'skipped':
        return prompt.page !== 'error' && maySkip ? [{ ...without, count: state.count + 1, snoozedAt: tick }] : [];
      case 'skip-rejected':
        return prompt.page !== 'error' && !maySkip ? [change({ required: true, left: null })] : [];
      case 'registered':
        return prompt.page === 'setup' ? [{ ...state, registered: true, prompts: [] }] : [];
      case 'setup-failed':
        return prompt.page === 'setup' ? [change({ page: 'error', left: null })] : [];
      case 'error-skipped':
        return prompt.page === 'error' ? [without] : [];
      default:
        return [];
    }
  });
}

/** Event of a log: the first tick of the time that it states, and the number of ticks of its rounding. */
export interface OracleEvent {
  readonly kind: OracleKind;
  readonly tick: number;
}

export interface OracleSettings extends OraclePolicy {
  /** Number of ticks to which times are rounded; 1 for exact times. */
  readonly rounding: number;
  readonly hidden: readonly OracleKind[];
  readonly missing: number;
}

/** Maximum number of states at which a simulation gives up; the sizes of the tests stay below it. */
const statesMax = 400_000;

function distinct(states: readonly OracleState[]): readonly OracleState[] {
  const found = [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
  if (found.length > statesMax) throw new RangeError('The simulation is too large.');
  return found;
}

/** Returns the states that silent events lead to until a tick. Each round tries every tick. */
function withSilent(states: readonly OracleState[], until: number, settings: OracleSettings): readonly OracleState[] {
  let reached = states;
  let frontier = states;
  for (let round = 0; round < 4 && frontier.length > 0; round += 1) {
    const found = frontier.flatMap((state) => silentSteps(state, until, settings));
    const known = new Set(reached.map((state) => JSON.stringify(state)));
    frontier = distinct(found).filter((state) => !known.has(JSON.stringify(state)));
    reached = [...reached, ...frontier];
  }
  return reached;
}

function silentSteps(state: OracleState, until: number, settings: OracleSettings): readonly OracleState[] {
  const mayMiss = state.missing < settings.missing;
  const kinds = mayMiss ? oracleKinds.filter((kind) => kind !== 'not-prompted') : settings.hidden;
  const ticks = Array.from({ length: Math.max(0, until - state.last + 1) }, (_, at) => state.last + at);
  return kinds.flatMap((kind) => {
    const missing = state.missing + (settings.hidden.includes(kind) ? 0 : 1);
    return ticks.flatMap((tick) => oracleStep(state, kind, tick, settings).map((next) => ({ ...next, missing })));
  });
}

/**
 * Finds the first impossible event of a log.
 * @returns its index; -1 if the log fits
 */
export function firstImpossible(log: readonly OracleEvent[], settings: OracleSettings): number {
  // More than the longest snooze before the first event makes no difference.
  const window = settings.missing > 0 ? settings.days * dayTicks + hourTicks : 0;
  let states: readonly OracleState[] = [{ ...oracleStart, last: (log[0]?.tick ?? 0) - window }];
  for (const [index, { kind, tick }] of log.entries()) {
    const silent = settings.hidden.length > 0 || settings.missing > 0;
    const last = tick + settings.rounding - 1;
    const before = silent ? withSilent(states, last, settings) : states;
    const ticks = Array.from({ length: settings.rounding }, (_, at) => tick + at);
    states = distinct(before.flatMap((state) => ticks.flatMap((at) => oracleStep(state, kind, at, settings))));
    if (states.length === 0) return index;
  }
  return -1;
}
