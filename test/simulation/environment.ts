import { afterPendingInput } from '../../src/core/clock.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { Auditor, type Finding, type Said } from './auditor/auditor.ts';
import type { Canary } from './canaries.ts';
import type { Medium } from './medium.ts';
import {
  getNudgeStatus,
  listExpectedTypes,
  personAt,
  RefusedHalfWay,
  type Request,
  sandboxId,
  seen,
  serve,
} from './requests.ts';
import type { Act, Step } from './steps.ts';
import { campaignAtFirst, people, rightPart, wrongMark } from './tenant.ts';

/** Result of a simulation. */
export interface Outcome {
  readonly finding: Finding | null;
  /** Number of executed steps, up to the step with a finding. */
  readonly steps: number;
  readonly answers: number;
  readonly refusals: number;
  readonly processes: number;
  readonly entries: number;
}

/** Number of entries between two snapshots. It is small, so most restarts start from a snapshot. */
const foldEvery = 25;
const clockAtFirstMs = 1_767_603_600_000;
/** Maximum number of event loop turns for a request, if the disk syncs in each turn. */
const turnsMax = 10_000;

const refusalsOfScreens = ['unexpected-screen', 'prompt-expired', 'skip-not-allowed', 'sign-in-not-found'];

/** Other error codes that are allowed, by action. */
const otherRefusals: Readonly<Partial<Record<Act, readonly string[]>>> = {
  start: ['too-many-prompts'],
  patchPolicy: ['bad-request'],
  patchWrongly: ['bad-request'],
  restore: ['snapshot-not-found'],
};

/** Actions that fit each page of a prompt. */
const fitting: Readonly<Record<string, readonly Act[]>> = {
  prompt: ['skip', 'skip', 'skip', 'next', 'leave', 'register', 'fail'],
  required: ['register', 'next', 'skip', 'leave', 'fail'],
  setup: ['register', 'fail', 'fail', 'leave', 'skip'],
  errorScreen: ['skipError', 'skipError', 'next', 'leave', 'register'],
  expired: ['skip'],
  resolved: ['skip', 'next', 'skipError'],
};

function isAboutAnybody(act: Act): boolean {
  return ['start', 'readNudgeStatus', 'settlePendingCloses', 'setSnooze', 'removeMethod'].includes(act);
}

/**
 * Simulated process with its sandboxes, storage medium, network and clients. Everything happens in the order of the
 * steps, so the same steps always have the same results.
 */
export class Environment {
  readonly #auditor = new Auditor();
  readonly #canary: Canary;
  readonly #machine: { nowMs: number };
  #medium: Medium;
  #sandboxes: Sandboxes | null = null;
  /** Number of the current process. Results of earlier processes are ignored. */
  #life = 0;
  #isBroken = false;
  #isClosing = false;
  /** In-flight requests. */
  readonly #network: Request[] = [];
  /** Sign-ins that clients know, latest last. */
  readonly #known: { readonly id: string; readonly userId: string; screen: string }[] = [];
  /** Readings of the machine clock during each request. */
  readonly #clocks = new Set<number[]>();
  #answers = 0;
  #refusals = 0;
  #entries = 0;

  /** Creates an environment from the medium, the machine clock, which the steps move, and the deliberate fault. */
  constructor(medium: Medium, machine: { nowMs: number }, canary: Canary = { about: '' }) {
    this.#medium = medium;
    this.#machine = machine;
    this.#canary = canary;
  }

