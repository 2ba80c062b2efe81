/**
 * Input of the kernel as typed arrays and numbers, compiled from the state machines, the rules and the description.
 * It contains no functions and is sent to workers unchanged.
 */
export interface ForecastTables {
  /** Digest of all other members. Two workers with the same digest produce the same numbers. */
  readonly digest: string;
  readonly days: number;
  /** Weekday before the first day, where 0 is Monday. */
  readonly weekdayBefore: number;

  /** Alias table that draws the starting entry of a user, followed by the columns of the entries. */
  readonly startBits: number;
  readonly startThresholds: Uint32Array;
  readonly startOutcomes: Uint32Array;
  /**
   * Number of users up to and including each starting entry, if users are allocated in proportion to the shares.
   * Without it, each user draws its entry.
   */
  readonly startEnds?: Uint32Array;
  readonly startClass: Uint16Array;
  readonly startState: Uint8Array;
  /** Minute at which the latest snooze period ends. The first day begins at 0. */
  readonly startDueMinute: Int32Array;

  /** Segment of each user class, and the start of its row of attempt types. */
  readonly segmentOf: Uint16Array;
  readonly rowOf: Uint32Array;
  /**
   * Values by row and attempt type: reason number, or 0 for none; class after registering; 1 if the policy allows the
   * registration.
   */
  readonly reasons: Uint8Array;
  readonly nextClass: Uint16Array;
  readonly admitted: Uint8Array;

  /**
   * Column bits and start in `gaps` for each segment. A segment has seven tables, one per weekday, for the next day
   * with a sign-in. Each column is a threshold and a pair of outcomes, as in `AliasTable`. An outcome is `kind << 5 |
   * extra << 3 | days`, or 0 if a whole week passes without a sign-in.
   */
  readonly gapBits: Uint8Array;
  readonly gapAt: Uint32Array;
  readonly gaps: Int32Array;
  /** Alias table of each segment for the types of the further attempts of a day. */
  readonly kindBits: Uint8Array;
  readonly kindAt: Uint32Array;
  readonly kindThresholds: Uint32Array;
  readonly kindOutcomes: Uint32Array;
  /** Hour table of each segment: 32 columns with 15-bit thresholds. The outcome 24 means exactly 09:00. */
  readonly hourThresholds: Uint16Array;
  readonly hourOutcomes: Uint16Array;

  /** Number of prompts per user after which the action probabilities no longer change. */
  readonly rounds: number;
  /** Tables by segment, prompt number, requirement and policy, with 16 columns of paths each. */
  readonly answerThresholds: Uint32Array;
  readonly answerOutcomes: Uint32Array;

  /** Values by lifecycle state: 1 if the next prompt is required, and the state that daily totals count. */
  readonly requiredIn: Uint8Array;
  readonly stockOf: Uint8Array;
  /** Number of paths. The tables after it are indexed by state, requirement and path. See `LifecycleTable`. */
  readonly paths: number;
  readonly nextState: Uint8Array;
  readonly snoozeStart: Uint8Array;
  /** Values by path: 1 if the user has the method registered afterwards. */
  readonly registers: Uint8Array;

  readonly snoozeMinutes: number;
  /** Number of the snooze timer's reason. */
  readonly timerReason: number;
}

/** Tables from which the sign-ins of users are drawn, and the reasons for which their prompts are suppressed. */
export type DrawTables = Pick<
  ForecastTables,
  | 'days'
  | 'weekdayBefore'
  | 'reasons'
  | 'gapBits'
  | 'gapAt'
  | 'gaps'
  | 'kindBits'
  | 'kindAt'
  | 'kindThresholds'
  | 'kindOutcomes'
  | 'hourThresholds'
  | 'hourOutcomes'
  | 'timerReason'
>;

/** Tables that draw the starting entry of a user. */
export type StartDraws = Pick<ForecastTables, 'startBits' | 'startThresholds' | 'startOutcomes' | 'startEnds'>;

/** Number of minutes per day. The kernel counts time in minutes. */
export const dayMinutes = 1_440;

/** Hour outcome that means every attempt is at 09:00. */
export const fixedHour = 24;
export const fixedMinute = 540;

/**
 * Period before midnight without attempts, in minutes. It keeps attempts of consecutive days at least one prompt
 * lifetime apart.
 */
export const spacingMinutes = 15;
export const lastMinute = dayMinutes - spacingMinutes - 1;

/** Base-2 logarithms of the number of columns in the tables of hours and of user actions. */
export const hourBits = 5;
export const answerBits = 4;

/** Due minute of a snooze period that ended long ago. */
export const longOverMinute = -(2 ** 30);

/** Random streams, which separate the draws of a user by purpose. */
export const streams = { attempts: 0, moments: 1, start: 2 } as const;
