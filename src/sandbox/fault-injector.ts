import {
  type Fault,
  type FaultyEndpoint,
  faultsSchema,
  type KeyFault,
  type LookupFault,
  type TokenFault,
} from '../contract/fault.schema.ts';
import { allTools } from '../contract/lookup.schema.ts';
import { parseOr } from '../contract/parse.ts';
import { fnv1a32, type RandomSource, randomSource } from '../core/random.ts';
import { dueFault, isDue } from '../journal/faults.ts';
import type { Recorder } from './recorder.ts';

/** Configured fault with its number of occurrences so far. */
export interface StoredFault {
  readonly fault: Fault;
  readonly occurrences: number;
}

/** Effect of faults on one request: a delay, and an error in place of the response. */
export interface LineFault {
  readonly delayMs: number;
  /** Fault that ends the request, or `null` if the request gets its normal response. */
  readonly end: Extract<Fault, { kind: 'server-error' | 'too-many-requests' | 'connection-reset' }> | null;
}

const endings: readonly LookupFault['kind'][] = [
  'lookup-timeout',
  'lookup-connection-reset',
  'lookup-server-error',
  'lookup-too-many-requests',
];

function endsCall({ kind }: LookupFault): boolean {
  return endings.includes(kind);
}

/** Fault that applies to one call of the lookup API, with its repeatable random source. */
export interface MetLookupFault {
  readonly fault: LookupFault;
  readonly draw: RandomSource;
}

type FaultOnLine = Extract<Fault, { kind: 'delay' | 'server-error' | 'too-many-requests' | 'connection-reset' }>;

/**
 * Injects the faults of one sandbox. Occurrences that affect a user are counted from the journal, so replaying the
 * journal has the same result. Occurrences that affect a request or a token are not in the journal, so this class
 * counts them, and the counts start over after a restart. If several processes serve the sandbox, each passes the
 * counts on to the next.
 */
