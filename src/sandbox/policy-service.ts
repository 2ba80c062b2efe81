import type { TenantFacts } from '../../machines/vocabulary.ts';
import { type MediaHeaders, refuseOtherMedia } from '../contract/json-media.ts';
import type { Policy } from '../contract/policy.schema.ts';
import type { PolicyCaller } from '../contract/policy-caller.ts';
import { type PolicyPatchReader, policyPatchReader } from '../contract/policy-patch.ts';
import { readPolicyQuery, type Selection, selectedFrom } from '../contract/policy-query.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { ChangeCaller } from '../journal/journal-event.ts';
import type { SandboxState } from '../journal/state.ts';
import { requireReader, requireWriter } from './policy-access.ts';
import { policyChange } from './policy-change.ts';
import { ifMatchHolds, ifNoneMatchHolds, prefersMinimal } from './policy-conditions.ts';
import { type PolicyRendering, renderPolicy } from './policy-projection.ts';
import type { Recorder } from './recorder.ts';

/** Response of the policy API. */
export interface PolicyResponse {
  readonly status: 200 | 204 | 304;
  /** Complete policy in the API format, or `null` for 204 and 304. */
  readonly body: Policy | null;
  /** Bytes of the response: the complete policy, or the selected part of it. */
  readonly bytes: Buffer | null;
  readonly etag: string;
}

/** Request options other than the body. */
export interface PolicyReadOptions {
  /** Query of the URL, without the question mark. */
  readonly query?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PolicyUpdateOptions {
  /** Query of the URL without the question mark, which selects the properties in the response. */
  readonly query?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly prefer?: string | undefined;
  /** Media type headers of the request, if they have not been validated before. */
  readonly media?: MediaHeaders;
}

/** Policy API of one sandbox, independent of HTTP. */
export class PolicyService {
  readonly #recorder: Recorder;
  #rendering: PolicyRendering | null = null;
  #reader: { readonly wireName: string; readonly read: PolicyPatchReader } | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Reads the policy. Returns 304 if the caller already has it. Throws `access-denied`, or `bad-request` for an
   * invalid query.
   */
  read(caller: PolicyCaller, { query = '', ifNoneMatch }: PolicyReadOptions = {}): PolicyResponse {
    requireReader(caller);
    const selection = readPolicyQuery(query);
    const rendering = this.#current(this.#recorder.state());
    if (ifNoneMatch !== undefined && ifNoneMatchHolds(ifNoneMatch, rendering.etag)) {
      return { status: 304, body: null, bytes: null, etag: rendering.etag };
    }
    return answered(rendering, selection);
  }

  /**
   * Updates the policy completely or not at all. Returns 200 with the whole policy, or 204 if the caller prefers
   * that. A body without changes is not recorded. Resolves when the change is stored. Throws `access-denied`,
   * `unsupported-media-type`, `precondition-failed`, or `bad-request` with every invalid field.
   */
  async update(
    caller: PolicyCaller,
    body: unknown,
    { query = '', ifMatch, prefer, media }: PolicyUpdateOptions = {},
  ): Promise<PolicyResponse> {
    requireWriter(caller);
    if (media !== undefined) refuseOtherMedia(media);
    const selection = readPolicyQuery(query);
    const state = this.#recorder.state();
    const before = this.#current(state);
    if (ifMatch !== undefined && !ifMatchHolds(ifMatch, before.etag)) {
      throw new NudgeLabError('precondition-failed', {
        message: `If-Match does not match the current version, ${before.etag}.`,
      });
    }
    const input = policyChange(this.#readerFor(state), body, before.subject, state);
    const safe = input === null ? this.#recorder.settled() : this.#recorder.record({ ...input, ...toCaller(caller) });
    // The rendering is taken before the wait, so the response shows this change and no later one.
    const after = this.#current(state);
    if (safe !== null) await safe;
    return prefersMinimal(prefer)
      ? { status: 204, body: null, bytes: null, etag: after.etag }
      : answered(after, selection);
  }

  /**
   * Returns the tenant facts after an update without applying it. `body` is the body of the update. Throws
   * `bad-request` with every invalid field.
   */
  preview(body: unknown): TenantFacts {
    const state = this.#recorder.state();
    const input = policyChange(this.#readerFor(state), body, this.#current(state).subject, state);
    return { ...state.tenant, ...input?.facts };
  }

  /** Returns the current policy, which is rendered once per change because every change creates a new `tenant`. */
  #current(state: SandboxState): PolicyRendering {
    if (this.#rendering?.source.tenant === state.tenant) return this.#rendering;
    const { tenant, settings, extras, tenantChangedAtMs, tenantChangedBetweenMs } = state;
    const source = { tenant, settings, extras, tenantChangedAtMs, tenantChangedBetweenMs };
    this.#rendering = renderPolicy(source, this.#rendering);
    return this.#rendering;
  }

  #readerFor({ settings: { authenticatorWireName: wireName } }: SandboxState): PolicyPatchReader {
    if (this.#reader?.wireName !== wireName) this.#reader = { wireName, read: policyPatchReader(wireName) };
    return this.#reader.read;
  }
}

/** Returns the caller of a change as the audit log names it; empty without a token. */
function toCaller({ kind, subject }: PolicyCaller): { readonly caller?: ChangeCaller } {
  if (subject === undefined) return {};
  return { caller: { kind: kind === 'delegated' ? 'user' : 'app', id: subject } };
}

/**
 * Creates a response. The ETag always identifies the whole policy, because conditional updates compare the whole.
 */
function answered({ policy, bytes, etag }: PolicyRendering, selection: Selection): PolicyResponse {
  if (selection === null) return { status: 200, body: policy, bytes, etag };
  const selected = Buffer.from(JSON.stringify(selectedFrom(policy, selection)));
  return { status: 200, body: policy, bytes: selected, etag };
}
