import type { MfaMethod, Verdict } from '../../../../machines/vocabulary.ts';
import type { Client } from '../../../contract/client.schema.ts';
import { defaultClients } from '../../../contract/default-clients.ts';
import type { DocumentStep } from '../../../contract/document-step.schema.ts';
import type { StepOf } from '../../../contract/scenario.schema.ts';
import type { StepKind } from '../../../contract/step-words.ts';
import { parseInstant, toInstant } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { listRowsMax } from '../../../core/limits.ts';
import type { SignInParts } from '../../application-visit.ts';
import { type DocumentAct, documentCallOf } from '../../document-call.ts';
import type { Findings, JournalEntry, Observation, ObservedLedger, Question } from '../../driver.ts';
import { lowerCased } from '../../header-names.ts';
import { lookupCallOf } from '../../lookup-request.ts';
import { refuseMethodNotHeld } from '../../other-way.ts';
import type { Scenario } from '../../scenario.ts';
import { tenantPatchOf } from '../../tenant-patch.ts';
import { invalidToken, type TokenRequestBody, tokenRequestOf } from '../../token-request.ts';
import { Application } from './application.ts';
import type { ListedPasskey } from './authenticators.ts';
import { type ControlClient, jsonOf } from './control-client.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';

/** Steps that nobody does at a page: time, tenant, people, policy and questions. */
const controlStepKinds = [
  'advance',
  'setClock',
  'setTenant',
  'setFaults',
  'setUser',
  'removeMethod',
  'getPolicy',
  'patchPolicy',
  'lookup',
  'document',
  'explain',
] as const satisfies readonly StepKind[];
export type ControlStepKind = (typeof controlStepKinds)[number];

/** Does each step of some kinds. */
export type StepHandlers<Kinds extends StepKind> = {
  readonly [K in Kinds]: (step: StepOf<K>) => Promise<Observation>;
};

type Plan = Scenario['plan'];
type PlannedUser = Plan['users'][number];

/** What the steps about sign-ins say of the attempt. */
type AttemptOfStep = SignInParts['attempt'];

/** The sandbox of one scenario on a server, asked and told by HTTP: what every driver of a server has in common. */
export class SandboxControl {
  /** Address of the sandbox's pages and APIs, without a slash at the end. */
  readonly baseUrl: string;
  readonly #client: HttpClient;
  readonly #control: ControlClient;
  readonly #path: string;
  /** The users as they are now, by id. */
  readonly #users: Map<string, PlannedUser>;
  readonly #clients: readonly Client[];
  readonly #applications = new Map<string, Application>();
  #deleted = false;

  private constructor(
    client: HttpClient,
    control: ControlClient,
    sandbox: { id: string; baseUrl: string },
    plan: Plan,
  ) {
    this.#client = client;
    this.#control = control;
    this.#path = `/sandboxes/${sandbox.id}`;
    this.baseUrl = sandbox.baseUrl;
    this.#clients = plan.clients ?? defaultClients;
    this.#users = new Map(plan.users.map((user) => [user.id, user]));
  }

  /** Creates a sandbox as a scenario plans it. Throws `driver-failed` and `server-unreachable`. */
  static async create(client: HttpClient, control: ControlClient, plan: Plan): Promise<SandboxControl> {
    const { tenant, settings, users, clients, faults, lookup, seed, ruleset } = plan;
    const clock = { now: toInstant(plan.clock.nowMs), running: plan.clock.running };
    const given = { tenant, settings, users, clients, faults, lookup, clock, seed, ruleset };
    const { id, baseUrl } = await control.ask('POST', '/sandboxes', given);
    return new SandboxControl(client, control, { id: String(id), baseUrl: String(baseUrl) }, plan);
  }

  /** The verdict of a sign-in; `null` before it was judged. */
  async verdict(signInId: string): Promise<Verdict | null> {
    const { verdict } = await this.ask('GET', `/sign-ins/${encodeURIComponent(signInId)}`);
    return (verdict ?? null) as Verdict | null;
  }

  /** The snooze ledger of a user. */
  async ledger(userId: string): Promise<ObservedLedger> {
    const { ledger } = await this.ask('GET', userPath(userId));
    return ledgerOf(ledger as LedgerOnTheWire);
  }

  /** The passkeys of a user, test passkeys with their key. */
  async passkeys(userId: string): Promise<readonly ListedPasskey[]> {
    const { passkeys } = await this.ask('GET', `${userPath(userId)}/passkeys`);
    return passkeys as readonly ListedPasskey[];
  }

