import { batchRequestSchema } from '../../contract/directory-api/batch.schema.ts';
import { type Dialect, getErrorArea } from '../../contract/directory-api/dialect.ts';
import type { DirectoryApiOperation } from '../../contract/directory-api/directory-api-operations.ts';
import { createMetadataDocument, createServiceDocument } from '../../contract/directory-api/metadata.ts';
import { reportOperations } from '../../contract/directory-api/method-operations.ts';
import { directoryObjectTypes } from '../../contract/directory-api/resource-types.ts';
import type { FaultyEndpoint } from '../../contract/fault.schema.ts';
import { type QueryOptions, readQueryOptions } from '../../contract/odata/query-options.ts';
import { parseOr } from '../../contract/parse.ts';
import type { RequestMark } from '../../contract/policy-error.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { randomId } from '../../core/ids.ts';
import { acceptsJson } from '../documents/accepts-json.ts';
import type { FaultInjector } from '../fault-injector.ts';
import type { PolicyService } from '../policy-service.ts';
import type { Recorder } from '../recorder.ts';
import { StoredSecret } from '../stored-secret.ts';
import type { Caller } from '../token-service.ts';
import { requireAccess } from './access-check.ts';
import { type PlannedRequest, planBatch, toComparableRequestId } from './batch-plan.ts';
import { handlePolicy, isPolicyPath, runBatch, shuffle, toFaultResponse, waitMs } from './batch-run.ts';
import { ConfigurationChanges } from './configurations/configuration-changes.ts';
import type { DirectoryCall } from './directory-call.ts';
import {
  type ApiVersion,
  type DirectoryApiRequest,
  type DirectoryApiResponse,
  jsonMediaType,
} from './directory-exchange.ts';
import { directoryHandlers } from './directory-handlers.ts';
import { DirectoryStates } from './directory-states.ts';
import type { DirectoryView } from './directory-view.ts';
import { isLogOperation, LogRequests } from './logs/log-requests.ts';
import { listSignInProperties } from './logs/sign-in-rows.ts';
import { MethodChanges } from './methods/method-changes.ts';
import { PageTokens } from './page-tokens.ts';
import { orderRows, PlannedQuery } from './resource-list.ts';
import { toSelectable } from './resource-rendering.ts';
import { ResourceResponse } from './resource-response.ts';
import type { AnyResourceSet } from './resource-set.ts';
import { listMethods, type MatchedPath, matchPath } from './route-match.ts';

const hourMs = 3_600_000;

/** Directory API of one sandbox, independent of HTTP. It reads the state of the journal and keeps none of its own. */
export class DirectoryRequests {
  readonly #recorder: Recorder;
  readonly #parts: { readonly policy: PolicyService; readonly faults: FaultInjector };
  readonly #states: DirectoryStates;
  readonly #pageTokens: PageTokens;
  readonly #logs: LogRequests;

  /** Creates the API of a sandbox. Batches use its policy and its faults. */
  constructor(recorder: Recorder, parts: { readonly policy: PolicyService; readonly faults: FaultInjector }) {
    this.#recorder = recorder;
    this.#parts = parts;
    this.#states = new DirectoryStates(recorder);
    const secret = new StoredSecret(recorder, 'directory-page-key');
    this.#pageTokens = new PageTokens(secret);
    this.#logs = new LogRequests(recorder, { states: this.#states, secret });
  }

  /** Returns the settings of the API and the names that it uses on the wire. */
  get view(): DirectoryView {
    return this.#states.current();
  }

