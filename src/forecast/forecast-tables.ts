/**
 * Everything that the kernel reads, as plain typed arrays and numbers: what the machines, the rules and the description were
 * compiled to. It is sent to workers as it is and holds no function.
 */
export interface ForecastTables {
  /** Changes with every change of what follows: two workers with one digest give the same numbers. */
  readonly digest: string;
  readonly days: number;
  /** Day of the week before the first day; 0 is Monday. */
  readonly weekdayBefore: number;

  /** How the user that a number stands for is drawn: an entry of the starting columns below. */
  readonly startBits: number;
  readonly startThresholds: Uint32Array;
  readonly startOutcomes: Uint32Array;
  readonly startClass: Uint16Array;
  readonly startState: Uint8Array;
  /** The minute at which the latest snooze is over; the first day begins at 0. */
  readonly startDueMinute: Int32Array;

  /** For each class of users: its segment, and where its row of kinds of attempt begins. */
  readonly segmentOf: Uint16Array;
  readonly rowOf: Uint32Array;
  /** By row and kind: the number of the reason, 0 for none; the class after registering; 1 where the policy admits that. */
  readonly reasons: Uint8Array;
  readonly nextClass: Uint16Array;
  readonly admitted: Uint8Array;

  /**
   * For each segment, the bits of its columns and where they begin in `gaps`: seven tables, one a day of the week, of what comes
   * next. Each column is a threshold and a pair of outcomes, see `AliasTable`. An outcome is `kind << 5 | extra << 3 | days`, and
   * 0 where a whole week passes without a sign-in.
   */
  readonly gapBits: Uint8Array;
  readonly gapAt: Uint32Array;
  readonly gaps: Int32Array;
  /** For each segment the same of one table: the kind of the further attempts of a day. */
  readonly kindBits: Uint8Array;
  readonly kindAt: Uint32Array;
  readonly kindThresholds: Uint32Array;
  readonly kindOutcomes: Uint32Array;
  /** For each segment: 32 columns of hours, with thresholds of 15 bits; a 24 stands for 09:00 sharp. */
  readonly hourThresholds: Uint16Array;
  readonly hourOutcomes: Uint16Array;

  /** How often users are asked until their answers change no more. */
  readonly rounds: number;
  /** By segment, round, required and admitted: 16 columns of paths. */
  readonly answerThresholds: Uint32Array;
  readonly answerOutcomes: Uint32Array;

  /** By state at rest: 1 where the next prompt is required; and what the stocks of users count it as. */
  readonly requiredIn: Uint8Array;
  readonly stockOf: Uint8Array;
  /** By state, required and path, see `LifecycleTable`. */
  readonly paths: number;
  readonly nextState: Uint8Array;
  readonly snoozeStart: Uint8Array;
  /** By path: 1 where the user holds the method afterwards. */
  readonly registers: Uint8Array;

  readonly snoozeMinutes: number;
  /** The number of the snooze timer's reason. */
  readonly timerReason: number;
}

/** Minutes: the unit of time of the kernel. */
export const dayMinutes = 1_440;

/** What an hour outcome says where every attempt is at 09:00. */
export const fixedHour = 24;
export const fixedMinute = 540;

/** The last 15 minutes before midnight see no attempt, so that attempts of two days are a prompt's lifetime apart. */
export const spacingMinutes = 15;
export const lastMinute = dayMinutes - spacingMinutes - 1;

/** Columns of the tables of hours and of answers, as powers of two. */
export const hourBits = 5;
export const answerBits = 4;

/** What stands for a snooze that is long over. */
export const longOverMinute = -(2 ** 30);

/** Streams of the counter: which draw of a user a block belongs to. */
export const streams = { attempts: 0, moments: 1, start: 2 } as const;
