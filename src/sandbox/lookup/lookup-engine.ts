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

/** A request as it came in. */
export interface LookupRequest {
  readonly method: string;
  /** The query of its address, without the question mark. */
  readonly query: string;
  readonly authorization: string | undefined;
}

/** The answer, ready to be sent. */
export interface LookupResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in ASCII alone, which leaves in one piece with its head. */
  readonly text: string;
  /** What faults do to it on its way. */
  readonly effect: LineEffect;
  /** Which tool was asked by whom, for the log of requests; `null` where none was. */
  readonly asked: AskedTool | null;
}

export interface AskedTool {
  readonly type: string;
  readonly tool: string;
  readonly caller: string;
}

type Lookup = Extract<LookupCommand, { action: null }>;

/** A caller who is known, with what his call is evaluated by: everything about it happens at once. */
interface Call extends LookupCaller {
  readonly lookup: LookupState;
  readonly limits: readonly WindowLimit[];
  readonly nowMs: number;
}

interface Parts {
  readonly faults: FaultInjector;
  /** The address of the sandbox once a server answers for it, before that a name. */
  readonly issuer: () => string;
}

/** The lookup API of one sandbox: the same answers with a server and without one. */
export class LookupEngine {
  readonly #recorder: Recorder;
  readonly #faults: FaultInjector;
  readonly #cache: LookupResultCache;
  readonly credentials: Credentials;
  readonly administration: LookupAdministration;

  constructor(recorder: Recorder, { faults, issuer }: Parts) {
    this.#recorder = recorder;
    this.#faults = faults;
    this.#cache = new LookupResultCache(recorder, () => baseUrlOf(issuer()));
    this.credentials = new Credentials(recorder);
    this.administration = new LookupAdministration(recorder);
  }

  /** The tools, settings and known answers. */
  service(): LookupService {
    return this.#state().service;
  }

  /**
   * What a lookup would be answered with, as JSON; no one is asked for a token, and nothing is charged. Takes the query of an
   * address. Throws `bad-request`, and `access-denied` for a disabled tool.
   */
  async preview(query: string): Promise<string> {
    await this.#cache.ready();
    const question = parseLookupCommand(sentParameters(query), this.service().tools);
    refuseDisabled(question);
    return question.action === null ? this.#cache.answer(question, this.service()) : this.#cache.tools();
  }

  /** The account that an address was given out for; `null` for another one. */
  async account(type: LookupType, toolId: string, id: string): Promise<ShownAccount | null> {
    await this.#cache.ready();
    return this.#cache.account(type, toolId, id);
  }

  /**
   * Answers a request, in the order of checks that the specification decides: 405, 401, 403 for a suspended account, 400, 403
   * for a disabled tool, 429, answer. A failure is an answer too. What is charged is recorded before this resolves.
   */
  async ask(request: LookupRequest): Promise<LookupResponse> {
    await this.#cache.ready();
    try {
      refuseMethod(request.method);
      const sent = sentParameters(request.query);
      const apiKeys = sent.values.get('api_key') ?? [];
      const proved = this.credentials.callerOf({ authorization: request.authorization, apiKeys });
      // A token is known at once: nothing then comes between asking for a quota and charging it.
      const caller = proved instanceof Promise ? await proved : proved;
      return this.#answer(caller, sent);
    } catch (error) {
      if (!(error instanceof NudgeLabError)) throw error;
      return failed(error, error.headers);
    }
  }