  /**
   * Handles a request. Throws the errors with which the API rejects it: `not-found`, `method-not-allowed`,
   * `not-acceptable`, `unauthenticated`, `access-denied`, `bad-request`, and those of the body.
   */
  async handle(request: DirectoryApiRequest): Promise<DirectoryApiResponse> {
    const { dialect } = this.view;
    const document = describeApi(request, dialect);
    if (document !== null) return document;
    const matched = await this.#match(request);
    if ('status' in matched) return matched;
    const operation = getOperation(matched, request);
    const isPlain = readAccept(request.headers.accept);
    const caller = await request.authenticate();
    if (operation.id === 'postBatch') return this.#handleBatch(request);
    const params = matched.isOwn ? { ...matched.params, user: getOwnUser(caller) } : matched.params;
    requireAccess(caller, operation.access, this.#isOwn(params, caller));
    const options = this.#readOptions(request, operation, matched);
    const { filter, search, orderby } = options;
    const orderKey = JSON.stringify([operation.id, matched.cast, params, orderby, getRowVersion(operation, request)]);
    const listKey = filter === null && search === null ? orderKey : JSON.stringify([orderKey, filter, search]);
    if (isLogOperation(operation.id)) {
      const response = new ResourceResponse({ request, view: this.view, options, isPlain });
      return this.#logs.answer({ operation, params, options, caller, listKey }, response);
    }
    const position = options.skiptoken === null ? null : await this.#pageTokens.read(options.skiptoken, listKey);
    const view = position === null ? await this.#firstView(operation) : await this.#states.at(position.seq);
    const pageKey = JSON.stringify([
      listKey,
      request.root,
      request.path,
      request.query,
      request.headers.prefer,
      isPlain,
    ]);
    const known = view.pages.get(pageKey);
    if (known !== undefined) return known;
    const call: DirectoryCall = {
      view,
      params,
      cast: matched.cast,
      caller,
      request,
      changes: new MethodChanges(this.#recorder, request.onRecorded),
      configurations: new ConfigurationChanges(this.#recorder, request.onRecorded),
      readBody: () => readBody(operation, request),
      currentView: () => this.view,
    };
    const result = await directoryHandlers[operation.id](call);
    const response = new ResourceResponse({ request, view, options, isPlain });
    if (result.kind === 'value') return response.value(result.type, result.value);
    if (result.kind === 'done') return { status: 204, headers: {}, body: null };
    if (result.kind === 'created') return response.created(result.set, result.id);
    if (result.kind === 'changed') return response.changed(result.set);
    if (operation.result === 'object') return response.single(result.set);
    // Short lists without pages can depend on the version and on the time.
    const isCached = operation.row.page !== null;
    const query = isCached
      ? planQuery(view, { listKey, orderKey }, result.set, options)
      : new PlannedQuery(orderRows(result.set, options.orderby), result.set, options);
    if (matched.isCount) return response.count(query.count());
    const page = await response.page(result.set, query, {
      from: position?.offset ?? 0,
      skip: position === null ? options.skip : 0,
      page: operation.row.page,
      sign: (next) => this.#pageTokens.sign({ seq: view.seq, offset: next }, listKey),
    });
    return result.set.isSameForAll === true ? cachePage(view, pageKey, page) : page;
  }

  /** Returns the state that a request without a page token reads: an earlier one for reports that lag behind. */
  async #firstView({ id }: DirectoryApiOperation): Promise<DirectoryView> {
    const { view } = this;
    const lagHours = view.settings.reportLagHours ?? 0;
    if (lagHours === 0 || !Object.hasOwn(reportOperations, id)) return view;
    return this.#states.before(this.#recorder.nowMs() - lagHours * hourMs);
  }

  /** Runs the requests of a batch. Each one is authorized, meets faults and changes the sandbox by itself. */
  async #handleBatch(request: DirectoryApiRequest): Promise<DirectoryApiResponse> {
    const { root } = request;
    const { requests } = parseOr('bad-request', batchRequestSchema, await request.readBody(), 'body');
    const responses = await runBatch(planBatch(requests, root), {
      handle: (part) => this.#handlePart(part, request),
      mark: (path) => this.#mark(path),
    });
    const { settings, state } = this.view;
    const sent = requests.map(({ id }) => id);
    const ids = settings.batchOrder === 'shuffled' ? shuffle(sent, state.seed) : sent;
    const ordered = ids.map((id) => responses.get(toComparableRequestId(id)));
    return { status: 200, headers: { 'Content-Type': jsonMediaType }, body: { json: { responses: ordered } } };
  }

  /** Handles one request of a batch with the authorization of the batch. */
  async #handlePart(part: PlannedRequest, batch: DirectoryApiRequest): Promise<DirectoryApiResponse> {
    const headers = new Headers(part.headers);
    const fault = await this.#meetFault(isPolicyPath(part.path) ? 'policy' : 'directory', part.path);
    if (fault !== null) return fault;
    const getHeader = (name: string) => headers.get(name) ?? undefined;
    const request: DirectoryApiRequest = {
      ...batch,
      ...part,
      headers: {
        accept: getHeader('accept'),
        consistencyLevel: getHeader('consistencylevel'),
        prefer: getHeader('prefer'),
        ifMatch: getHeader('if-match'),
        ifNoneMatch: getHeader('if-none-match'),
      },
      readBody: () => Promise.resolve(part.body),
    };
    return this.handleAny(request, getHeader);
  }

