import fc from 'fast-check';
import { Agent, Client } from 'undici';
import { PageClient } from '../page-client.ts';
import { sendJson } from '../sandbox-audit.ts';
import { type FuzzAnswer, findFault } from './answer-check.ts';
import { type FuzzRequest, fuzzRequests } from './fuzz-requests.ts';

/** Server under test, with a check that it is still running. */
export interface Fuzzed {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly runs: boolean;
}

/** Number of requests, and the random seed. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Path of a failure reported by fast-check. If set, only this failure is repeated. */
  readonly path?: string | undefined;
  readonly heard?: (sent: number) => void;
}

/** Requests sent and problems found. */
export interface FuzzSeen {
  readonly sent: number;
  readonly byStatus: ReadonlyMap<number, number>;
  readonly failure: {
    readonly message: string;
    readonly path: string;
    readonly requests: readonly FuzzRequest[];
  } | null;
}

/** Maximum number of requests per run. Each run has a new sandbox, so it can be reproduced. */
const runLengthMax = 40;
/** Measured lower limit of the average number of requests per run. */
const runLengthUsual = 17;
const answerMsMax = 10_000;

const tenant = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

/** Sends generated requests until a problem is found, and shrinks the requests. */
export async function fuzz(
  server: Fuzzed,
  { requests, seed, path, heard = () => undefined }: FuzzOptions,
): Promise<FuzzSeen> {
  const fuzzer = new Fuzzer(server, heard);
  const run = fc.asyncProperty(fc.array(fuzzRequests, { minLength: 1, maxLength: runLengthMax, size: 'max' }), (sent) =>
    fuzzer.run(sent),
  );
  const numRuns = Math.ceil(requests / runLengthUsual);
  const repeats = path === undefined ? {} : { path, endOnFailure: true };
  const details = await fc.check(run, { seed, numRuns, ...repeats });
  await fuzzer.close();
  const { sent, byStatus } = fuzzer;
  if (!details.failed) return { sent, byStatus, failure: null };
  const [shrunk = []] = details.counterexample ?? [];
  const message =
    details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  return { sent, byStatus, failure: { message, path: details.counterexamplePath ?? '', requests: shrunk } };
}

class Fuzzer {
  sent = 0;
  readonly byStatus = new Map<number, number>();
  readonly #server: Fuzzed;
  readonly #heard: (sent: number) => void;
  readonly #client: Client;
  readonly #pages = new Agent({ connections: 1 });
  #made = 0;

  constructor(server: Fuzzed, heard: (sent: number) => void) {
    this.#server = server;
    this.#heard = heard;
    this.#client = new Client(server.baseUrl, { headersTimeout: answerMsMax, bodyTimeout: answerMsMax });
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.destroy(), this.#pages.destroy()]);
  }

