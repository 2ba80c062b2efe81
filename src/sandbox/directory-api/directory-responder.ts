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
import { TimeSlices } from '../../core/time-slices.ts';
import type { FaultInjector } from '../fault-injector.ts';
import type { PolicyService } from '../policy-service.ts';
import type { Recorder } from '../recorder.ts';
import { StoredSecret } from '../stored-secret.ts';
import type { Caller } from '../token-service.ts';
import { acceptsPlainJson } from './accepted-json.ts';
import { requireAccess } from './access-check.ts';
import { type PlannedRequest, planBatch, toComparableRequestId } from './batch-plan.ts';
import { handlePolicy, isPolicyPath, joinResponses, runBatch, shuffle, toFaultResponse, waitMs } from './batch-run.ts';
import { ConfigurationChanges } from './configurations/configuration-changes.ts';
import type { DirectoryCall, DirectoryHandler } from './directory-call.ts';
import {
  type ApiVersion,
  type DirectoryApiRequest,
  type DirectoryApiResponse,
  jsonMediaType,
} from './directory-exchange.ts';
import { directoryHandlers } from './directory-handlers.ts';
import type { DirectoryStates, StatePlace, StateTask } from './directory-states.ts';
import type { DirectoryView } from './directory-view.ts';
import { isLogOperation, LogRequests } from './logs/log-requests.ts';
import { listSignInProperties } from './logs/sign-in-rows.ts';
import { MethodChanges } from './methods/method-changes.ts';
import { type PagePosition, PageTokens } from './page-tokens.ts';
import { orderRows, PlannedQuery } from './resource-list.ts';
import { toSelectable } from './resource-rendering.ts';
import { ResourceResponse } from './resource-response.ts';
import type { AnyResourceSet } from './resource-set.ts';
import { listMethods, type MatchedPath, matchPath } from './route-match.ts';

const hourMs = 3_600_000;

/** Request whose path, access and options were checked. */
interface CheckedRequest {
  readonly request: DirectoryApiRequest;
  readonly matched: MatchedPath;
  readonly operation: DirectoryApiOperation;
  readonly handler: DirectoryHandler;
  readonly options: QueryOptions;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** Position of the page, or `null` for the first one. */
  readonly position: PagePosition | null;
  readonly isPlain: boolean;
  /** Identifies the list with its filter and order, and with its order alone. */
  readonly listKey: string;
  readonly orderKey: string;
}

/** Parts of a sandbox that the requests of a batch use. */
export interface DirectoryParts {
  readonly policy: PolicyService;
  readonly faults: FaultInjector;
}

/** Handles the requests to the directory API of one sandbox. */
export class DirectoryResponder {
  readonly #recorder: Recorder;
  readonly #parts: DirectoryParts;
  readonly #states: DirectoryStates;
  readonly #pageTokens: PageTokens;
  readonly #logs: LogRequests;

  /** Creates the responder of a sandbox, which reads the given states. Batches use the policy and the faults. */
  constructor(recorder: Recorder, states: DirectoryStates, parts: DirectoryParts) {
    this.#recorder = recorder;
    this.#parts = parts;
    this.#states = states;
    const secret = new StoredSecret(recorder, 'directory-page-key');
    this.#pageTokens = new PageTokens(secret);
    this.#logs = new LogRequests(recorder, { states: this.#states, secret });
  }