  /** Refuses a method that a step names for the second factor and that the user does not hold. Throws `driver-failed`. */
  async refuseMethodNotHeld(userId: string, named: MfaMethod | null | undefined): Promise<void> {
    if (named === undefined || named === null) return;
    const { methods, passkeys } = (await this.ask('GET', userPath(userId))) as unknown as PlannedUser;
    refuseMethodNotHeld(named, passkeys.length > 0 ? [...methods, 'passkey'] : methods);
  }

  /** All inputs so far. */
  async journal(): Promise<readonly JournalEntry[]> {
    return this.#journalAfter(0);
  }

  /** Verdict, ledger and journal in one answer; the last question deletes the sandbox. */
  async findings({ signInId, userId, journal, last }: Question): Promise<Findings> {
    const named = { ...(signInId === null ? {} : { signIn: signInId }), ...(userId === null ? {} : { user: userId }) };
    const found = (await this.ask('POST', '/findings', { ...named, journal, last })) as unknown as FindingsOnTheWire;
    this.#deleted = found.deleted;
    return {
      verdict: found.verdict,
      ledger: found.ledger === null ? null : ledgerOf(found.ledger),
      journal: found.journal === null ? null : await this.#wholeJournal(found.journal),
    };
  }

  /** Deletes the sandbox, unless the last question has done so. */
  async close(): Promise<void> {
    if (!this.#deleted) await this.ask('DELETE', '');
  }

  /** Settles the facts of the user's next sign-in; without any nothing is sent. */
  async nextSignIn(userId: string, attempt: Partial<AttemptOfStep>): Promise<void> {
    if (Object.keys(attempt).length > 0) await this.ask('POST', `${userPath(userId)}/next-sign-in`, attempt);
  }

  /** The facts that were settled for a sign-in are not for another one: this one never came. */
  async dropNextSignIn(userId: string, attempt: Partial<AttemptOfStep>): Promise<void> {
    if (Object.keys(attempt).length > 0) await this.ask('POST', `${userPath(userId)}/next-sign-in`, {});
  }

  /** The id of the user's latest sign-in; `null` before there was one. */
  async latestSignIn(userId: string): Promise<string | null> {
    const { signIns } = await this.ask('GET', `/sign-ins?user=${encodeURIComponent(userId)}&limit=1`);
    return (signIns as readonly { readonly id: string }[])[0]?.id ?? null;
  }

  /** A client as the application that it stands for. Throws `driver-failed` for one that the scenario does not give. */
  application(clientId: string): Application {
    const known = this.#applications.get(clientId);
    if (known !== undefined) return known;
    const client = this.#clients.find(({ id }) => id === clientId);
    if (client === undefined) {
      throw new NudgeLabError('driver-failed', { message: `The scenario gives no client "${clientId}".` });
    }
    const application = new Application(client, this.#client, this.baseUrl);
    this.#applications.set(clientId, application);
    return application;
  }

  /** What a user signs in with now: name, password, code. Throws `driver-failed` for one it does not give. */
  profile(userId: string): PlannedUser {
    const user = this.#users.get(userId);
    if (user !== undefined) return user;
    throw new NudgeLabError('driver-failed', { message: `The scenario gives no user "${userId}".` });
  }

  /** Asks the control API about this sandbox. Takes the path below it. Throws `driver-failed` with the API's message. */
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    return this.#control.ask(method, `${this.#path}${path}`, body);
  }

  /** The steps that need no page. */
  readonly handlers: StepHandlers<ControlStepKind> = {
    advance: ({ say }) => this.#tell('POST', '/clock/advance', say),
    setClock: ({ say }) => this.#tell('PUT', '/clock', { now: toInstant(parseInstant(say) ?? 0) }),
    setTenant: async ({ say }) => {
      const { facts, settings } = tenantPatchOf(say);
      if (settings !== null) await this.#tell('PATCH', '/tenant/settings', settings);
      return facts === null ? {} : this.#tell('PATCH', '/tenant', facts);
    },
    setFaults: ({ say }) => this.#tell('PUT', '/faults', { faults: say }),
    setUser: async ({ say: { user, ...patch } }) => {
      const changed = await this.ask('PATCH', userPath(user), patch);
      this.#users.set(user, changed as unknown as PlannedUser);
      return {};
    },
    removeMethod: ({ say: { user, method } }) => this.#tell('DELETE', `${userPath(user)}/methods/${method}`),
    getPolicy: (step) => this.#policy('GET', step),
    patchPolicy: (step) => this.#policy('PATCH', step),
    lookup: (step) => this.#lookUp(step),
    document: ({ say }) => this.#documents(say),
    explain: async ({ say: { user, ...attempt } }) => {
      const explained = (await this.ask('POST', '/explain', { user, attempt })) as unknown as Verdict;
      return { explained, outcome: explained.outcome };
    },
  };

  async #journalAfter(place: number): Promise<readonly JournalEntry[]> {
    const page = await this.ask('GET', `/journal?after=${place}&limit=${listRowsMax}`);
    return this.#wholeJournal(page as unknown as JournalOnTheWire);
  }