  /** Sends requests in sequence to a separate sandbox. Throws if there is a problem. */
  async run(requests: readonly FuzzRequest[]): Promise<void> {
    this.#made += 1;
    const sandbox = `fuzz-${this.#made}`;
    const names = await this.#furnish(sandbox);
    const browser = new PageClient(`${this.#server.baseUrl}/s/${sandbox}`, this.#pages);
    const sandboxesMade = [sandbox];
    for (const request of requests) {
      const filled = filledIn(request, names);
      const answer = await (filled.page === undefined ? this.#send(filled) : this.#press(browser, filled.page));
      this.#count(answer.status);
      const fault = findFault(filled, answer);
      if (fault !== null) throw new Error(`${formatRequest(filled)}: ${fault}`);
      if (!this.#server.runs) throw new Error(`${formatRequest(filled)}: the server has ended`);
      if (/\/faults(\?|$)/.test(filled.path) && answer.status < 300) await this.#mend(filled.path);
      const begun = begunBy(filled, answer);
      if (begun?.what === 'sandbox') sandboxesMade.push(begun.id);
      else if (begun !== null) names.set(begun.what, begun.id);
    }
    for (const id of sandboxesMade) await this.#remove(id);
  }

  /** Creates a sandbox with two users, two documents, an open sign-in and tokens. */
  async #furnish(id: string): Promise<Map<string, string>> {
    const { controlUrl } = this.#server;
    const made = await sendJson('POST', `${controlUrl}/sandboxes`, {
      id,
      tenant,
      users: [{ id: 'ada' }, { id: 'ben' }],
    });
    if (made.status !== 201)
      throw new Error(`The sandbox ${id} was not made: ${made.status} ${JSON.stringify(made.body)}`);
    const url = `${controlUrl}/sandboxes/${id}`;
    for (const title of ['Open', 'Closed']) {
      const record = { title, public: title === 'Open', owner: 'ada', pages: [{ content: 'A page of text' }] };
      await sendJson('POST', `${url}/documents`, record);
    }
    const writing = ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'];
    const tokens = {
      admin: { app: 'fuzz', permissions: writing },
      reader: { app: 'fuzz', permissions: ['Policy.Read.All'] },
      directory: { user: 'ada', permissions: ['Directory.Read.All'] },
      writer: { user: 'ada', permissions: ['read:document', 'write:document'] },
    };
    const names = new Map([['sandbox', id]]);
    for (const [name, said] of Object.entries(tokens)) {
      const { body } = await sendJson('POST', `${url}/tokens`, said);
      names.set(`token:${name}`, (body as { access_token: string }).access_token);
    }
    return names;
  }

  async #remove(id: string): Promise<void> {
    const { body } = await this.#client.request({ method: 'DELETE', path: `/_control/v1/sandboxes/${id}` });
    await body.dump();
  }

  /** Removes the faults that a request has set, because their effect on other responses is intended. */
  async #mend(path: string): Promise<void> {
    const { body } = await this.#client.request({ method: 'DELETE', path: path.split('?')[0] ?? path });
    await body.dump();
  }

  async #send({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    const { host } = new URL(this.#server.baseUrl);
    const answer = await this.#client
      .request({ method: method as 'GET', path, headers: { host, ...headers }, body })
      .catch((error: unknown) => {
        throw new Error(`${method} ${path} was not answered: ${error}`, { cause: error });
      });
    const type = String(answer.headers['content-type'] ?? '');
    if (type.startsWith('text/event-stream')) {
      // A stream has no end, so aborting it here is not a failure.
      answer.body.on('error', () => undefined).destroy();
      return { status: answer.statusCode, type, text: '' };
    }
    return { status: answer.statusCode, type, text: await answer.body.text() };
  }

  /** Presses a button of the current sign-in of this run. Starts a new sign-in if there is none or it has ended. */
  async #press(browser: PageClient, { action, fields }: NonNullable<FuzzRequest['page']>): Promise<FuzzAnswer> {
    const goesOn = browser.shown.text.includes('name="formToken"');
    const { status, text } = goesOn ? await browser.act(action, fields) : await browser.begin('ada');
    return { status, type: 'text/html', text };
  }

  #count(status: number): void {
    this.sent += 1;
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    if (this.sent % 1_000 === 0) this.#heard(this.sent);
  }
}

function filledIn(request: FuzzRequest, names: ReadonlyMap<string, string>): FuzzRequest {
  const text = JSON.stringify(request);
  const getName = (_: string, name: string): string => names.get(name) ?? 'none';
  return JSON.parse(text.replaceAll(/\{(sandbox|analysis|run|token:\w+)\}/g, getName)) as FuzzRequest;
}

const beginnings = /^\/_control\/v1\/(?:sandboxes\/[^/]+\/)?(sandboxes|fork|analyses|runs)(\?|$)/;

/** Returns the type and id of the object that a request has created, or `null` if it created none. */
function begunBy({ path }: FuzzRequest, { status, text }: FuzzAnswer): { what: string; id: string } | null {
  const [, collection] = beginnings.exec(path) ?? [];
  if (status !== 201 || collection === undefined) return null;
  const what = { analyses: 'analysis', runs: 'run' }[collection] ?? 'sandbox';
  return { what, id: (JSON.parse(text) as { readonly id: string }).id };
}

/** Formats a request as one line. */
export function formatRequest({ method, path, headers, body, page }: FuzzRequest): string {
  if (page !== undefined) return `page ${page.action} ${JSON.stringify(page.fields)}`;
  return `${method} ${path} ${JSON.stringify(headers)}${body === null ? '' : ` ${JSON.stringify(body.slice(0, 2_000))}`}`;
}