  /**
   * Handles a request to any resource below a version, also to the policy. Throws the errors of `handle` and of the
   * policy.
   *
   * @param getHeader - returns a header of the request by its name in lower case
   */
  handleAny(
    request: DirectoryApiRequest,
    getHeader: (name: string) => string | undefined,
  ): Promise<DirectoryApiResponse> {
    if (!isPolicyPath(request.path)) return this.handle(request);
    return handlePolicy(request, this.#parts.policy, {
      ifMatch: getHeader('if-match'),
      ifNoneMatch: getHeader('if-none-match'),
    });
  }

  /** Applies the fault of an endpoint to one request of a batch. Returns the response that replaces its own. */
  async #meetFault(endpoint: FaultyEndpoint, path: string): Promise<DirectoryApiResponse | null> {
    const fault = this.#parts.faults.ofEndpoint(endpoint);
    if (fault === null) return null;
    await waitMs(fault.delayMs);
    return fault.end === null ? null : toFaultResponse(fault.end, this.#mark(path));
  }

  /** Returns the properties of a request of a batch that its errors depend on. */
  #mark(path: string): RequestMark {
    const { dialect } = this.view;
    return { requestId: randomId(), dateMs: this.#recorder.nowMs(), dialect, area: getErrorArea(path) };
  }

  /** Lists the methods of a path. Throws `not-found`. */
  methods(path: string, version: ApiVersion): string {
    const { dialect } = this.view;
    return isDocumentPath(path) ? 'GET, HEAD, OPTIONS' : listMethods(matchPath(path, dialect, version));
  }

  /** Finds the resource of a path, or returns the response to a known collection that is not simulated. */
  async #match(request: DirectoryApiRequest): Promise<MatchedPath | DirectoryApiResponse> {
    const { dialect, settings } = this.view;
    try {
      return matchPath(request.path, dialect, request.version);
    } catch (error) {
      const isListed = dialect.data.notSimulated.includes(toPlainPath(request.path));
      if (settings.unknownResource !== 'empty' || !isListed || request.method !== 'GET') throw error;
      await request.authenticate();
      const headers = { 'Content-Type': jsonMediaType, 'NudgeLab-Not-Simulated': 'true' };
      return { status: 200, headers, body: { json: { value: [] } } };
    }
  }

  /** Returns `true` if a path concerns only the token's own user. */
  #isOwn(params: Readonly<Record<string, string>>, { kind, subject }: Caller): boolean {
    const { user } = params;
    return user !== undefined && kind === 'delegated' && this.view.findUser(user)?.facts.id === subject;
  }

  #readOptions(
    { query, headers, version }: DirectoryApiRequest,
    { row, types }: DirectoryApiOperation,
    { isCount, cast }: MatchedPath,
  ): QueryOptions {
    const { view } = this;
    const { dialect, settings } = view;
    const type = toSelectable(cast === null ? types : [cast], dialect);
    const isFull = version === 'beta' || view.showsAll(type.typeName);
    const objects = toSelectable(directoryObjectTypes, dialect);
    return readQueryOptions(
      query,
      {
        row,
        type:
          type.typeName === 'signIn' ? { ...type, properties: listSignInProperties(type.properties, isFull) } : type,
        expandable: Object.fromEntries((row.expand ?? []).map((name) => [name, objects])),
      },
      {
        consistencyLevel: headers.consistencyLevel,
        isStrict: settings.strictQueries ?? true,
        isCountOnly: isCount,
      },
    );
  }
}