  async #wholeJournal({ entries, next }: JournalOnTheWire): Promise<readonly JournalEntry[]> {
    return next === null ? entries : [...entries, ...(await this.#journalAfter(next))];
  }

  async #tell(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Observation> {
    await this.ask(method, path, body);
    return {};
  }

  async #policy(method: 'GET' | 'PATCH', { say }: StepOf<'getPolicy' | 'patchPolicy'>): Promise<Observation> {
    const answer = await this.#client.send({
      method,
      url: `${this.baseUrl}/v1.0/policies/authenticationmethodspolicy`,
      headers: {
        ...(await this.#authorization(say.as)),
        'content-type': 'application/json',
        ...lowerCased(say.headers),
      },
      ...(method === 'PATCH' ? { body: JSON.stringify(say.body ?? {}) } : {}),
    });
    return { status: answer.status, headers: textHeaders(answer.headers), body: jsonOf(answer) };
  }

  async #lookUp({ say }: StepOf<'lookup'>): Promise<Observation> {
    const { method, query, authorization, times } = lookupCallOf(say);
    const url = `${this.baseUrl}/api/v2/${query === '' ? '' : `?${query}`}`;
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const ask = (): Promise<HttpAnswer> => this.#client.send({ method, url, headers });
    // The same question is asked each time, so only that the last one comes last can be told apart.
    await manyAtOnce(times - 1, ask);
    const answer = await ask();
    return { status: answer.status, headers: textHeaders(answer.headers), body: jsonOf(answer) };
  }

  /** Asks the document API as any client does, or the control API for what no client can do. */
  async #documents(say: DocumentStep): Promise<Observation> {
    const call = documentCallOf(say);
    if (call.kind !== 'api') return this.#actOnDocuments(call);
    const { method, path, headers, body, token } = call;
    const authorization: Record<string, string> =
      token === null ? {} : { authorization: `Bearer ${typeof token === 'string' ? token : await this.#token(token)}` };
    const answer = await this.#client.send({
      method,
      url: `${this.baseUrl}${path}`,
      headers: { ...headers, ...authorization },
      ...(body === null ? {} : { body }),
    });
    return { status: answer.status, headers: textHeaders(answer.headers), body: jsonOf(answer) };
  }

  #actOnDocuments(act: DocumentAct): Promise<Observation> {
    switch (act.kind) {
      case 'add':
        return this.#control.observe('POST', `${this.#path}/documents`, act.document);
      case 'series':
        return this.#control.observe('POST', `${this.#path}/documents/from/series`, act.series);
      case 'move':
        return this.#control.observe('POST', `${this.#path}/documents/${act.id}/moves`, {
          move: act.move,
          pages: act.pages,
        });
      case 'remove':
        return this.#control.observe('DELETE', `${this.#path}/documents/${act.id}`);
    }
  }

  async #token(request: TokenRequestBody): Promise<string> {
    const { access_token: token } = await this.ask('POST', '/tokens', request);
    return String(token);
  }

  async #authorization(description: StepOf<'getPolicy'>['say']['as']): Promise<Record<string, string>> {
    const request = tokenRequestOf(description);
    if (request === null) return {};
    if (request === invalidToken) return { authorization: `Bearer ${invalidToken}` };
    return { authorization: `Bearer ${await this.#token(request)}` };
  }
}

/** Questions of one kind that are under way at once. */
const askedAtOnceMax = 8;

/** Does the same thing a number of times, some of them at once. */
async function manyAtOnce(times: number, act: () => Promise<unknown>): Promise<void> {
  let begun = 0;
  const actInTurn = async (): Promise<void> => {
    while (begun < times) {
      begun += 1;
      await act();
    }
  };
  await Promise.all(Array.from({ length: Math.min(times, askedAtOnceMax) }, actInTurn));
}

interface LedgerOnTheWire extends Omit<ObservedLedger, 'nextPromptAtMs'> {
  readonly nextPromptAt: string | null;
}

interface JournalOnTheWire {
  readonly entries: readonly JournalEntry[];
  readonly next: number | null;
}

interface FindingsOnTheWire {
  readonly verdict: Verdict | null;
  readonly ledger: LedgerOnTheWire | null;
  readonly journal: JournalOnTheWire | null;
  readonly deleted: boolean;
}

function ledgerOf({ state, snoozes, snoozesLeft, nextPromptAt }: LedgerOnTheWire): ObservedLedger {
  return { state, snoozes, snoozesLeft, nextPromptAtMs: nextPromptAt === null ? null : parseInstant(nextPromptAt) };
}

function userPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`;
}

function textHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
