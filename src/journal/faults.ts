import type { Fault } from '../contract/fault.schema.ts';

/** Faults that meet a user: what they do is part of the folded state, and so is how often they met someone. */
export type UserFaultKind = 'registration-fails' | 'code-never-arrives' | 'push-denied' | 'push-never-arrives';

type UserFault = Extract<Fault, { kind: UserFaultKind }>;

/** What of a state the faults are. */
export interface FaultState {
  faults: readonly Fault[];
  /** How many occurrences each of them has had; those of the line are counted elsewhere. */
  occurrences: readonly number[];
}

/** Sets the faults of a sandbox; each begins to count again, which is why they are objects of their own. */
export function setFaults(state: FaultState, faults: readonly Fault[]): void {
  state.faults = faults.map((fault) => ({ ...fault }));
  state.occurrences = faults.map(() => 0);
}

/** Whether a fault applies on its next occasion. Takes the fault and the occurrences it has had. */
export function isDue({ after = 0, times }: Fault, occurrences: number): boolean {
  return occurrences >= after && (times === undefined || occurrences < after + times);
}

/** The first fault of the kinds that the next occasion of a user meets; `null` when all goes well. Changes nothing. */
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
 * An occasion of a user at which a fault of the kinds may apply: each such fault counts it, whether it applies or not.
 * Returns the fault that applies.
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
