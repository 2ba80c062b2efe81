/** Upper bounds of the duration buckets in seconds. */
export const durationBoundsSeconds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const msPerSecond = 1_000;
const methods: readonly string[] = ['OTHER', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Number of responses by route, method, and status. */
export interface AnswerCount {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly count: number;
}

/** Response durations of a route. */
export interface RouteDurations {
  readonly route: string;
  /** Number of responses per bucket. The last bucket has no upper bound. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

interface RouteTally {
  /** Number of responses by status and method, which are encoded in one number. */
  readonly answers: Map<number, number>;
  readonly classes: number[];
  sumSeconds: number;
}

/**
 * Counts responses by route, method, and status, and their durations by route. Its size is limited by the number of
 * routes.
 */
export class Tally {
  readonly #routes = new Map<string, RouteTally>();

  /** Records a response. `route` is the route pattern. */
  note(route: string, method: string, status: number, durationMs: number): void {
    const tally = this.#getTally(route);
    const key = status * methods.length + Math.max(0, methods.indexOf(method));
    tally.answers.set(key, (tally.answers.get(key) ?? 0) + 1);
    const seconds = durationMs / msPerSecond;
    const at = getClass(seconds);
    tally.classes[at] = (tally.classes[at] ?? 0) + 1;
    tally.sumSeconds += seconds;
  }

  /** Returns the counts of all responses. */
  answers(): readonly AnswerCount[] {
    return [...this.#routes].flatMap(([route, { answers }]) =>
      [...answers].map(([key, count]) => ({
        route,
        method: methods[key % methods.length] ?? '',
        status: Math.floor(key / methods.length),
        count,
      })),
    );
  }

  /** Returns the durations of all routes. */
  durations(): readonly RouteDurations[] {
    return [...this.#routes].map(([route, { classes, sumSeconds }]) => ({ route, counts: classes, sumSeconds }));
  }

  #getTally(route: string): RouteTally {
    const known = this.#routes.get(route);
    if (known !== undefined) return known;
    const classes = new Array<number>(durationBoundsSeconds.length + 1).fill(0);
    const tally = { answers: new Map<number, number>(), classes, sumSeconds: 0 };
    this.#routes.set(route, tally);
    return tally;
  }
}

function getClass(seconds: number): number {
  let at = 0;
  for (const bound of durationBoundsSeconds) {
    if (seconds <= bound) return at;
    at += 1;
  }
  return at;
}
