/** Steps of a first visit, in their order. */
export const stepIds = ['sign-in', 'prompt', 'clock', 'explain'] as const;
export type StepId = (typeof stepIds)[number];

/** What a browser remembers of the first steps. */
export interface FirstSteps {
  readonly isDismissed: boolean;
  readonly done: readonly StepId[];
  /** Number of journal entries of each sandbox when the steps were first shown. */
  readonly beginnings: Readonly<Record<string, number>>;
}

const beginning: FirstSteps = { isDismissed: false, done: [], beginnings: {} };

/** Reads a stored text. A text that another version or a person wrote counts as none. */
export function readFirstSteps(text: string | null): FirstSteps {
  if (text === null) return beginning;
  try {
    const { isDismissed, done, beginnings } = JSON.parse(text) as Partial<Record<keyof FirstSteps, unknown>>;
    return {
      isDismissed: isDismissed === true,
      done: Array.isArray(done) ? stepIds.filter((step) => done.includes(step)) : [],
      beginnings: isNumbers(beginnings) ? beginnings : {},
    };
  } catch {
    return beginning;
  }
}

function isNumbers(value: unknown): value is Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((entry) => typeof entry === 'number');
}

/** Returns the steps with one more done; the same object if it was done before. */
export function withStep(steps: FirstSteps, step: StepId): FirstSteps {
  return steps.done.includes(step) ? steps : { ...steps, done: [...steps.done, step] };
}