  private get view(): DirectoryView {
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
    const isPlain = acceptsPlainJson(request.headers.accept);
    const caller = await request.authenticate();
    if (operation.id === 'postBatch') return this.#handleBatch(request);
    const params = matched.isOwn ? { ...matched.params, user: getOwnUser(caller) } : matched.params;
    requireAccess(caller, operation.access, this.#isOwn(params, caller));
    const options = this.#readOptions(request, operation, matched);
    const { filter, search, orderby } = options;
    const orderKey = JSON.stringify([operation.id, matched.cast, params, orderby, getRowVersion(operation, request)]);
    const listKey = filter === null && search === null ? orderKey : JSON.stringify([orderKey, filter, search]);
    if (isLogOperation(operation.id)) {
      const slices = new TimeSlices();
      const response = new ResourceResponse({ request, view: this.view, options, isPlain, slices });
      return this.#logs.answer({ operation, params, options, caller, listKey }, response);
    }
    const position = options.skiptoken === null ? null : await this.#pageTokens.read(options.skiptoken, listKey);
    const place = position === null ? this.#findFirstPlace(operation) : { seq: position.seq };
    const handler = directoryHandlers[operation.id];
    const exchange = {
      request,
      matched,
      operation,
      handler,
      options,
      caller,
      params,
      position,
      isPlain,
      listKey,
      orderKey,
    };
    const task: StateTask<DirectoryApiResponse> = (view, slices) => this.#answer({ view, slices }, exchange);
    return request.method === 'GET' ? this.#states.read(place, task) : task(this.view, new TimeSlices());
  }

  /** Answers a checked request from a state. */
  async #answer(
    { view, slices }: { readonly view: DirectoryView; readonly slices: TimeSlices },
    exchange: CheckedRequest,
  ): Promise<DirectoryApiResponse> {
    const { request, matched, operation, handler, options, caller, params, position, isPlain, listKey, orderKey } =
      exchange;
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
      slices,
      changes: new MethodChanges(this.#recorder, request.onRecorded),
      configurations: new ConfigurationChanges(this.#recorder, request.onRecorded),
      readBody: () => readBody(operation, request),
      currentView: () => this.view,
    };
    const result = await handler(call);
    const response = new ResourceResponse({ request, view, options, isPlain, slices });
    if (result.kind === 'value') return response.value(result.type, result.value);
    if (result.kind === 'done') return { status: 204, headers: {}, body: null };
    if (result.kind === 'created') return response.created(result.set, result.id);
    if (result.kind === 'changed') return response.changed(result.set);
    if (operation.result === 'object') return response.single(result.set);
    // Short lists without pages can depend on the version and on the time.
    const isCached = operation.row.page !== null;
    const query = isCached
      ? await planQuery(view, { listKey, orderKey, slices }, result.set, options)
      : new PlannedQuery(await orderRows(result.set, options.orderby, slices), result.set, options);
    if (matched.isCount) return response.count(await query.count(slices));
    const page = await response.page(result.set, query, {
      from: position?.offset ?? 0,
      skip: position === null ? options.skip : 0,
      page: operation.row.page,
      sign: (next) => this.#pageTokens.sign({ seq: view.seq, offset: next }, listKey),
    });
    if (result.set.isSameForAll === true) view.pages.set(pageKey, page);
    return page;
  }

  /** Returns the state that a request without a page token reads: an earlier one for reports that lag behind. */
  #findFirstPlace({ id }: DirectoryApiOperation): StatePlace {
    const lagHours = this.view.settings.reportLagHours ?? 0;
    if (lagHours === 0 || !Object.hasOwn(reportOperations, id)) return 'current';
    return { atMs: this.#recorder.nowMs() - lagHours * hourMs };
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
    const ordered = ids.flatMap((id) => responses.get(toComparableRequestId(id)) ?? []);
    return { status: 200, headers: { 'Content-Type': jsonMediaType }, body: { bytes: joinResponses(ordered) } };
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
    const names = cast === null ? types : [cast];
    const type = toSelectable(names, dialect);
    const isSignIn = names[0] === 'signIn';
    const isFull = version === 'beta' || (isSignIn && view.showsAll('signIn'));
    const objects = toSelectable(directoryObjectTypes, dialect);
    return readQueryOptions(
      query,
      {
        row,
        type: isSignIn ? { ...type, properties: listSignInProperties(type.properties, isFull) } : type,
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
async function planQuery(
  { queries, orders }: DirectoryView,
  { listKey, orderKey, slices }: Pick<CheckedRequest, 'listKey' | 'orderKey'> & { readonly slices: TimeSlices },
  set: AnyResourceSet,
  options: QueryOptions,
): Promise<PlannedQuery> {
  let planned = queries.get(listKey);
  if (planned !== undefined) return planned;
  const rows = orders.get(orderKey) ?? (await orderRows(set, options.orderby, slices));
  orders.set(orderKey, rows);
  planned = new PlannedQuery(rows, set, options);
  queries.set(listKey, planned);
  return planned;
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
function describeApi(
  { path, method, root, version }: DirectoryApiRequest,
  dialect: Dialect,
): DirectoryApiResponse | null {
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
    body: { text: createMetadataDocument(dialect, version === 'beta') },
  };
}
