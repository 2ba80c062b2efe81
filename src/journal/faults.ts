import type { Fault } from '../contract/fault.schema.ts';

/** Types of faults that affect a user; their effects and their occurrence counts are part of the rebuilt state. */
export type UserFaultKind = 'registration-fails' | 'code-never-arrives' | 'push-denied' | 'push-never-arrives';

type UserFault = Extract<Fault, { kind: UserFaultKind }>;

/** Faults of a state. */
export interface FaultState {
  faults: readonly Fault[];
  /** Number of occurrences of each user fault; connection faults are counted separately. */
  occurrences: readonly number[];
}

/** Sets the faults of a sandbox and resets their counts. Each fault is copied, because counts belong to the object. */
export function setFaults(state: FaultState, faults: readonly Fault[]): void {
  state.faults = faults.map((fault) => ({ ...fault }));
  state.occurrences = faults.map(() => 0);
}

/**
 * Checks whether a fault applies to its next occurrence.
 * @param occurrences - number of past occurrences
 */
export function isDue({ after = 0, times }: Fault, occurrences: number): boolean {
  return occurrences >= after && (times === undefined || occurrences < after + times);
}

/**
 * Finds the first fault of the given types that applies to a user's next occurrence; `null` if none does. The state is
 * not changed.
 */
export function dueFault(
  { faults, occurrences }: Readonly<FaultState>,
  kinds: readonly UserFaultKind[],
  userId: string,
): UserFault | null {
  if (faults.length === 0) return null;
  const due = faults.find(
    (fault, place): fault is UserFault => concerns(fault, kinds, userId) && isDue(fault, occurrences[place] ?? 0),
  );
  return due ?? null;
}

/**
 * Counts an occurrence for each fault of the given types that matches a user, whether it applies or not.
 * @returns the fault that applies; `null` if none does
 */
export function meetOccasion(state: FaultState, kinds: readonly UserFaultKind[], userId: string): UserFault | null {
  if (state.faults.length === 0) return null;
  const due = dueFault(state, kinds, userId);
  state.occurrences = state.faults.map((fault, place) => {
    const had = state.occurrences[place] ?? 0;
    return concerns(fault, kinds, userId) ? had + 1 : had;
  });
  return due;
}

function concerns(fault: Fault, kinds: readonly UserFaultKind[], userId: string): fault is UserFault {
  if (!isOfUser(fault) || !kinds.includes(fault.kind)) return false;
  return fault.user === undefined || fault.user === userId;
}

const userFaultKinds: readonly string[] = [
  'registration-fails',
  'code-never-arrives',
  'push-denied',
  'push-never-arrives',
] satisfies readonly UserFaultKind[];

function isOfUser(fault: Fault): fault is UserFault {
  return userFaultKinds.includes(fault.kind);
}
