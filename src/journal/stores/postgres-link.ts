import { afterDelay } from '../../core/clock.ts';
import type { NudgeLabError } from '../../core/errors.ts';
import { connectionTo, type PostgresModules, unavailable } from './postgres-modules.ts';
import { PostgresSession, type Signal } from './postgres-session.ts';
import { setUp } from './postgres-set-up.ts';

/** How soon a lost session is made again, in ms of real time. */
const retryMs = 250;

/**
 * How often a session is asked whether it still stands, in ms of real time: a process that is cut off has to know before the
 * database ends its session, since it would answer from what others have changed.
 */
const pingMs = 2_000;

/** Hears from the database. */
export interface LinkListener {
  signal(signal: Signal): void;
  /** The session has ended; what it held is held no longer. */
  lost(reason: NudgeLabError): void;
  /** There is a session again. */
  found(): void;
}

/** The session of a store. When it ends another one is made, as often as it takes. */
export class PostgresLink {
  readonly #modules: PostgresModules;
  readonly #address: string;
  #listener: LinkListener | null = null;
  #session: PostgresSession | null = null;
  #reason: NudgeLabError | null = null;
  #cancelRetry: () => void = () => undefined;
  #closed = false;

  /** Sets the tables up and connects. Throws what `setUp` throws, and `store-unavailable`. */
  static async open(modules: PostgresModules, address: string): Promise<PostgresLink> {
    const client = new modules.pg.Client(connectionTo(address));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await setUp(modules, client, address);
    } catch (cause) {
      throw unavailable(address, cause);
    } finally {
      client.end().catch(() => undefined);
    }
    const link = new PostgresLink(modules, address);
    try {
      await link.#connect();
    } catch (cause) {
      throw unavailable(address, cause);
    }
    return link;
  }

  private constructor(modules: PostgresModules, address: string) {
    this.#modules = modules;
    this.#address = address;
  }

  /** Says who hears from the database. */
  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  /** The session that there is. Throws `store-unavailable`. */
  get session(): PostgresSession {
    if (this.#session !== null) return this.#session;
    throw this.#reason ?? unavailable(this.#address, new Error('the store is closed'));
  }

  /** What went wrong, as an error of this program. */
  failure(cause: unknown): NudgeLabError {
    return unavailable(this.#address, cause);
  }

  /** Gives a session up that has failed; its locks end with it. Takes the session, since there may be another one by now. */
  lose(session: PostgresSession, cause: unknown): void {
    if (this.#session !== session) return;
    this.#session = null;
    this.#reason = unavailable(this.#address, cause);
    session.end().catch(() => undefined);
    this.#listener?.lost(this.#reason);
    this.#retry();
  }

  /** Ends the session for good. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    const session = this.#session;
    this.#session = null;
    await session?.end();
  }

  async #connect(): Promise<void> {
    const heard: { session: PostgresSession | null } = { session: null };
    const session = await PostgresSession.open(this.#modules, this.#address, {
      signal: (signal) => this.#listener?.signal(signal),
      ended: (cause) => heard.session !== null && this.lose(heard.session, cause),
    });
    heard.session = session;
    if (this.#closed) {
      await session.end();
      return;
    }
    this.#session = session;
    this.#listener?.found();
    this.#watch(session);
  }

  #watch(session: PostgresSession): void {
    afterDelay(pingMs, () => {
      if (this.#session !== session) return;
      session.ping().then(
        () => this.#watch(session),
        (cause: unknown) => this.lose(session, cause),
      );
    });
  }

  #retry(): void {
    if (this.#closed) return;
    this.#cancelRetry = afterDelay(retryMs, () => {
      this.#connect().catch((cause: unknown) => {
        this.#reason = unavailable(this.#address, cause);
        this.#retry();
      });
    });
  }
}
