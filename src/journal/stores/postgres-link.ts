import { afterDelay } from '../../core/clock.ts';
import type { NudgeLabError } from '../../core/errors.ts';
import { connectionTo, type PostgresModules, unavailable } from './postgres-modules.ts';
import { PostgresSession, type Signal } from './postgres-session.ts';
import { setUp } from './postgres-set-up.ts';

/** Delay in milliseconds of real time before a lost session is replaced. */
const retryMs = 250;

/**
 * Interval in milliseconds of real time for checking the session. A disconnected process must notice before the
 * database ends its session, because otherwise it would serve outdated data.
 */
const pingMs = 2_000;

/** Listener for the state of the database connection. */
export interface LinkListener {
  signal(signal: Signal): void;
  /** Called when the session has ended with all its locks. */
  lost(reason: NudgeLabError): void;
  /** Called when a session is available again. */
  found(): void;
}

/** Session of a store, which is replaced as often as it ends. */
export class PostgresLink {
  readonly #modules: PostgresModules;
  readonly #address: string;
  #listener: LinkListener | null = null;
  #session: PostgresSession | null = null;
  #reason: NudgeLabError | null = null;
  #cancelRetry: () => void = () => undefined;
  #closed = false;

  /** Creates the tables if needed and connects. Throws the errors of `setUp`, and `store-unavailable`. */
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

  /** Sets the listener of the connection. */
  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  /** Current session. Throws `store-unavailable` if there is none. */
  get session(): PostgresSession {
    if (this.#session !== null) return this.#session;
    throw this.#reason ?? unavailable(this.#address, new Error('the store is closed'));
  }

  /** Converts a database error to a NudgeLab error. */
  failure(cause: unknown): NudgeLabError {
    return unavailable(this.#address, cause);
  }

  /**
   * Abandons a failed session, which releases its locks. `session` is compared because a later session may already
   * exist.
   */
  lose(session: PostgresSession, cause: unknown): void {
    if (this.#session !== session) return;
    this.#session = null;
    this.#reason = unavailable(this.#address, cause);
    session.end().catch(() => undefined);
    this.#listener?.lost(this.#reason);
    this.#retry();
  }

  /** Ends the session permanently. */
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
