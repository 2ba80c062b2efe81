import type { BatchRequest } from '../../contract/directory-api/batch.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';

/** Request of a batch with its path below the version and its query. */
export interface PlannedRequest extends BatchRequest {
  readonly path: string;
  readonly query: string;
}

/** Returns the form in which equal ids of a batch are identical. */
export function toComparableRequestId(id: string): string {
  return id.toLowerCase();
}

/**
 * Checks the requests of a batch and returns them in the order in which they run: as sent, but after the requests that
 * they depend on.
 *
 * @param root - URL of the version, which absolute URLs have to start with
 * @throws NudgeLabError `bad-request` with every problem, so nothing runs
 */
export function planBatch(requests: readonly BatchRequest[], root: string): readonly PlannedRequest[] {
  const problems: ValidationProblem[] = [];
  const refuse = (location: string, message: string) => problems.push({ location, message });
  const ids = new Set<string>();
  const planned = requests.map((request, index) => {
    const place = `body.requests.${index}`;
    const key = toComparableRequestId(request.id);
    if (ids.has(key)) refuse(`${place}.id`, 'is already the id of another request');
    ids.add(key);
    for (const problem of listHeaderProblems(request)) refuse(`${place}.headers`, problem);
    const { path, query } = splitUrl(request.url, root);
    if (path.toLowerCase().replace(/\/$/, '') === '/$batch') refuse(`${place}.url`, 'a batch cannot contain a batch');
    return { ...request, path, query };
  });
  planned.forEach(({ dependsOn = [] }, index) => {
    for (const one of dependsOn) {
      if (!ids.has(toComparableRequestId(one))) refuse(`body.requests.${index}.dependsOn`, `"${one}" is no id`);
    }
  });
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  return orderByDependency(planned);
}

function listHeaderProblems({ headers = {}, body }: BatchRequest): readonly string[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return [
    ...(names.includes('authorization') ? ['Authorization is that of the batch and cannot be set here'] : []),
    ...(body !== undefined && !names.includes('content-type') ? ['a body requires Content-Type'] : []),
  ];
}

/** Splits a URL relative to the version, or an absolute one of the version, into its path and its query. */
function splitUrl(url: string, root: string): { readonly path: string; readonly query: string } {
  const relative = url.toLowerCase().startsWith(root.toLowerCase()) ? url.slice(root.length) : url;
  const queryAt = relative.indexOf('?');
  const path = queryAt === -1 ? relative : relative.slice(0, queryAt);
  return {
    path: path.startsWith('/') ? path : `/${path}`,
    query: queryAt === -1 ? '' : relative.slice(queryAt + 1),
  };
}

function orderByDependency(planned: readonly PlannedRequest[]): readonly PlannedRequest[] {
  const ordered: PlannedRequest[] = [];
  const done = new Set<string>();
  const open = [...planned];
  while (open.length > 0) {
    const at = open.findIndex(({ dependsOn = [] }) => dependsOn.every((id) => done.has(toComparableRequestId(id))));
    const [next] = at === -1 ? [] : open.splice(at, 1);
    if (next === undefined) {
      const ring = open.map(({ id }) => `"${id}"`).join(', ');
      throw new NudgeLabError('bad-request', {
        problems: [{ location: 'body.requests', message: `the requests ${ring} depend on each other in a ring` }],
      });
    }
    done.add(toComparableRequestId(next.id));
    ordered.push(next);
  }
  return ordered;
}
