import { dayMs } from '../../machines/campaign-limits.ts';
import type { SigningAlgorithm } from '../contract/signing-algorithms.ts';
import { keyRotationsMax } from '../core/limits.ts';
import type { SandboxState } from '../journal/state.ts';

/** State of a key: published and not used yet, used for new tokens, or published for earlier tokens. */
export type KeyStatus = 'next' | 'active' | 'retired';

/** Published key of a sandbox, without its material. */
export interface KeySlot {
  readonly algorithm: SigningAlgorithm;
  /** Name that no other key of this algorithm has, also after a restore: its rotation, and its place after that. */
  readonly name: string;
  readonly status: KeyStatus;
  readonly activeFromMs: number;
  /** Time from which another key signs. `null` if it is not known yet. */
  readonly retiredAtMs: number | null;
}

/** State that determines the keys of a sandbox. */
type KeyState = Pick<SandboxState, 'createdAtMs' | 'settings' | 'clients' | 'keyRotations'>;

/** Rotation after which keys are replaced at equal intervals. */
interface Anchor {
  readonly seq: number;
  readonly atMs: number;
}

const hourMs = 3_600_000;
const aheadHoursDefault = 24;

/** Lifetime in seconds of ID tokens, and of access tokens unless a client has another one. */
const usualLifetimeSeconds = 3_600;

/** Maximum number of published retired keys of one algorithm. */
const retiredKeysMax = 20;

/**
 * Lists the published keys of one algorithm at a time, the active one first. They follow from the rotations in the
 * journal and the interval of the settings, so they are the same after a restart and after the clock was set back.
 *
 * @param longLived - times until which keys verify tokens that live longer than usual, by name of the key
 * @see CL51
 */
export function listKeySlots(
  state: KeyState,
  algorithm: SigningAlgorithm,
  nowMs: number,
  longLived: ReadonlyMap<string, number>,
): readonly KeySlot[] {
  const anchors = listAnchors(state, algorithm);
  const { last, place, intervalMs } = findPlace(state, anchors, nowMs);
  const { keyAheadHours = aheadHoursDefault } = state.settings.identity ?? {};
  const followsAtMs = intervalMs === null ? null : last.atMs + (place + 1) * intervalMs;
  const isAhead = followsAtMs !== null && keyAheadHours > 0 && followsAtMs - keyAheadHours * hourMs <= nowMs;
  const lifetimeMs = longestLifetimeMs(state);
  const isUsed = ({ name, retiredAtMs }: Period) =>
    Math.max(retiredAtMs + lifetimeMs, longLived.get(name) ?? 0) > nowMs;
  const retired = listEarlier(anchors, place, intervalMs).filter(isUsed).slice(0, retiredKeysMax);
  return [
    { algorithm, ...toPeriod(last, place, intervalMs), status: 'active', retiredAtMs: followsAtMs },
    ...(isAhead
      ? [{ algorithm, ...toPeriod(last, place + 1, intervalMs), status: 'next', retiredAtMs: null } as const]
      : []),
    ...retired.map((period) => ({ algorithm, ...period, status: 'retired' as const })),
  ];
}

/**
 * Returns the name of the key that signs new tokens, which is that of the active one of `listKeySlots`.
 *
 * @param state - state of the sandbox
 * @param algorithm - algorithm of the key
 * @param nowMs - current time of the sandbox
 * @returns the name of the key
 */
export function findActiveName(state: KeyState, algorithm: SigningAlgorithm, nowMs: number): string {
  const { last, place, intervalMs } = findPlace(state, listAnchors(state, algorithm), nowMs);
  return toPeriod(last, place, intervalMs).name;
}

/** Latest rotation at a time, and the number of intervals since then. */
interface Place {
  readonly last: Anchor;
  readonly place: number;
  readonly intervalMs: number | null;
}

function findPlace({ createdAtMs, settings }: KeyState, anchors: readonly Anchor[], nowMs: number): Place {
  const last = anchors.at(-1) ?? { seq: 0, atMs: createdAtMs };
  const { keyRotationDays } = settings.identity ?? {};
  const intervalMs = keyRotationDays === undefined ? null : keyRotationDays * dayMs;
  return { last, place: countIntervals(last, nowMs, intervalMs), intervalMs };
}

/** Time in which one key signed. */
interface Period {
  readonly name: string;
  readonly activeFromMs: number;
  readonly retiredAtMs: number;
}

/** Maximum number of earlier periods that are considered, which is more than a year of the shortest intervals. */
const periodsMax = 400;

/** Lists the periods before the current one, the latest first. */
function listEarlier(anchors: readonly Anchor[], place: number, intervalMs: number | null): readonly Period[] {
  const periods: Period[] = [];
  for (let index = anchors.length - 1; index >= 0; index -= 1) {
    const anchor = anchors[index] as Anchor;
    const next = anchors[index + 1];
    const from = next === undefined ? place - 1 : countIntervals(anchor, next.atMs, intervalMs);
    for (let at = from; at >= 0 && periods.length < periodsMax; at -= 1) {
      const isCutShort = next !== undefined && at === from;
      const retiredAtMs = isCutShort ? next.atMs : anchor.atMs + (at + 1) * (intervalMs ?? 0);
      periods.push({ ...toPeriod(anchor, at, intervalMs), retiredAtMs });
    }
  }
  return periods;
}

function toPeriod({ seq, atMs }: Anchor, at: number, intervalMs: number | null): Omit<Period, 'retiredAtMs'> {
  return { name: `${seq}.${at}`, activeFromMs: atMs + at * (intervalMs ?? 0) };
}

function listAnchors({ createdAtMs, keyRotations }: KeyState, algorithm: SigningAlgorithm): readonly Anchor[] {
  const rotated = keyRotations.filter(({ alg }) => alg === undefined || alg === algorithm);
  // Beyond the limit, earlier rotations are forgotten, so it is not known when the first key was replaced.
  return rotated.length < keyRotationsMax ? [{ seq: 0, atMs: createdAtMs }, ...rotated] : rotated;
}

function countIntervals({ atMs }: Anchor, untilMs: number, intervalMs: number | null): number {
  return intervalMs === null ? 0 : Math.max(0, Math.floor((untilMs - atMs) / intervalMs));
}

/** Returns the longest time that a token can be valid, except for those of the control API. */
function longestLifetimeMs({ clients }: KeyState): number {
  const lifetimes = clients.map(({ accessTokenLifetimeSeconds }) => accessTokenLifetimeSeconds);
  return Math.max(usualLifetimeSeconds, ...lifetimes) * 1000;
}
