import { allTools, type LookupType } from '../../contract/lookup.schema.ts';
import { asciiJson, quotaHeaders, resetIn, toLookupFailure } from '../../contract/lookup-responses.ts';
import { NudgeLabError } from '../../core/errors.ts';
import {
  findExceededWindow,
  type QuotaWindow,
  tightest,
  type WindowLimit,
  windowsAt,
} from '../../core/quota-windows.ts';
import {
  type CallerUse,
  type LookupService,
  type LookupState,
  listWindowLimits,
  noUse,
} from '../../journal/lookup-state.ts';
import type { FaultInjector, MetLookupFault } from '../fault-injector.ts';
import type { Recorder } from '../recorder.ts';
import { Credentials, type LookupCaller } from './credentials.ts';
import { LookupAdministration } from './lookup-administration.ts';
import { type LookupCommand, parseLookupCommand, type SentParameters, sentParameters } from './lookup-command.ts';
import { LookupResultCache } from './lookup-result-cache.ts';
import type { ShownAccount } from './lookup-results.ts';
import { applyResponseFault, type FaultedResponse, type LineEffect, noEffect } from './response-faults.ts';

/** Incoming request. */
export interface LookupRequest {
  readonly method: string;
  /** Query of the URL, without the question mark. */
  readonly query: string;
  readonly authorization: string | undefined;
}

/** Response that is ready to send. */
export interface LookupResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in pure ASCII, which is sent in one piece with the response header. */
  readonly text: string;
  /** Effect of faults on the delivery of the response. */
  readonly effect: LineEffect;
  /** Requested tool and its caller for the request log, or `null` if no tool was requested. */
  readonly requestedTool: RequestedTool | null;
}

export interface RequestedTool {
  readonly type: string;
  readonly tool: string;
  readonly caller: string;
}

type Lookup = Extract<LookupCommand, { action: null }>;

/** Authenticated call with the data to evaluate it. All data is from the same instant. */
interface Call extends LookupCaller {
  readonly lookup: LookupState;
  readonly limits: readonly WindowLimit[];
  readonly nowMs: number;
}

interface Parts {
  readonly faults: FaultInjector;
  /** Returns the URL of the sandbox, or a name before a server runs for it. */
  readonly issuer: () => string;
}

/** Lookup API of one sandbox, with identical results with and without a server. */
export class LookupEngine {
  readonly #recorder: Recorder;
  readonly #faults: FaultInjector;
  readonly #cache: LookupResultCache;
  readonly credentials: Credentials;
  readonly administration: LookupAdministration;

  constructor(recorder: Recorder, { faults, issuer }: Parts) {
    this.#recorder = recorder;
    this.#faults = faults;
    this.#cache = new LookupResultCache(recorder, () => toBaseUrl(issuer()));
    this.credentials = new Credentials(recorder);
    this.administration = new LookupAdministration(recorder);
  }

  /** Returns the tools, settings and known responses. */
  service(): LookupService {
    return this.#state().service;
  }

  /**
   * Returns the JSON that a lookup would return, without authentication and without using quota. `query` is the query
   * of a URL. Throws `bad-request`, or `access-denied` for a disabled tool.
   */
  async preview(query: string): Promise<string> {
    await this.#cache.ready();
    const question = parseLookupCommand(sentParameters(query), this.service().tools);
    refuseDisabled(question);
    return question.action === null ? this.#cache.answer(question, this.service()) : this.#cache.tools();
  }

  /** Returns the account with an issued profile URL, or `null` if the URL was not issued. */
  async account(type: LookupType, toolId: string, id: string): Promise<ShownAccount | null> {
    await this.#cache.ready();
    return this.#cache.account(type, toolId, id);
  }

  /**
   * Handles a request. The specification defines the order of checks: 405, 401, 403 for a suspended account, 400, 403
   * for a disabled tool, 429, result. An error is returned as a response too. Quota usage is recorded before the
   * promise resolves.
   */
  async ask(request: LookupRequest): Promise<LookupResponse> {
    await this.#cache.ready();
    try {
      refuseMethod(request.method);
      const sent = sentParameters(request.query);
      const apiKeys = sent.values.get('api_key') ?? [];
      const proved = this.credentials.getCaller({ authorization: request.authorization, apiKeys });
      // A token is verified synchronously, so nothing can happen between checking the quota and using it.
      const caller = proved instanceof Promise ? await proved : proved;
      return this.#answer(caller, sent);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      return failed(error, error.headers);
    }
  }