/** Returns the version if rows depend on it. */
function getRowVersion({ isVersioned }: DirectoryApiOperation, { version }: DirectoryApiRequest): string | null {
  return isVersioned ? version : null;
}

/** Returns the operation of a method. Throws `method-not-allowed`. */
function getOperation(matched: MatchedPath, { method, path }: DirectoryApiRequest): DirectoryApiOperation {
  const operation = matched.operations.get(method);
  if (operation !== undefined && !(matched.isCount && method !== 'GET')) return operation;
  const allow = listMethods(matched);
  throw new NudgeLabError('method-not-allowed', {
    message: `${path} does not support ${method}; allowed: ${allow}.`,
    headers: { Allow: allow },
  });
}

/** Returns `true` if the client accepts JSON only without annotations. Throws `not-acceptable` if it accepts none. */
function readAccept(accept: string | undefined): boolean {
  if (!acceptsJson(accept)) {
    throw new NudgeLabError('not-acceptable', { message: `The header Accept, ${accept}, admits no JSON.` });
  }
  return /odata\.metadata\s*=\s*none/i.test(accept ?? '');
}

/** Returns the id of the user for whom a token acts. Throws `bad-request` for a token without a user. */
function getOwnUser({ kind, subject }: Caller): string {
  if (kind === 'delegated') return subject;
  throw new NudgeLabError('bad-request', {
    message: 'The path "me" requires a token that acts for a user; this one acts for an application.',
  });
}

async function readBody({ body }: DirectoryApiOperation, request: DirectoryApiRequest): Promise<unknown> {
  return body === null ? undefined : parseOr('bad-request', body, await request.readBody(), 'body');
}

/** Plans the query of a list. Equal queries of the same state share their plan, and equal orders their rows. */
function planQuery(
  { queries, orders }: DirectoryView,
  { listKey, orderKey }: { readonly listKey: string; readonly orderKey: string },
  set: AnyResourceSet,
  options: QueryOptions,
): PlannedQuery {
  let planned = queries.get(listKey);
  if (planned !== undefined) return planned;
  const rows = orders.get(orderKey) ?? orderRows(set, options.orderby);
  orders.set(orderKey, rows);
  planned = new PlannedQuery(rows, set, options);
  queries.set(listKey, planned);
  return planned;
}

/** Caches a page as bytes, so an equal request of the same state is answered with the same ones. */
function cachePage({ pages }: DirectoryView, pageKey: string, page: DirectoryApiResponse): DirectoryApiResponse {
  if (page.body === null || !('json' in page.body)) return page;
  const rendered = { ...page, body: { bytes: Buffer.from(JSON.stringify(page.body.json)) } };
  pages.set(pageKey, rendered);
  return rendered;
}

/** Returns a path in lower case without the slashes at its ends. */
function toPlainPath(path: string): string {
  const lower = path.toLowerCase().slice(1);
  return lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

const metadataPath = '$metadata';

/** Returns `true` for the paths of the documents that describe the API. */
function isDocumentPath(path: string): boolean {
  const plain = toPlainPath(path);
  return plain === '' || plain === metadataPath;
}

/** Returns the service document or the metadata document. Neither requires a token. */
function describeApi({ path, method, root }: DirectoryApiRequest, dialect: Dialect): DirectoryApiResponse | null {
  if (!isDocumentPath(path)) return null;
  if (method !== 'GET') {
    const allow = 'GET, HEAD, OPTIONS';
    throw new NudgeLabError('method-not-allowed', {
      message: `${path} does not support ${method}; allowed: ${allow}.`,
      headers: { Allow: allow },
    });
  }
  if (toPlainPath(path) === '') {
    return { status: 200, headers: { 'Content-Type': jsonMediaType }, body: { json: createServiceDocument(root) } };
  }
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml' },
    body: { text: createMetadataDocument(dialect) },
  };
}
