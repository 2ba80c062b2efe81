import type { Answer } from '../../contract/control-answers.schema.ts';
import type { StudyOrder, StudyResult, studyAnswer } from '../../contract/study.schema.ts';
import { errorTable, NudgeLabError } from '../../core/errors.ts';
import { studiesKeptMax, studiesWaitingMax } from '../../core/limits.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { StudyRun, StudyRunner } from '../study-runner.ts';

type StudyView = Answer<typeof studyAnswer>;

/** When a client may come back with a study, in seconds. */
const retryAfterSeconds = 5;

interface Held {
  readonly id: string;
  readonly order: StudyOrder;
  readonly sandbox: Sandbox;
  state: StudyView['state'];
  progress: number;
  error: StudyView['error'];
  run: StudyRun | null;
  result: StudyResult | null;
  /** Hears no more of the end of the sandbox. */
  readonly leave: () => void;
}

/** Keeps the studies of a server: one goes on at a time, some wait, and the results of the latest are kept. */
export class StudyDesk {
  readonly #runner: StudyRunner | null;
  readonly #isServed: (sandbox: Sandbox) => boolean;
  #held: Held[] = [];
  #made = 0;

  /** Takes who makes studies, `null` where nobody does, and whether a sandbox is still there. */
  constructor(runner: StudyRunner | null, isServed: (sandbox: Sandbox) => boolean) {
    this.#runner = runner;
    this.#isServed = isServed;
  }

  /** Studies of a sandbox, the newest first. Throws `study-missing`. */
  list(sandbox: Sandbox): readonly StudyView[] {
    this.#sweep();
    return this.#held
      .filter((held) => held.sandbox === sandbox)
      .toReversed()
      .map(viewOf);
  }

  /** Begins a study, or has it wait for those before it. Throws `study-missing` and `too-many-studies`. */
  start(sandbox: Sandbox, order: StudyOrder): StudyView {
    this.#sweep();
    if (this.#held.filter(isOpen).length >= studiesWaitingMax) {
      throw new NudgeLabError('too-many-studies', {
        message: `${studiesWaitingMax} studies wait or go on, as many as may be.`,
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    }
    this.#made += 1;
    const held: Held = {
      id: `study-${this.#made}`,
      order,
      sandbox,
      state: 'waiting',
      progress: 0,
      error: null,
      run: null,
      result: null,
      // A sandbox that ends takes its studies along at once: nobody may ask for long, and a forecast keeps a core busy.
      leave: sandbox.recorder.attend({ written: () => undefined, ended: () => this.#sweep() }),
    };
    this.#held.push(held);
    this.#next();
    return viewOf(held);
  }

  /** One study. Throws `study-missing` and `study-unknown`. */
  get(sandbox: Sandbox, id: string): StudyView {
    return viewOf(this.#one(sandbox, id));
  }

  /** What a study came to. Throws `study-missing`, `study-unknown` and `study-unfinished`. */
  result(sandbox: Sandbox, id: string): StudyResult {
    const { result, state } = this.#one(sandbox, id);
    if (result !== null) return result;
    throw new NudgeLabError('study-unfinished', { message: `Study ${id} is ${state}.` });
  }

  /** Ends a study that waits or goes on. Throws `study-missing` and `study-unknown`. */
  cancel(sandbox: Sandbox, id: string): StudyView {
    const held = this.#one(sandbox, id);
    this.#end(held);
    return viewOf(held);
  }

  /** Ends a study and forgets it. Throws `study-missing` and `study-unknown`. */
  forget(sandbox: Sandbox, id: string): void {
    const held = this.#one(sandbox, id);
    this.#end(held);
    this.#keep(this.#held.filter((other) => other !== held));
  }

  #one(sandbox: Sandbox, id: string): Held {
    this.#sweep();
    const held = this.#held.find((one) => one.id === id && one.sandbox === sandbox);
    if (held === undefined) throw new NudgeLabError('study-unknown', { message: `There is no study "${id}".` });
    return held;
  }

  #end(held: Held): void {
    if (!isOpen(held)) return;
    cancel(held);
    this.#next();
  }

  /** Forgets the studies of sandboxes that are gone, and the oldest results. Throws `study-missing`. */
  #sweep(): void {
    if (this.#runner === null) throw new NudgeLabError('study-missing');
    const gone = this.#held.filter(({ sandbox }) => !this.#isServed(sandbox));
    // All of them before the next one begins, which must not be one of them.
    for (const held of gone) if (isOpen(held)) cancel(held);
    const there = this.#held.filter(({ sandbox }) => this.#isServed(sandbox));
    const ended = there.filter((held) => !isOpen(held));
    const forgotten = new Set(ended.slice(0, Math.max(0, there.length - studiesKeptMax)));
    this.#keep(there.filter((held) => !forgotten.has(held)));
    this.#next();
  }

  /** Forgets all studies but these. */
  #keep(kept: readonly Held[]): void {
    for (const held of this.#held) if (!kept.includes(held)) held.leave();
    this.#held = [...kept];
  }

  #next(): void {
    if (this.#runner === null || this.#held.some(({ state }) => state === 'running')) return;
    const held = this.#held.find(({ state }) => state === 'waiting');
    if (held === undefined) return;
    held.state = 'running';
    held.run = this.#runner.run(held.order, held.sandbox, (share) => {
      held.progress = Math.min(1, Math.max(held.progress, share));
    });
    held.run.result
      .then(
        (result) => {
          if (held.state !== 'running') return;
          Object.assign(held, { state: 'finished', progress: 1, result });
        },
        (error: unknown) => {
          if (held.state !== 'running') return;
          Object.assign(held, { state: 'failed', error: errorOf(error) });
        },
      )
      .finally(() => {
        held.run = null;
        this.#next();
      })
      .catch(() => undefined);
  }
}

function cancel(held: Held): void {
  held.state = 'cancelled';
  held.run?.cancel();
  held.run = null;
}

function isOpen({ state }: Held): boolean {
  return state === 'waiting' || state === 'running';
}

function viewOf({ id, order, state, progress, error }: Held): StudyView {
  return { id, kind: order.kind, state, progress, error };
}

function errorOf(error: unknown): StudyView['error'] {
  const { code, message, action, problems } =
    error instanceof NudgeLabError ? error : new NudgeLabError('internal-error', { cause: error });
  return { code, title: errorTable[code].title, message, action, problems };
}