  /** Executes steps until all are done or there is a finding. */
  async play(steps: readonly Step[]): Promise<Outcome> {
    await this.#begin();
    let taken = 0;
    for (const step of steps) {
      if (this.#auditor.finding !== null) break;
      taken += 1;
      await this.#take(step);
    }
    if (this.#auditor.finding === null) await this.#restart(!this.#isBroken);
    await this.#medium.powerCut({ kept: 0, torn: false });
    const { finding } = this.#auditor;
    const counts = { answers: this.#answers, refusals: this.#refusals, processes: this.#life, entries: this.#entries };
    return { finding, steps: taken, ...counts };
  }

  async #begin(): Promise<void> {
    const sandboxes = await this.#open();
    const plan = planSandbox({
      tenant: { campaign: campaignAtFirst },
      users: people,
      clock: { nowMs: clockAtFirstMs, running: false },
    });
    await this.#synced(sandboxes.create(sandboxId, plan));
    this.#listen(sandboxes);
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'ask':
        return this.#arrive(this.#createRequest(step.act, step.pick, step.value));
      case 'send':
        this.#network.push(this.#createRequest(step.act, step.pick, step.value));
        return;
      case 'arrive':
      case 'repeat':
      case 'lose':
        return this.#deliver(step.do, step.pick);
      case 'sync':
        this.#medium.sync();
        return turn();
      case 'fail':
      case 'fill':
        this.#isBroken = true;
        this.#medium.breakDown(step.do === 'fail' ? 'it is broken' : 'it is full');
        return;
      case 'machineClock':
        this.#machine.nowMs += step.ms;
        for (const seenMs of this.#clocks) seenMs.push(this.#machine.nowMs);
        return;
      case 'stop':
        return this.#restart(!this.#isBroken);
      case 'crash': {
        this.#life += 1;
        this.#medium = await this.#medium.powerCut(step);
        return this.#reopen(true);
      }
    }
  }

  /** Creates a request for one of the latest known sign-ins. It usually fits the page that the client has seen. */
  #createRequest(act: Act, pick: number, value: number): Request {
    const latest = this.#known.at(-1 - (pick % Math.min(6, Math.max(1, this.#known.length))));
    const userId = isAboutAnybody(act) || latest === undefined ? personAt(pick) : latest.userId;
    const fits = latest === undefined ? undefined : fitting[latest.screen];
    const chosen = act === 'goOn' ? (fits?.[value % fits.length] ?? act) : act;
    return { act: chosen, value, userId, signInId: latest?.id ?? 's0' };
  }

  async #deliver(how: 'arrive' | 'repeat' | 'lose', pick: number): Promise<void> {
    const index = pick % Math.max(1, this.#network.length);
    const request = this.#network[index];
    if (request === undefined) return turn();
    if (how !== 'repeat') this.#network.splice(index, 1);
    if (how !== 'lose') await this.#arrive(request);
  }

  /** Delivers a request. Work that does not need the disk completes before the next step. */
  #arrive(request: Request): Promise<void> {
    for (const key of listExpectedTypes(request)) this.#auditor.ask(key);
    void this.#answer(request);
    if (this.#canary.servesTwice === true && this.#sandboxes !== null)
      serve(this.#sandboxes, request).catch(() => undefined);
    return turn();
  }

  /** Handles a request and passes the response to the auditor, unless the process has ended. */
  async #answer(request: Request): Promise<void> {
    const life = this.#life;
    const machineMs = [this.#machine.nowMs];
    const fromSeq = this.#auditor.lastSeq;
    this.#clocks.add(machineMs);
    try {
      if (this.#sandboxes === null) return;
      const said = await serve(this.#sandboxes, request);
      if (life !== this.#life) return;
      this.#answers += 1;
      if (request.act === 'patchWrongly') this.#auditor.object('all or nothing', 'A wrong update was accepted.');
      this.#remember(said);
      this.#auditor.hear({ said, fromSeq, machineMs });
    } catch (error) {
      if (life === this.#life) await this.#refused(request, error, { fromSeq, machineMs });
    } finally {
      this.#clocks.delete(machineMs);
    }
  }

  /** Stores the page that a client was shown last. */
  #remember(said: readonly Said[]): void {
    for (const one of said) {
      if (one.of !== 'signIn') continue;
      const { id, userId, screen } = one.value;
      const known = this.#known.find((held) => held.id === id);
      if (known === undefined) this.#known.push({ id, userId, screen });
      else known.screen = screen;
    }
  }

  async #refused(
    request: Request,
    thrown: unknown,
    { fromSeq, machineMs }: { readonly fromSeq: number; readonly machineMs: readonly number[] },
  ): Promise<void> {
    const { act, signInId: id } = request;
    const isHalfWay = thrown instanceof RefusedHalfWay;
    const error = isHalfWay ? thrown.refusal : thrown;
    this.#refusals += 1;
    if (!(error instanceof NudgeLabError)) throw error;
    const { code } = error;
    if (refusalsOfScreens.includes(code)) {
      this.#auditor.hear({
        said: [{ of: 'refusal', id, code, act: isHalfWay ? `${act} after next` : act }],
        fromSeq,
        machineMs,
      });
      return;
    }
    if (act === 'patchWrongly' && code === 'bad-request' && this.#canary.halfPatches === true) {
      await this.#sandboxes?.get(sandboxId).directory.patchTenant(rightPart, 'policy-api');
      return;
    }
    if (code === 'store-failed' && (this.#isBroken || this.#isClosing)) return;
    if (otherRefusals[act]?.includes(code) === true) return;
    this.#auditor.object('no fault', `${JSON.stringify(request)} was answered with ${code}: ${error.message}`);
  }

  /** Shuts down the process normally and opens the store again. */
  async #restart(keepsAll: boolean): Promise<void> {
    this.#isClosing = true;
    const closing = this.#sandboxes?.close() ?? Promise.resolve();
    await this.#synced(closing.catch(() => undefined));
    this.#life += 1;
    this.#medium = await this.#medium.powerCut({ kept: 0, torn: false });
    return this.#reopen(!keepsAll);
  }

  async #reopen(mayLose: boolean): Promise<void> {
    this.#isBroken = false;
    this.#isClosing = false;
    const sandboxes = await this.#open().catch((error: unknown) => {
      this.#auditor.object('opens', `The store does not open: ${error}`);
      return null;
    });
    if (sandboxes?.has(sandboxId) !== true) {
      this.#auditor.object('nothing lost', 'The sandbox is gone.');
      return;
    }
    const sandbox = sandboxes.get(sandboxId);
    this.#auditor.reopen(await sandbox.journal({ after: 0, limit: 1_000_000 }), mayLose);
    if (this.#auditor.finding !== null) return;
    const signIns = sandbox.signIns.list({ limit: 1_000 }).flatMap(seen);
    const said = [...people.map(({ id }) => getNudgeStatus(sandbox, id)), ...signIns];
    this.#auditor.hear({ said, fromSeq: this.#auditor.lastSeq, machineMs: [this.#machine.nowMs] });
    this.#listen(sandboxes);
  }

  async #open(): Promise<Sandboxes> {
    const opened = await this.#medium.open();
    const store = this.#watched(this.#canary.store?.(opened) ?? opened);
    this.#sandboxes = await this.#synced(Sandboxes.open(store, { snapshotIntervalEntries: foldEvery }));
    return this.#sandboxes;
  }

