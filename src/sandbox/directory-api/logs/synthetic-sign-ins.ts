import type {
  AttemptFacts,
  Browser,
  MfaMethod,
  OperatingSystem,
  Surface,
  UserFacts,
} from '../../../../machines/vocabulary.ts';
import { completeAttempt } from '../../../contract/attempt-facts.ts';
import type { SyntheticSignInsDescription } from '../../../contract/synthetic-users.schema.ts';
import { numberedGuid, parseGuidNumber } from '../../../core/numbered-guid.ts';
import { threefry2x32 } from '../../../core/threefry.ts';
import type { SandboxState } from '../../../journal/state.ts';
import type { SyntheticUsers } from '../../../journal/synthetic-users.ts';
import type { LogRun } from './log-records.ts';
import { leads } from './row-leads.ts';
import type { LoggedSignIn, SignInEnd } from './sign-in-records.ts';

/** Device and program of a sign-in, with its share of all sign-ins as a percentage. */
interface Program {
  readonly share: number;
  readonly os: OperatingSystem;
  readonly browser: Browser | null;
  readonly surface: Surface;
}

const programs: readonly Program[] = [
  { share: 30, os: 'windows', browser: 'chrome', surface: 'browser' },
  { share: 20, os: 'windows', browser: 'edge', surface: 'browser' },
  { share: 4, os: 'windows', browser: 'firefox', surface: 'browser' },
  { share: 12, os: 'ios', browser: 'safari', surface: 'browser' },
  { share: 8, os: 'android', browser: 'chrome', surface: 'browser' },
  { share: 8, os: 'macos', browser: 'safari', surface: 'browser' },
  { share: 6, os: 'macos', browser: 'chrome', surface: 'browser' },
  { share: 2, os: 'linux', browser: 'firefox', surface: 'browser' },
  { share: 6, os: 'ios', browser: null, surface: 'native-app' },
  { share: 4, os: 'android', browser: null, surface: 'native-app' },
];

const dayMs = 86_400_000;
const wordValues = 2 ** 32;

/** Numbers of the random streams: times and users, programs and methods, and ids. */
const timeStream = 3;
const programStream = 4;
const idStream = 5;

/** What a sandbox had when it was created, on which its synthetic sign-ins are evaluated. */
export type CreatedState = Pick<SandboxState, 'users' | 'tenant' | 'ruleset' | 'model' | 'createdAtMs'>;

/**
 * Synthetic sign-ins of a sandbox, before its creation. The sign-in with a number is a function of the random seed and
 * the number, so none is stored, and their times do not decrease. The rules evaluate each on the facts of its user and
 * the policy at the creation of the sandbox. No sign-in changes a snooze record.
 */
export class SyntheticSignIns {
  readonly count: number;
  readonly #users: SyntheticUsers;
  readonly #created: Omit<CreatedState, 'users'>;
  readonly #fromMs: number;
  readonly #stepMs: number;
  readonly #words = new Int32Array(2);

  private constructor(created: CreatedState, users: SyntheticUsers, { count, days }: SyntheticSignInsDescription) {
    const { tenant, ruleset, model, createdAtMs } = created;
    this.#created = { tenant, ruleset, model, createdAtMs };
    this.#users = users;
    this.count = count;
    this.#fromMs = createdAtMs - days * dayMs;
    this.#stepMs = (days * dayMs) / count;
  }

  /** Returns the synthetic sign-ins of a new sandbox, or `null` if it has none. */
  static create(created: CreatedState): SyntheticSignIns | null {
    const { synthetic } = created.users;
    const description = synthetic?.description.signIns;
    return synthetic === null || description === undefined
      ? null
      : new SyntheticSignIns(created, synthetic, description);
  }

  /** The sign-ins as a run of a log, with the indexes before 0. */
  get run(): LogRun {
    const { count } = this;
    const leadsMs = [0, leads.secondFactor];
    return { from: -count, to: -1, fromMs: this.#timeAt(0), toMs: this.#timeAt(count - 1), leadsMs };
  }

  /** Returns the time of a sign-in in milliseconds. `index` is negative, as in the run. */
  getTime(index: number): number {
    return this.#timeAt(this.count + index);
  }

  #timeAt(number: number): number {
    const [jitter] = this.#draw(timeStream, number);
    return Math.floor(this.#fromMs + (number + jitter) * this.#stepMs);
  }

  /** Returns the id of a sign-in, or of one of its errors: a GUID that starts with the number of the sign-in. */
  #idAt(number: number, errorCode = 0): string {
    threefry2x32(this.#users.description.seed, idStream, number, errorCode, this.#words);
    return numberedGuid(number, this.#words);
  }

  /** Returns the index of the sign-in whose number an id starts with, or `null` if there is none. */
  findIndex(id: string): number | null {
    const number = parseGuidNumber(id);
    return number < this.count ? number - this.count : null;
  }

  /** Returns a sign-in. `index` is negative, as in the run. */
  read(index: number): LoggedSignIn {
    const number = this.count + index;
    const [, who] = this.#draw(timeStream, number);
    const [what, which] = this.#draw(programStream, number);
    const person = Math.floor(who * this.#users.count);
    const { facts, profile } = this.#users.recordAt(person);
    const { os, browser, surface } = pickProgram(what);
    const methods = listFactors(facts);
    const method = methods[Math.floor(which * methods.length)] ?? null;
    const deviceId = `${os}-${person + 1}`;
    const nowMs = this.#timeAt(number);
    const mfa = { completed: method !== null, method };
    const attempt = completeAttempt({ os, browser, surface, deviceId, mfa }, facts, nowMs);
    return {
      id: this.#idAt(number),
      getEarlierRowId: (errorCode) => this.#idAt(number, errorCode),
      seq: 1,
      attempt,
      origin: {},
      user: facts,
      userPrincipalName: profile.userPrincipalName,
      displayName: profile.displayName,
      tenant: this.#created.tenant,
      isCompliant: false,
      asksToStay: false,
      getEnd: () => this.#evaluate(attempt, facts),
    };
  }

  #evaluate(attempt: AttemptFacts, user: UserFacts): SignInEnd {
    const { tenant, ruleset, model } = this.#created;
    const { outcome } = model.evaluate({ tenant, user, attempt }, ruleset);
    return { outcome, isSignedIn: outcome === 'none' };
  }

  /** Returns two random numbers from 0 up to 1 for a sign-in. */
  #draw(stream: number, number: number): readonly [number, number] {
    const words = this.#words;
    threefry2x32(this.#users.description.seed, stream, number, 0, words);
    return [((words[0] ?? 0) >>> 0) / wordValues, ((words[1] ?? 0) >>> 0) / wordValues];
  }
}

/** Returns the program at a place from 0 up to 1 among the shares. */
function pickProgram(place: number): Program {
  let left = place * programs.reduce((sum, { share }) => sum + share, 0);
  for (const program of programs) {
    if (left < program.share) return program;
    left -= program.share;
  }
  return programs[0] as Program;
}

/** Lists the methods that a user can complete the second factor with. */
function listFactors({ methods, passkeys }: UserFacts): readonly MfaMethod[] {
  return passkeys.length === 0 ? methods : [...methods, 'passkey'];
}
