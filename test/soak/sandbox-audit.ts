import { request } from 'undici';
import { Auditor, type Said } from '../simulation/auditor/auditor.ts';
import type { Entry } from '../simulation/auditor/entries.ts';

const pageRows = 1_000;

/**
 * Record of the requests and acknowledged responses of the clients of one sandbox, to compare with its journal after
 * a crash. All acknowledged changes must exist, no change may occur more often than it was requested, entries that
 * were read before must be unchanged, and the nudge statuses of the server must be those that the journal produces.
 */
export class SandboxAudit {
  readonly sandboxId: string;
  readonly #users: readonly string[];
  readonly #auditor = new Auditor();
  readonly #acknowledged = new Set<string>();
  readonly #present = new Set<string>();
  readonly #read: Entry[] = [];

  /** Creates an audit for a sandbox and its users, by id. */
  constructor(sandboxId: string, users: readonly string[]) {
    this.sandboxId = sandboxId;
    this.#users = users;
  }

  /** Number of acknowledged writes. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Records that a client is about to send a request which an entry of this type may record. */
  asks(type: string, of = ''): void {
    this.#auditor.ask(`${type} ${of}`);
  }

  /** Records that a response acknowledged the change. */
  heard(type: string, of: string): void {
    this.#acknowledged.add(`${type} ${of}`);
  }

  /** Compares all records with the state of a server at the URL of its control API. Throws if there is a problem. */
  async check(controlUrl: string): Promise<void> {
    const url = `${controlUrl}/sandboxes/${this.sandboxId}`;
    const earlier = this.#read.length;
    if (earlier > 0) {
      // The last entries that were read before have to be unchanged.
      const again = await readPage(url, Math.max(0, earlier - pageRows));
      const kept = this.#read.slice(Math.max(0, earlier - pageRows));
      for (const [index, entry] of kept.entries()) {
        if (JSON.stringify(again[index]) !== JSON.stringify(entry)) throw this.#wrong(`entry ${entry.seq} has changed`);
      }
    }
    for (let page = await readPage(url, earlier); page.length > 0; page = await readPage(url, this.#read.length)) {
      for (const entry of page) this.#enter(entry);
    }
    for (const key of this.#acknowledged) {
      if (!this.#present.has(key)) throw this.#wrong(`${key} was acknowledged and is lost`);
    }
    const said: Said[] = [];
    for (const userId of this.#users) {
      const { nudgeStatus } = (await fetchJson(`${url}/users/${userId}`)) as { nudgeStatus: object };
      said.push({ of: 'nudgeStatus', userId, value: nudgeStatus });
    }
    this.#auditor.hear({ said, fromSeq: this.#auditor.lastSeq, machineMs: [] });
    const { finding } = this.#auditor;
    if (finding !== null) throw this.#wrong(`${finding.claim}: ${finding.message}`);
  }

  #enter(entry: Entry): void {
    this.#read.push(entry);
    this.#auditor.enter(entry);
    const { type, signInId, userId, facts } = entry.event;
    const key = `${type} ${type === 'signIn.started' ? signInId : (signInId ?? userId ?? getMark(facts))}`;
    if (this.#present.has(key) && onceOnly.has(type)) throw this.#wrong(`${key} is there twice`);
    this.#present.add(key);
  }

  #wrong(what: string): Error {
    return new Error(`Sandbox ${this.sandboxId}: ${what}.`);
  }
}

/** Event types that occur at most once per sign-in, regardless of how often they were sent. */
const onceOnly: ReadonlySet<string> = new Set([
  'signIn.started',
  'password.accepted',
  'mfa.completed',
  'prompt.skipped',
  'errorScreen.skipped',
]);

// biome-ignore lint/suspicious/noExplicitAny: an entry is read as the JSON that it is.
function getMark(facts: any): string {
  return facts?.campaign?.excludeTargets?.[0]?.id ?? '';
}

async function readPage(url: string, after: number): Promise<readonly Entry[]> {
  const { entries } = (await fetchJson(`${url}/journal?after=${after}&limit=${pageRows}`)) as {
    entries: readonly (Entry & { readonly at: string })[];
  };
  return entries.map(({ at: _alsoInMs, ...entry }) => entry);
}

/** Returns the JSON response of a GET request. Throws for any status except 200. */
export async function fetchJson(url: string): Promise<unknown> {
  const { statusCode, body } = await request(url);
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`GET ${url} was answered with ${statusCode}: ${text}`);
  return JSON.parse(text);
}

/** Sends JSON and returns the response. */
export async function sendJson(
  method: 'POST' | 'PATCH' | 'PUT',
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) };
}
