import type { TenantFacts } from '../../machines/vocabulary.ts';
import { type MediaHeaders, refuseOtherMedia } from '../contract/json-media.ts';
import type { Policy } from '../contract/policy.schema.ts';
import type { PolicyCaller } from '../contract/policy-caller.ts';
import { type PolicyPatchReader, policyPatchReader } from '../contract/policy-patch.ts';
import { readPolicyQuery, type Selection, selectedFrom } from '../contract/policy-query.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { SandboxState } from '../journal/state.ts';
import { requireReader, requireWriter } from './policy-access.ts';
import { policyChange } from './policy-change.ts';
import { ifMatchHolds, ifNoneMatchHolds, prefersMinimal } from './policy-conditions.ts';
import { type PolicyRendering, renderPolicy } from './policy-projection.ts';
import type { Recorder } from './recorder.ts';

/** An answer of the policy API. */
export interface PolicyResponse {
  readonly status: 200 | 204 | 304;
  /** The whole policy on the wire; absent for 204 and 304. */
  readonly body: Policy | null;
  /** The bytes of the answer: the same, or what was selected of it. */
  readonly bytes: Buffer | null;
  readonly etag: string;
}

/** What a request may say besides its body. */
export interface PolicyReadOptions {
  /** The query of its address, without the question mark. */
  readonly query?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PolicyUpdateOptions {
  /** The query of its address, without the question mark: what the answer is to show. */
  readonly query?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly prefer?: string | undefined;
  /** What the request says of its body, where nothing has held it to that before. */
  readonly media?: MediaHeaders;
}

/** The policy API of one sandbox without its HTTP. */
export class PolicyService {
  readonly #recorder: Recorder;
  #rendering: PolicyRendering | null = null;
  #reader: { readonly wireName: string; readonly read: PolicyPatchReader } | null = null;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Reads the policy; 304 when the caller holds it. Throws `access-denied`, and `bad-request` for a wrong query. */
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
   * Updates the policy, all or nothing: 200 with the whole of it, or 204 where the caller prefers that. A body that changes
   * nothing leaves no trace. Resolves when the change is safe. Throws `access-denied`, `unsupported-media-type`,
   * `precondition-failed` and `bad-request` with every offending field.
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
        message: `If-Match names another version than ${before.etag}.`,
      });
    }
    const input = policyChange(this.#readerFor(state), body, before.subject, state);
    const safe = input === null ? this.#recorder.settled() : this.#recorder.record(input);
    // Taken before the wait, so that the answer shows this change and none that came after it.
    const after = this.#current(state);
    if (safe !== null) await safe;
    return prefersMinimal(prefer)
      ? { status: 204, body: null, bytes: null, etag: after.etag }
      : answered(after, selection);
  }

  /**
   * The facts of the tenant as an update would leave them; nothing changes. Takes the body of the update. Throws `bad-request`
   * with every offending field.
   */
  preview(body: unknown): TenantFacts {
    const state = this.#recorder.state();
    const input = policyChange(this.#readerFor(state), body, this.#current(state).subject, state);
    return { ...state.tenant, ...input?.facts };
  }

  /** The policy as it is now; it is rendered once for each change, because every change makes a new `tenant`. */
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

/** The tag is that of the policy, whatever is shown of it: what an update is held against is the whole. */
function answered({ policy, bytes, etag }: PolicyRendering, selection: Selection): PolicyResponse {
  if (selection === null) return { status: 200, body: policy, bytes, etag };
  const selected = Buffer.from(JSON.stringify(selectedFrom(policy, selection)));
  return { status: 200, body: policy, bytes: selected, etag };
}