  /** Answers a caller who is known. From here on everything runs at once. */
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
    const asked = { type: question.type, tool: question.tool, caller: caller.id };
    const cost = question.tool === allTools ? caller.lookup.service.settings.costOfAll : 1;
    const full = findExceededWindow(useOf(caller), caller.limits, caller.nowMs, cost);
    if (full !== null) return { ...this.#tooMany(caller, full, cost), asked };
    const met = this.#faults.ofLookup(caller.id, question.tool);
    const burst = met.find(({ fault }) => fault.kind === 'lookup-too-many-requests');
    if (burst?.fault.kind === 'lookup-too-many-requests') return { ...this.#burst(caller, burst.fault), asked };
    this.#charge(caller, question.tool, cost);
    const headers = this.#quotaOf(caller);
    const { tools } = question;
    const hasLatency = tools.some(({ latencyMs }) => latencyMs > 0);
    if (met.length === 0 && !hasLatency) {
      return {
        status: 200,
        headers,
        text: this.#cache.answer(question, caller.lookup.service),
        effect: noEffect,
        asked,
      };
    }
    return { ...this.#bent(question, met), headers, asked };
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
    // It is folded when this returns; anyone who answers waits for the store.
    this.#recorder.record({ type: 'lookup.charged', caller: caller.id, tool, cost }).catch(() => undefined);
  }

  /**
   * What a call costs that is refused, and what it is told of the quota then. What does not fit any more is not charged: no window
   * ever holds more than its limit.
   */
  #refused(caller: Call): Readonly<Record<string, string>> {
    const { costOfRefused } = caller.lookup.service.settings;
    const fits = findExceededWindow(useOf(caller), caller.limits, caller.nowMs, costOfRefused) === null;
    if (costOfRefused > 0 && fits) this.#charge(caller, null, costOfRefused);
    return this.#quotaOf(caller);
  }

  /** A call beyond a limit costs nothing. One that never fits is told so, and not when to come back. */
  #tooMany(caller: Call, full: QuotaWindow, cost: number): LookupResponse {
    const { nowMs } = caller;
    if (full.resetMs === Number.POSITIVE_INFINITY) {
      const message = `The call costs ${cost}, and the limit is ${full.limit} requests a ${full.name}: it never passes.`;
      return failed(new NudgeLabError('too-many-requests', { message }), this.#quotaOf(caller));
    }
    const message = `The limit of ${full.limit} requests a ${full.name} is reached.`;
    return failed(new NudgeLabError('too-many-requests', { message }), {
      ...quotaHeaders(full, caller.lookup.service.settings.resetUnit, nowMs),
      'Retry-After': String(resetIn('delta_s', full.resetMs, nowMs)),
    });
  }

  #burst(caller: Call, { retryAfterSeconds }: { readonly retryAfterSeconds: number }): LookupResponse {
    const error = new NudgeLabError('too-many-requests', { message: 'A fault of this sandbox lets no call through.' });
    return failed(error, { ...this.#quotaOf(caller), 'Retry-After': String(retryAfterSeconds) });
  }

  #plain(caller: Call, text: string): LookupResponse {
    return { status: 200, headers: this.#quotaOf(caller), text, effect: noEffect, asked: null };
  }

  #usage(caller: Call): object {
    const { nowMs } = caller;
    const { resetUnit } = caller.lookup.service.settings;
    const use = useOf(caller);
    const windows = windowsAt(use, caller.limits, nowMs).map(({ resetMs, ...window }) => ({
      ...window,
      reset: resetIn(resetUnit, resetMs, nowMs),
    }));
    const byTool: Record<string, unknown> = {};
    for (let index = 0; index < use.byTool.length; index += 2)
      byTool[String(use.byTool[index])] = use.byTool[index + 1];
    return { success: true, auth: caller.auth, tier: caller.account.tier, windows, by_tool: byTool };
  }

  #quotaOf(caller: Call): Readonly<Record<string, string>> {
    const { nowMs } = caller;
    const window = tightest(windowsAt(useOf(caller), caller.limits, nowMs));
    return quotaHeaders(window, caller.lookup.service.settings.resetUnit, nowMs);
  }

  #state(): LookupState {
    return this.#recorder.state().lookup;
  }
}

function useOf({ lookup, id }: Call): CallerUse {
  return lookup.uses.get(id) ?? noUse;
}

/** An answer that tells a failure in the shape of this API. Takes its headers. */
function failed(error: NudgeLabError, headers: Readonly<Record<string, string>>): LookupResponse {
  const text = asciiJson(toLookupFailure(error));
  return { status: error.status, headers, text, effect: noEffect, asked: null };
}

/** Only GET is answered (L1); HEAD is none. Throws `method-not-allowed`. */
function refuseMethod(method: string): void {
  if (method === 'GET') return;
  throw new NudgeLabError('method-not-allowed', { message: 'Only GET is allowed.', headers: { Allow: 'GET' } });
}

/** Throws `access-denied` for a disabled tool (L6); `all` leaves it out. */
function refuseDisabled(question: LookupCommand): void {
  if (question.action !== null || question.tool === allTools) return;
  if (question.tools.some(({ enabled }) => enabled)) return;
  throw new NudgeLabError('access-denied', { message: `The tool ${question.tool} is disabled.` });
}

/** Addresses have to be addresses, also where no server answers at them. */
function baseUrlOf(issuer: string): string {
  return issuer.startsWith('http') ? issuer : 'http://localhost';
}