  /** Subscribes to the event stream, as a client that follows the journal would. */
  #listen(sandboxes: Sandboxes): void {
    const life = this.#life;
    sandboxes.get(sandboxId).listen((entry) => {
      if (life === this.#life) this.#auditor.tell(entry);
    });
  }

  /** Wraps the store to observe the entries that are appended to the journal. */
  #watched(store: JournalStore): JournalStore {
    const life = this.#life;
    const append: JournalStore['append'] = (id, entry) => {
      store.append(id, entry);
      if (id !== sandboxId || life !== this.#life) return;
      this.#entries += 1;
      this.#auditor.enter(JSON.parse(JSON.stringify(entry)));
      if (JSON.stringify(entry).includes(wrongMark))
        this.#auditor.object('all or nothing', `Entry ${entry.seq} has a part of an update that was refused.`);
    };
    return new Proxy(store, {
      get: (_, name) => {
        if (name === 'append') return append;
        const value: unknown = Reflect.get(store, name);
        return typeof value === 'function' ? value.bind(store) : value;
      },
    });
  }

  /** Waits for a promise while the disk syncs at every opportunity. */
  async #synced<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    for (let turns = 0; !isDone && turns < turnsMax; turns += 1) {
      this.#medium.sync();
      await turn();
    }
    if (!isDone) throw new Error('Something waits for what never comes.');
    return done;
  }
}

/** Completes all work that does not need the disk. */
function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  afterPendingInput(resolve);
  return promise;
}