export class FaultInjector {
  readonly #recorder: Recorder;
  readonly #occurrences = new WeakMap<Fault, number>();
  /** Fault list that the following two lists are derived from. */
  #known: readonly Fault[] = [];
  #onLine: readonly FaultOnLine[] = [];
  #ofTokens: readonly Extract<Fault, { kind: 'token' }>[] = [];
  #ofKeys: readonly Extract<Fault, { kind: 'keys' }>[] = [];
  #ofLookups: readonly LookupFault[] = [];

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    if (recorder.store.sharing !== undefined) this.#carry();
  }

  /** Returns the configured faults with their numbers of occurrences, including faults that no longer apply. */
  list(): readonly StoredFault[] {
    const { faults, occurrences } = this.#recorder.state();
    return faults.map((fault, place) => ({
      fault,
      occurrences: this.#occurrences.get(fault) ?? occurrences[place] ?? 0,
    }));
  }

  /** Replaces the configured faults and restarts all counts. Throws `bad-request` with every problem. */
  async set(faults: unknown): Promise<readonly StoredFault[]> {
    const set = parseOr('bad-request', faultsSchema, faults, 'faults');
    return this.#recorder.recordAndSay({ type: 'faults.set', faults: set }, () => this.list());
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    await this.#recorder.record({ type: 'faults.set', faults: [] });
  }

  /** Returns true if the user's next registration attempt would fail (R11.8). */
  registrationFails(userId: string): boolean {
    return dueFault(this.#recorder.state(), ['registration-fails'], userId) !== null;
  }

  /** Returns true if the next code sent to a user would be lost. */
  codeNeverArrives(userId: string): boolean {
    return dueFault(this.#recorder.state(), ['code-never-arrives'], userId) !== null;
  }

  /**
   * Returns the fault of the next push notification to a user, or `null` if it would be delivered and stay pending.
   */
  push(userId: string): 'denied' | 'lost' | null {
    const due = dueFault(this.#recorder.state(), ['push-denied', 'push-never-arrives'], userId);
    if (due === null) return null;
    return due.kind === 'push-denied' ? 'denied' : 'lost';
  }

  /**
   * Returns the fault for a token issued to a client now, or `null` if there is none. Every call counts as one
   * occurrence.
   */
  token(clientId: string): TokenFault | null {
    this.#sort();
    const due = this.#ofTokens
      .filter(({ client }) => client === undefined || client === clientId)
      .filter((fault) => this.#meets(fault));
    return due[0]?.fault ?? null;
  }

  /** Returns the fault of a response with the published keys, or `null`. Every call counts as one occurrence. */
  keys(): KeyFault | null {
    this.#sort();
    return this.#ofKeys.filter((fault) => this.#meets(fault))[0]?.fault ?? null;
  }

  /**
   * Returns true if faults can affect requests. A sandbox that no longer responds reports false, so other code
   * handles its requests.
   */
  get onLine(): boolean {
    if (!this.#recorder.answers) return false;
    this.#sort();
    return this.#onLine.length > 0;
  }

  /**
   * Returns the fault for a request to an endpoint, or `null` if there is none. Every call counts as one occurrence.
   */
  ofEndpoint(endpoint: FaultyEndpoint): LineFault | null {
    if (!this.onLine) return null;
    const due = this.#onLine.filter((fault) => fault.endpoint === endpoint).filter((fault) => this.#meets(fault));
    if (due.length === 0) return null;
    return {
      delayMs: due.reduce((longestMs, fault) => Math.max(longestMs, fault.kind === 'delay' ? fault.delayMs : 0), 0),
      end: due.find((fault) => fault.kind !== 'delay') ?? null,
    };
  }

  /**
   * Returns the faults for a call of the lookup API. `tool` is the tool in the request. A result fault of one tool
   * also affects calls of `all`, but a fault that ends a call of one tool does not end a call of `all`. Every call
   * counts as one occurrence of every relevant fault.
   */
  ofLookup(caller: string, tool: string): readonly MetLookupFault[] {
    this.#sort();
    if (this.#ofLookups.length === 0) return [];
    const { seed } = this.#recorder.state();
    return this.#ofLookups
      .filter((fault) => fault.caller === undefined || fault.caller === caller)
      .filter((fault) => fault.tool === undefined || fault.tool === tool || (tool === allTools && !endsCall(fault)))
      .flatMap((fault) => {
        const draw = randomSource(
          fnv1a32(`${seed} ${this.#ofLookups.indexOf(fault)} ${this.#occurrences.get(fault) ?? 0}`),
        );
        return this.#meets(fault) && draw() < fault.probability ? [{ fault, draw }] : [];
      });
  }

  /** Counts an occurrence of a fault and returns true if the fault applies. */
  #meets(fault: Fault): boolean {
    const had = this.#occurrences.get(fault) ?? 0;
    this.#occurrences.set(fault, had + 1);
    return isDue(fault, had);
  }

  #carry(): void {
    const counts = (): string =>
      JSON.stringify(this.#recorder.faults.map((fault) => this.#occurrences.get(fault) ?? 0));
    let savedText = '[]';
    this.#recorder.carried.add({
      name: 'fault-occasions',
      give: () => {
        const now = counts();
        if (now === savedText || !/[1-9]/.test(`${now}${savedText}`)) return new Map();
        savedText = now;
        return new Map([['counts', now]]);
      },
      take: (_key, value) => {
        if (value === null) return;
        savedText = value;
        for (const [place, had] of (JSON.parse(value) as number[]).entries()) {
          const fault = this.#recorder.faults[place];
          if (fault !== undefined) this.#occurrences.set(fault, had);
        }
      },
    });
  }

  /** Groups the faults by their target, once after each change. */
  #sort(): void {
    const { faults } = this.#recorder;
    if (faults === this.#known) return;
    this.#known = faults;
    this.#onLine = faults.filter((fault) => 'endpoint' in fault);
    this.#ofTokens = faults.filter((fault) => fault.kind === 'token');
    this.#ofKeys = faults.filter((fault) => fault.kind === 'keys');
    this.#ofLookups = faults.filter((fault): fault is LookupFault => fault.kind.startsWith('lookup-'));
  }
}
