import type { TenantFacts } from '../../machines/vocabulary.ts';
import { getDialect } from '../contract/directory-api/dialect.ts';
import { type MediaHeaders, refuseOtherMedia } from '../contract/json-media.ts';
import type { Policy } from '../contract/policy.schema.ts';
import type { PolicyCaller } from '../contract/policy-caller.ts';
import { type PolicyPatchReader, policyPatchReader } from '../contract/policy-patch.ts';
import { readPolicyQuery, type Selection, selectedFrom } from '../contract/policy-query.ts';
import type { ResolveId } from '../contract/policy-targets.ts';
import { NudgeLabError } from '../core/errors.ts';
import { LruMap } from '../core/lru-map.ts';
import type { ChangeCaller } from '../journal/journal-event.ts';
import type { SandboxState } from '../journal/state.ts';
import { requireReader, requireWriter } from './policy-access.ts';
import { policyChange } from './policy-change.ts';
import { ifMatchHolds, ifNoneMatchHolds, readReturnPreference } from './policy-conditions.ts';
import { createIdResolver, listTargetIds } from './policy-ids.ts';
import { type PolicyRendering, type PolicyView, renderPolicy } from './policy-projection.ts';
import type { Recorder } from './recorder.ts';

/** Response of the policy API. */
export interface PolicyResponse {
  readonly status: 200 | 204 | 304;
  /** Complete policy in the API format, or `null` for 204 and 304. */
  readonly body: Policy | null;
  /** Bytes of the response: the complete policy, or the selected part of it. */
  readonly bytes: Buffer | null;
  readonly etag: string;
  /** Preference that was applied, if the request had one. */
  readonly applied?: 'minimal' | 'representation';
}

/** Returns the headers of a response of the policy: its version, and the preference that was applied (DIR30). */
export function toPolicyHeaders({ etag, applied }: PolicyResponse): Readonly<Record<string, string>> {
  return applied === undefined ? { ETag: etag } : { ETag: etag, 'Preference-Applied': `return=${applied}` };
}

/** Request options other than the body. */
export interface PolicyReadOptions {
  /** Query of the URL, without the question mark. */
  readonly query?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Default: `/v1.0` without a server. */
  readonly view?: PolicyView;
}

export interface PolicyUpdateOptions {
  /** Query of the URL without the question mark, which selects the properties in the response. */
  readonly query?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly prefer?: string | undefined;
  /** Default: `/v1.0` without a server. */
  readonly view?: PolicyView;
  /** Media type headers of the request, if they have not been validated before. */
  readonly media?: MediaHeaders;
  /** Called with the sequence number of the journal entry that the update made. */
  readonly onRecorded?: ((seq: number) => void) | undefined;
}

const viewDefault: PolicyView = { version: 'v1.0', root: '/v1.0/' };

/** Reader of a PATCH with the settings that it depends on. */
interface CachedReader {
  readonly settings: SandboxState['settings'];
  readonly isV1Only: boolean;
  readonly read: PolicyPatchReader;
}

/** Number of renderings that are kept: one per address and version that clients use. */
const renderingsMax = 8;

/** Policy API of one sandbox, independent of HTTP. */
export class PolicyService {
  readonly #recorder: Recorder;
  #reader: CachedReader | null = null;
  readonly #renderings = new LruMap<string, PolicyRendering>({ max: renderingsMax });

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Reads the policy. Returns 304 if the caller already has it. Throws `access-denied`, or `bad-request` for an
   * invalid query.
   */
  read(caller: PolicyCaller, { query = '', ifNoneMatch, view = viewDefault }: PolicyReadOptions = {}): PolicyResponse {
    requireReader(caller);
    const state = this.#recorder.state();
    const selection = readPolicyQuery(query, getDialect(state.settings));
    const rendering = this.#current(state, view);
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
    { query = '', ifMatch, prefer, media, view = viewDefault, onRecorded }: PolicyUpdateOptions = {},
  ): Promise<PolicyResponse> {
    requireWriter(caller);
    if (media !== undefined) refuseOtherMedia(media);
    const state = this.#recorder.state();
    const selection = readPolicyQuery(query, getDialect(state.settings));
    const before = this.#current(state, view);
    if (ifMatch !== undefined && !ifMatchHolds(ifMatch, before.etag)) {
      throw new NudgeLabError('precondition-failed', {
        message: `If-Match does not match the current version, ${before.etag}.`,
      });
    }
    const input = policyChange(this.#getReader(state, view), body, before.subject, state);
    const safe = input === null ? this.#recorder.settled() : this.#recorder.record({ ...input, ...toCaller(caller) });
    if (input !== null) onRecorded?.(this.#recorder.state().lastSeq);
    // The rendering is taken before the wait, so the response shows this change and no later one.
    const after = this.#current(state, view);
    if (safe !== null) await safe;
    const applied = readReturnPreference(prefer);
    const response =
      applied === 'minimal'
        ? ({ status: 204, body: null, bytes: null, etag: after.etag } as const)
        : answered(after, selection);
    return applied === null ? response : { ...response, applied };
  }

  /**
   * Returns the tenant facts after an update without applying it. `body` is the body of the update. Throws
   * `bad-request` with every invalid field.
   */
  preview(body: unknown): TenantFacts {
    const state = this.#recorder.state();
    const input = policyChange(
      this.#getReader(state, viewDefault),
      body,
      this.#current(state, viewDefault).subject,
      state,
    );
    return { ...state.tenant, ...input?.facts };
  }

  /** Returns the reader of a PATCH with the names and ids of the tenant, which is created once per settings. */
  #getReader(state: SandboxState, { version }: PolicyView): PolicyPatchReader {
    const { settings } = state;
    const isV1Only = settings.directory?.betaOnly === true && version === 'v1.0';
    if (this.#reader?.settings !== settings || this.#reader.isV1Only !== isV1Only) {
      const resolveId: ResolveId = (given) => createResolver(this.#recorder.state())(given);
      const read = policyPatchReader({ dialect: getDialect(settings), resolveId, isV1Only });
      this.#reader = { settings, isV1Only, read };
    }
    return this.#reader.read;
  }

  /** Returns the current policy, which is rendered once per change and view. */
  #current(state: SandboxState, view: PolicyView): PolicyRendering {
    const { tenant, settings, extras, tenantChangedAtMs, tenantChangedBetweenMs } = state;
    const { policyContext, targetContexts } = getDialect(settings).data;
    const isRooted = policyContext === 'absolute' || targetContexts;
    const key = isRooted ? `${view.version} ${view.root}` : view.version;
    const known = this.#renderings.get(key);
    // Every change of facts or extras creates a new `tenant`.
    if (known?.source.tenant === tenant && known.source.settings === settings) return known;
    const source = { tenant, settings, extras, tenantChangedAtMs, tenantChangedBetweenMs };
    const rendering = renderPolicy(source, isRooted ? view : { ...view, root: '' }, known);
    this.#renderings.set(key, rendering);
    return rendering;
  }
}

/** Creates the function that resolves ids of objects, including those of targets that the directory does not know. */
export function createResolver(state: SandboxState): ResolveId {
  return createIdResolver(state, () =>
    listTargetIds([state.tenant.campaign, state.tenant.methodsPolicy, state.extras]),
  );
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
