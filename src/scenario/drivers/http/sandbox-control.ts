import type { MfaMethod, Verdict } from '../../../../machines/vocabulary.ts';
import type { ControlClient, ControlReply, ControlRequest, ReceivedResponse } from '../../../client/control-client.ts';
import type { Client } from '../../../contract/client.schema.ts';
import { defaultClients } from '../../../contract/default-clients.ts';
import type { DocumentStep } from '../../../contract/document-step.schema.ts';
import type { StepOf } from '../../../contract/scenario.schema.ts';
import type { StepKind } from '../../../contract/step-names.ts';
import { parseInstant, toInstant } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { listRowsMax } from '../../../core/limits.ts';
import { type ApiCall, toApiCall } from '../../api-call.ts';
import type { SignInParts } from '../../application-session.ts';
import { type DocumentAct, toDocumentCall } from '../../document-call.ts';
import type { JournalEntry, Observation, ObservationRequest, Observations, ObservedNudgeStatus } from '../../driver.ts';
import { lowerCased } from '../../header-names.ts';
import { toLookupCall } from '../../lookup-request.ts';
import { refuseMethodNotHeld } from '../../method-switching.ts';
import type { Scenario } from '../../scenario.ts';
import { toTenantPatch } from '../../tenant-patch.ts';
import { invalidToken, parseTokenRequest, type TokenRequestBody } from '../../token-request.ts';
import { Application } from './application.ts';
import type { ListedPasskey } from './authenticators.ts';
import { parseJson } from './control-client.ts';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { offerRuleset } from './offer-ruleset.ts';

/** Steps without a page: time, tenant, users, policy and API calls. */
const controlStepKinds = [
  'advance',
  'setClock',
  'setTenant',
  'setFaults',
  'setUser',
  'removeMethod',
  'getPolicy',
  'patchPolicy',
  'callApi',
  'lookup',
  'document',
  'explain',
] as const satisfies readonly StepKind[];
export type ControlStepKind = (typeof controlStepKinds)[number];

/** Handlers for some of the steps. */
export type StepHandlers<Kinds extends StepKind> = {
  readonly [K in Kinds]: (step: StepOf<K>) => Promise<Observation>;
};

type Plan = Scenario['plan'];
type PlannedUser = Plan['users'][number];

/** Facts of the attempt in the steps about sign-ins. */
type AttemptOfStep = SignInParts['attempt'];