  /** Responds to an authenticated caller. All further steps are synchronous. */
  #answer(proved: LookupCaller, sent: SentParameters): LookupResponse {
    if (proved.account.suspended) throw new NudgeLabError('access-denied', { message: 'The account is suspended.' });
    const lookup = this.#state();
    const caller = { ...proved, lookup, limits: listWindowLimits(lookup, proved.id), nowMs: this.#recorder.nowMs() };
    let question: LookupCommand;
    try {
      question = parseLookupCommand(sent, caller.lookup.service.tools);
      refuseDisabled(question);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      return failed(error, this.#refused(caller));
    }
    if (question.action === null) return this.#lookUp(caller, question);
    return this.#plain(caller, question.action === 'tools' ? this.#cache.tools() : asciiJson(this.#usage(caller)));
  }

  #lookUp(caller: Call, question: Lookup): LookupResponse {
    const requestedTool = { type: question.type, tool: question.tool, caller: caller.id };
    const cost = question.tool === allTools ? caller.lookup.service.settings.costOfAll : 1;
    const full = findExceededWindow(getUse(caller), caller.limits, caller.nowMs, cost);
    if (full !== null) return { ...this.#tooMany(caller, full, cost), requestedTool };
    const met = this.#faults.ofLookup(caller.id, question.tool);
    const burst = met.find(({ fault }) => fault.kind === 'lookup-too-many-requests');
    if (burst?.fault.kind === 'lookup-too-many-requests') return { ...this.#burst(caller, burst.fault), requestedTool };
    this.#charge(caller, question.tool, cost);
    const headers = this.#createQuotaHeaders(caller);
    const { tools } = question;
    const hasLatency = tools.some(({ latencyMs }) => latencyMs > 0);
    if (met.length === 0 && !hasLatency) {
      return {
        status: 200,
        headers,
        text: this.#cache.answer(question, caller.lookup.service),
        effect: noEffect,
        requestedTool,
      };
    }
    return { ...this.#bent(question, met), headers, requestedTool };
  }

  #bent(question: Lookup, met: readonly MetLookupFault[]): FaultedResponse {
    const latencyMs = Math.max(...question.tools.map((tool) => tool.latencyMs));
    return applyResponseFault(
      { query: question.query, type: question.type, results: this.#cache.results(question) },
      met,
      latencyMs,
    );
  }

  #charge(caller: Call, tool: string | null, cost: number): void {
    // The event has been applied when this call returns. The code that sends the response waits for the store.
    this.#recorder.record({ type: 'lookup.charged', caller: caller.id, tool, cost }).catch(() => undefined);
  }

  /**
   * Charges a rejected call and returns the quota headers. A cost that exceeds the remaining quota is not charged, so
   * the usage of a window never exceeds its limit.
   */
  #refused(caller: Call): Readonly<Record<string, string>> {
    const { costOfRefused } = caller.lookup.service.settings;
    const fits = findExceededWindow(getUse(caller), caller.limits, caller.nowMs, costOfRefused) === null;
    if (costOfRefused > 0 && fits) this.#charge(caller, null, costOfRefused);
    return this.#createQuotaHeaders(caller);
  }

  /**
   * Rejects a call that exceeds the quota, at no cost. If the call can never fit, the error says so and has no
   * `Retry-After`.
   */
  #tooMany(caller: Call, full: QuotaWindow, cost: number): LookupResponse {
    const { nowMs } = caller;
    if (full.resetMs === Number.POSITIVE_INFINITY) {
      const message = `The request costs ${cost}, more than the limit of ${full.limit} requests per ${full.name}, so it can never succeed.`;
      return failed(new NudgeLabError('too-many-requests', { message }), this.#createQuotaHeaders(caller));
    }
    const message = `The limit of ${full.limit} requests per ${full.name} is reached.`;
    return failed(new NudgeLabError('too-many-requests', { message }), {
      ...quotaHeaders(full, caller.lookup.service.settings.resetUnit, nowMs),
      'Retry-After': String(resetIn('delta_s', full.resetMs, nowMs)),
    });
  }

  #burst(caller: Call, { retryAfterSeconds }: { readonly retryAfterSeconds: number }): LookupResponse {
    const error = new NudgeLabError('too-many-requests', {
      message: 'An injected fault of this sandbox rejects all requests.',
    });
    return failed(error, { ...this.#createQuotaHeaders(caller), 'Retry-After': String(retryAfterSeconds) });
  }

  #plain(caller: Call, text: string): LookupResponse {
    return { status: 200, headers: this.#createQuotaHeaders(caller), text, effect: noEffect, requestedTool: null };
  }

  #usage(caller: Call): object {
    const { nowMs } = caller;
    const { resetUnit } = caller.lookup.service.settings;
    const use = getUse(caller);
    const windows = windowsAt(use, caller.limits, nowMs).map(({ resetMs, ...window }) => ({
      ...window,
      reset: resetIn(resetUnit, resetMs, nowMs),
    }));
    const byTool: Record<string, unknown> = {};
    for (let index = 0; index < use.byTool.length; index += 2)
      byTool[String(use.byTool[index])] = use.byTool[index + 1];
    return { success: true, auth: caller.auth, tier: caller.account.tier, windows, by_tool: byTool };
  }

  #createQuotaHeaders(caller: Call): Readonly<Record<string, string>> {
    const { nowMs } = caller;
    const window = tightest(windowsAt(getUse(caller), caller.limits, nowMs));
    return quotaHeaders(window, caller.lookup.service.settings.resetUnit, nowMs);
  }

  #state(): LookupState {
    return this.#recorder.state().lookup;
  }
}

function getUse({ lookup, id }: Call): CallerUse {
  return lookup.uses.get(id) ?? noUse;
}

/** Creates an error response in the format of this API with the given headers. */
function failed(error: NudgeLabError, headers: Readonly<Record<string, string>>): LookupResponse {
  const text = asciiJson(toLookupFailure(error));
  return { status: error.status, headers, text, effect: noEffect, requestedTool: null };
}

/** Rejects every method except GET, including HEAD (L1). Throws `method-not-allowed`. */
function refuseMethod(method: string): void {
  if (method === 'GET') return;
  throw new NudgeLabError('method-not-allowed', { message: 'Only GET is allowed.', headers: { Allow: 'GET' } });
}

/** Rejects a call of a disabled tool (L6). A call of `all` omits disabled tools. Throws `access-denied`. */
function refuseDisabled(question: LookupCommand): void {
  if (question.action !== null || question.tool === allTools) return;
  if (question.tools.some(({ enabled }) => enabled)) return;
  throw new NudgeLabError('access-denied', { message: `The tool ${question.tool} is disabled.` });
}

/** Returns a valid base URL, even if no server runs at it. */
function toBaseUrl(issuer: string): string {
  return issuer.startsWith('http') ? issuer : 'http://localhost';
}
