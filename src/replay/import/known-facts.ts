import type { AttemptFacts, TenantFacts, UserFacts } from '../../../machines/vocabulary.ts';
import { completeAttempt } from '../../contract/attempt-facts.ts';
import { attemptPatchSchema, tenantFactsSchema, userFactsSchema } from '../../contract/facts.schema.ts';

/** File of an import with the facts of annotations. */
export const knownFactsFile = 'known.ndjson';

/** Annotation of a sign-in with all facts of its verdict, which takes precedence over every other column (DIR76). */
const annotationSchema = attemptPatchSchema.extend({ user: userFactsSchema, tenant: tenantFactsSchema });

/** User at the time of an attempt, without the id, and with the devices of passkeys relative to the attempt. */
export interface KnownUser extends Omit<UserFacts, 'id' | 'snooze'> {
  readonly count: number;
  readonly snoozedAtMs: number | null;
}

/** Facts of an attempt that an annotation contains and an attempt code does not. */
export interface KnownMoment {
  readonly user: KnownUser;
  /** Index of the tenant's facts. */
  readonly tenant: number;
  /** Facts of the attempt that a ruleset declares; absent if there are none. */
  readonly attempt?: NonNullable<AttemptFacts['facts']>;
}

/** Facts of one annotation. */
export interface AnnotatedAttempt {
  readonly attempt: AttemptFacts;
  /** Number of the moment, from 1. */
  readonly moment: number;
}

/** Device of an attempt, and any other device, as imported users have them. */
const [here, elsewhere] = ['device-1', 'device-2'];

/** Moments of the annotations that an import has read, each once. */
export class KnownFacts {
  readonly tenants: TenantFacts[] = [];
  readonly moments: KnownMoment[] = [];
  readonly #tenantNumbers = new Map<string, number>();
  readonly #momentNumbers = new Map<string, number>();

  /** Reads the text of an annotation. Returns `null` if it does not contain the facts. */
  read(text: string): AnnotatedAttempt | null {
    const parsed = annotationSchema.safeParse(parseJson(text));
    if (!parsed.success) return null;
    const { user, tenant, ...patch } = parsed.data;
    const attempt = completeAttempt(patch, user, 0);
    const { id: _ofTheRow, snooze, passkeys, ...facts } = user;
    const moment: KnownMoment = {
      user: {
        ...facts,
        passkeys: passkeys.map(({ type, deviceId }) => ({
          type,
          deviceId: deviceId === attempt.deviceId ? here : elsewhere,
        })),
        count: snooze.count,
        snoozedAtMs: snooze.snoozedAtMs,
      },
      tenant: this.#number(this.#tenantNumbers, this.tenants, tenant),
      ...(attempt.facts === undefined ? {} : { attempt: attempt.facts }),
    };
    return { attempt, moment: this.#number(this.#momentNumbers, this.moments, moment) + 1 };
  }

  /** Returns the number of a value, which is added if it is new. */
  #number<T>(numbers: Map<string, number>, values: T[], value: T): number {
    const key = JSON.stringify(value);
    let number = numbers.get(key);
    if (number === undefined) {
      number = values.push(value) - 1;
      numbers.set(key, number);
    }
    return number;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