/** Sandbox of one scenario on a server, controlled over HTTP. All drivers of a server share this class. */
export class SandboxControl {
  /** URL of the sandbox's pages and APIs, without a trailing slash. */
  readonly baseUrl: string;
  readonly #client: HttpClient;
  /** Control API of the server. */
  readonly api: ControlClient;
  /** Id of the sandbox in requests. */
  readonly sandbox: string;
  /** Current users by id. */
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
    this.api = control;
    this.sandbox = sandbox.id;
    this.baseUrl = sandbox.baseUrl;
    this.#clients = plan.clients ?? defaultClients;
    this.#users = new Map(plan.users.map((user) => [user.id, user]));
  }

  /** Creates a sandbox with the plan of a scenario. Throws `driver-failed` or `server-unreachable`. */
  static async create(client: HttpClient, control: ControlClient, plan: Plan): Promise<SandboxControl> {
    const { tenant, settings, users, clients, faults, lookup, seed, ruleset } = plan;
    const clock = { now: toInstant(plan.clock.nowMs), running: plan.clock.running };
    const given = { tenant, settings, users, clients, faults, lookup, clock, seed, ruleset };
    await offerRuleset(control, ruleset);
    return new SandboxControl(client, control, await control.createSandbox({ body: given }), plan);
  }

  /** Returns the verdict of a sign-in, or `null` if it was not evaluated yet. */
  async verdict(signInId: string): Promise<Verdict | null> {
    return (await this.api.getSignIn({ sandbox: this.sandbox, signIn: signInId })).verdict;
  }

  /** Returns the nudge status of a user. */
  async nudgeStatus(userId: string): Promise<ObservedNudgeStatus> {
    return (await this.#userNow(userId)).nudgeStatus;
  }

  /** Returns the passkeys of a user. Test passkeys include their private key. */
  async passkeys(userId: string): Promise<readonly ListedPasskey[]> {
    return (await this.api.listPasskeys({ sandbox: this.sandbox, user: userId })).passkeys;
  }

  /** Rejects a second-factor method of a step that the user has not registered. Throws `driver-failed`. */
  async refuseMethodNotHeld(userId: string, named: MfaMethod | null | undefined): Promise<void> {
    if (named === undefined || named === null) return;
    const { methods, passkeys } = await this.#userNow(userId);
    refuseMethodNotHeld(named, passkeys.length > 0 ? [...methods, 'passkey'] : methods);
  }

  /** Returns all events so far. */
  async journal(): Promise<readonly JournalEntry[]> {
    return this.#journalAfter(0);
  }

  /** Returns verdict, nudge status and transitions in one response. The last request also deletes the sandbox. */
  async observe({ signInId, userId, transitions, last }: ObservationRequest): Promise<Observations> {
    const named = { ...(signInId === null ? {} : { signIn: signInId }), ...(userId === null ? {} : { user: userId }) };
    const found = await this.api.getObservations({
      sandbox: this.sandbox,
      body: { ...named, transitions, deleteSandbox: last },
    });
    this.#deleted = found.deleted;
    return found;
  }

  /** Deletes the sandbox, unless the last request has already deleted it. */
  async close(): Promise<void> {
    if (!this.#deleted) await this.api.deleteSandbox({ sandbox: this.sandbox });
  }

  /** Presets the facts of the user's next sign-in. Nothing is sent if there are none. */
  async nextSignIn(userId: string, attempt: Partial<AttemptOfStep>): Promise<void> {
    if (Object.keys(attempt).length > 0) await this.#prepareSignIn(userId, attempt);
  }

  /** Removes the preset of a sign-in that never started, so it does not apply to another one. */
  async dropNextSignIn(userId: string, attempt: Partial<AttemptOfStep>): Promise<void> {
    if (Object.keys(attempt).length > 0) await this.#prepareSignIn(userId, {});
  }

  /** Returns the id of the user's latest sign-in, or `null` if there is none. */
  async latestSignIn(userId: string): Promise<string | null> {
    const { signIns } = await this.api.listSignIns({ sandbox: this.sandbox, query: { user: userId, limit: 1 } });
    return signIns[0]?.id ?? null;
  }

  /** Returns all sign-ins so far with their verdicts and events, newest first. */
  async explained(): Promise<readonly ControlReply<'getSignIn'>[]> {
    const { signIns } = await this.api.listSignIns({ sandbox: this.sandbox });
    return Promise.all(signIns.map(({ id }) => this.api.getSignIn({ sandbox: this.sandbox, signIn: id })));
  }

  /** Returns the application of a client. Throws `driver-failed` for a client that the scenario does not define. */
  application(clientId: string): Application {
    const known = this.#applications.get(clientId);
    if (known !== undefined) return known;
    const client = this.#clients.find(({ id }) => id === clientId);
    if (client === undefined) {
      throw new NudgeLabError('driver-failed', { message: `The scenario does not define the client "${clientId}".` });
    }
    const application = new Application(client, this.#client, this.baseUrl);
    this.#applications.set(clientId, application);
    return application;
  }

  /**
   * Returns the current credentials of a user: name, password and code. Throws `driver-failed` for a user that the
   * scenario does not define.
   */
  profile(userId: string): PlannedUser {
    const user = this.#users.get(userId);
    if (user !== undefined) return user;
    throw new NudgeLabError('driver-failed', { message: `The scenario does not define the user "${userId}".` });
  }

  /** Handlers of the steps that need no page. */
  readonly handlers: StepHandlers<ControlStepKind> = {
    advance: ({ say }) => done(this.api.advanceClock({ sandbox: this.sandbox, body: say })),
    setClock: ({ say }) =>
      done(this.api.putClock({ sandbox: this.sandbox, body: { now: toInstant(parseInstant(say) ?? 0) } })),
    setTenant: async ({ say }) => {
      const { facts, settings } = toTenantPatch(say);
      if (settings !== null) await this.api.patchSettings({ sandbox: this.sandbox, body: settings });
      return facts === null ? {} : done(this.api.patchTenant({ sandbox: this.sandbox, body: facts }));
    },
    setFaults: ({ say }) => done(this.api.putFaults({ sandbox: this.sandbox, body: { faults: say } })),
    setUser: async ({ say: { user, ...patch } }) => {
      this.#users.set(user, await this.api.patchUser({ sandbox: this.sandbox, user, body: patch }));
      return {};
    },
    removeMethod: ({ say: { user, method } }) => done(this.api.removeMethod({ sandbox: this.sandbox, user, method })),
    getPolicy: (step) => this.#policy('GET', step),
    patchPolicy: (step) => this.#policy('PATCH', step),
    callApi: ({ say }) => this.#callApi(toApiCall(say)),
    lookup: (step) => this.#lookUp(step),
    document: ({ say }) => this.#documents(say),
    explain: async ({ say: { user, ...attempt } }) => {
      const {
        headline: _headline,
        sentences: _sentences,
        ...explained
      } = await this.api.explain({
        sandbox: this.sandbox,
        body: { user, attempt },
      });
      return { explained, outcome: explained.outcome };
    },
  };

  async #journalAfter(after: number): Promise<readonly JournalEntry[]> {
    const query = { after, limit: listRowsMax };
    const { entries, next } = await this.api.listJournal({ sandbox: this.sandbox, query });
    // A redacted event has the same type as the original event.
    const page = entries as unknown as readonly JournalEntry[];
    return next === null ? page : [...page, ...(await this.#journalAfter(next))];
  }

  #userNow(user: string): Promise<ControlReply<'getUser'>> {
    return this.api.getUser({ sandbox: this.sandbox, user });
  }

  #prepareSignIn(user: string, body: ControlRequest<'prepareSignIn'>['body']): Promise<unknown> {
    return this.api.prepareSignIn({ sandbox: this.sandbox, user, body });
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
    return { status: answer.status, headers: textHeaders(answer.headers), body: parseJson(answer) };
  }

  async #callApi({ method, version, path, query, headers, body, token }: ApiCall): Promise<Observation> {
    const answer = await this.#client.send({
      method,
      url: `${this.baseUrl}/${version}${path}${query === '' ? '' : `?${query}`}`,
      headers: { ...(await this.#authorization(token)), ...headers },
      ...(body === null ? {} : { body }),
    });
    return { status: answer.status, headers: textHeaders(answer.headers), body: parseJson(answer) };
  }

  async #lookUp({ say }: StepOf<'lookup'>): Promise<Observation> {
    const { method, query, authorization, times } = toLookupCall(say);
    const url = `${this.baseUrl}/api/v2/${query === '' ? '' : `?${query}`}`;
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const ask = (): Promise<HttpAnswer> => this.#client.send({ method, url, headers });
    // All calls are identical, so the only requirement is that the last one runs last.
    await manyAtOnce(times - 1, ask);
    const answer = await ask();
    return { status: answer.status, headers: textHeaders(answer.headers), body: parseJson(answer) };
  }

  /** Calls the document API like any client, or the control API for changes that no client can make. */
  async #documents(say: DocumentStep): Promise<Observation> {
    const call = toDocumentCall(say);
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
    return { status: answer.status, headers: textHeaders(answer.headers), body: parseJson(answer) };
  }

  async #actOnDocuments(act: DocumentAct): Promise<Observation> {
    const { status, text } = await this.#documentResponse(act);
    return { status, body: parseJson({ text }) };
  }

  /** Returns the response to a direct change of documents. An error response is an observation too. */
  #documentResponse(act: DocumentAct): Promise<ReceivedResponse> {
    const { sandbox } = this;
    switch (act.kind) {
      case 'add':
        return this.api.exchange('addDocument', { sandbox, body: act.document });
      case 'series':
        return this.api.exchange('addSyntheticDocuments', { sandbox, body: act.series });
      case 'move':
        return this.api.exchange('transitionDocument', {
          sandbox,
          document: act.id,
          body: { move: act.move, pages: act.pages },
        });
      case 'remove':
        return this.api.exchange('removeDocument', { sandbox, document: act.id });
    }
  }

  async #token(request: TokenRequestBody): Promise<string> {
    return (await this.api.issueToken({ sandbox: this.sandbox, body: request })).access_token;
  }

  async #authorization(description: StepOf<'getPolicy'>['say']['as']): Promise<Record<string, string>> {
    const request = parseTokenRequest(description);
    if (request === null) return {};
    if (request === invalidToken) return { authorization: `Bearer ${invalidToken}` };
    return { authorization: `Bearer ${await this.#token(request)}` };
  }
}

/** Maximum number of identical calls in progress at the same time. */
const concurrentCallsMax = 8;

/** Performs an action a number of times, some of them concurrently. */
async function manyAtOnce(times: number, act: () => Promise<unknown>): Promise<void> {
  let begun = 0;
  const actInTurn = async (): Promise<void> => {
    while (begun < times) {
      begun += 1;
      await act();
    }
  };
  await Promise.all(Array.from({ length: Math.min(times, concurrentCallsMax) }, actInTurn));
}

/** Returns the observation of a step without visible results. */
async function done(request: Promise<unknown>): Promise<Observation> {
  await request;
  return {};
}

function textHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
