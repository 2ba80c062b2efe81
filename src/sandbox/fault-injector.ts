import {
  type Fault,
  type FaultyEndpoint,
  faultsSchema,
  type LookupFault,
  type TokenFault,
} from '../contract/fault.schema.ts';
import { allTools } from '../contract/lookup.schema.ts';
import { parseOr } from '../contract/parse.ts';
import { fnv1a32, type RandomSource, randomSource } from '../core/random.ts';
import { dueFault, isDue } from '../journal/faults.ts';
import type { Recorder } from './recorder.ts';

/** A fault with the occurrences that it has had so far. */
export interface HeldFault {
  readonly fault: Fault;
  readonly occurrences: number;
}

/** What becomes of one request: how long it is held back, and what ends it in place of its answer. */
export interface LineFault {
  readonly delayMs: number;
  /** `null` where it is answered all the same. */
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

/** A fault that meets one call of the lookup API, with draws that repeat. */
export interface MetLookupFault {
  readonly fault: LookupFault;
  readonly draw: RandomSource;
}

type FaultOnLine = Extract<Fault, { kind: 'delay' | 'server-error' | 'too-many-requests' | 'connection-reset' }>;

/**
 * The faults of one sandbox. What meets a user is counted by the fold, so that a journal always tells the same story. What
 * meets a request or a token leaves no input in the journal, so it is counted here, and a restart counts again. Where several
 * processes answer for the sandbox, the counts go over from one to the next.
 */
export class FaultInjector {
  readonly #recorder: Recorder;
  readonly #occurrences = new WeakMap<Fault, number>();
  /** The faults on which the next two stand. */
  #known: readonly Fault[] = [];
  #onLine: readonly FaultOnLine[] = [];
  #ofTokens: readonly Extract<Fault, { kind: 'token' }>[] = [];
  #ofLookups: readonly LookupFault[] = [];

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    if (recorder.store.sharing !== undefined) this.#carry();
  }

  /** The faults that are set, spent ones among them, each with the occurrences that it has had. */
  list(): readonly HeldFault[] {
    const { faults, occurrences } = this.#recorder.state();
    return faults.map((fault, place) => ({
      fault,
      occurrences: this.#occurrences.get(fault) ?? occurrences[place] ?? 0,
    }));
  }

  /** Sets the faults, in place of those that were set; all count again. Throws `bad-request` naming every mistake. */
  async set(faults: unknown): Promise<readonly HeldFault[]> {
    const set = parseOr('bad-request', faultsSchema, faults, 'faults');
    return this.#recorder.recordAndSay({ type: 'faults.set', faults: set }, () => this.list());
  }

  /** Takes every fault away. */
  async clear(): Promise<void> {
    await this.#recorder.record({ type: 'faults.set', faults: [] });
  }

  /** Whether the next try of a user to register would fail (R11.8). */
  registrationFails(userId: string): boolean {
    return dueFault(this.#recorder.state(), ['registration-fails'], userId) !== null;
  }

  /** Whether the next code that is sent to a user would be lost. */
  codeNeverArrives(userId: string): boolean {
    return dueFault(this.#recorder.state(), ['code-never-arrives'], userId) !== null;
  }

  /** What would become of the next request to the app of a user; `null` when it comes and waits. */
  push(userId: string): 'denied' | 'lost' | null {
    const due = dueFault(this.#recorder.state(), ['push-denied', 'push-never-arrives'], userId);
    if (due === null) return null;
    return due.kind === 'push-denied' ? 'denied' : 'lost';
  }

  /** What is to be wrong with a token that a client is given now; `null` when nothing. Each call is one occasion. */
  token(clientId: string): TokenFault | null {
    this.#sort();
    const due = this.#ofTokens
      .filter(({ client }) => client === undefined || client === clientId)
      .filter((fault) => this.#meets(fault));
    return due[0]?.fault ?? null;
  }

  /** Whether requests can meet a fault at all. A sandbox that answers no more leaves its requests to anyone who says so. */
  get onLine(): boolean {
    if (!this.#recorder.answers) return false;
    this.#sort();
    return this.#onLine.length > 0;
  }

  /** What becomes of a request to an endpoint; `null` when nothing happens to it. Each call is one occasion. */
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
   * What becomes of a call of the lookup API. Takes its caller and the word that it gives for its tool. What is wrong with one
   * tool shows in `all` too; what ends a whole call of that tool does not end one of `all`. Each call is one occasion of every fault that concerns it.
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

  /** Counts an occasion of a fault; returns whether it applies. */
  #meets(fault: Fault): boolean {
    const had = this.#occurrences.get(fault) ?? 0;
    this.#occurrences.set(fault, had + 1);
    return isDue(fault, had);
  }

  #carry(): void {
    const counts = (): string =>
      JSON.stringify(this.#recorder.faults.map((fault) => this.#occurrences.get(fault) ?? 0));
    let told = '[]';
    this.#recorder.carried.add({
      name: 'fault-occasions',
      give: () => {
        const now = counts();
        if (now === told || !/[1-9]/.test(`${now}${told}`)) return new Map();
        told = now;
        return new Map([['counts', now]]);
      },
      take: (_key, value) => {
        if (value === null) return;
        told = value;
        for (const [place, had] of (JSON.parse(value) as number[]).entries()) {
          const fault = this.#recorder.faults[place];
          if (fault !== undefined) this.#occurrences.set(fault, had);
        }
      },
    });
  }

  /** Sorts the faults by whom they meet, once for each time they are set. */
  #sort(): void {
    const { faults } = this.#recorder;
    if (faults === this.#known) return;
    this.#known = faults;
    this.#onLine = faults.filter((fault) => 'endpoint' in fault);
    this.#ofTokens = faults.filter((fault) => fault.kind === 'token');
    this.#ofLookups = faults.filter((fault): fault is LookupFault => fault.kind.startsWith('lookup-'));
  }
}
