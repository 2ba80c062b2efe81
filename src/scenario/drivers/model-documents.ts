import { documentErrorBody } from '../../contract/document-error.ts';
import type { DocumentStep } from '../../contract/document-step.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { DocumentRecordView, Sandbox } from '../../sandbox/sandbox.ts';
import { type DocumentAct, type DocumentApiCall, toDocumentCall } from '../document-call.ts';
import type { Observation } from '../driver.ts';

/** Base URL that the sandbox would have if a server ran for it. */
const base = 'http://localhost';

/**
 * Performs a document step on a sandbox in this process. An error is an observation too, because scenarios can
 * expect it.
 */
export async function performOnDocuments(sandbox: Sandbox, say: DocumentStep): Promise<Observation> {
  const call = toDocumentCall(say);
  try {
    return call.kind === 'api' ? await callApi(sandbox, call) : await done(sandbox, call);
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    const { status, headers, code } = error;
    const body = call.kind === 'api' ? documentErrorBody(error) : { error: { code } };
    return { status, headers: { 'content-type': 'application/json', vary: 'Accept', ...headers }, body };
  }
}

async function callApi(
  sandbox: Sandbox,
  { method, path, headers, body, token }: DocumentApiCall,
): Promise<Observation> {
  const authorization = token === null ? headers['authorization'] : `Bearer ${await issueToken(sandbox, token)}`;
  const queryAt = path.indexOf('?');
  const answer = await sandbox.documentRequests.ask({
    method,
    path: queryAt === -1 ? path : path.slice(0, queryAt),
    query: new URLSearchParams(queryAt === -1 ? '' : path.slice(queryAt + 1)),
    headers: {
      authorization,
      accept: headers['accept'],
      contentType: headers['content-type'],
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
    },
    readBody: async () => Buffer.from(body ?? ''),
    base,
    prefix: '',
  });
  const text = answer.body === null || method === 'HEAD' ? null : Buffer.from(answer.body).toString();
  return { status: answer.status, headers: answer.headers, body: text === null ? null : (JSON.parse(text) as unknown) };
}

async function issueToken(sandbox: Sandbox, token: NonNullable<DocumentApiCall['token']>): Promise<string> {
  if (typeof token === 'string') return token;
  const { access_token: issued } = await sandbox.tokens.issue(token);
  return issued;
}

async function done(sandbox: Sandbox, act: DocumentAct): Promise<Observation> {
  const { documents } = sandbox;
  switch (act.kind) {
    case 'add':
      return { status: 201, body: toRecord(await documents.add(act.document)) };
    case 'series': {
      const { count, pages, seed } = act.series;
      return { status: 201, body: { firstId: await documents.addSeries(count, pages, seed ?? sandbox.seed), count } };
    }
    case 'move': {
      await documents.ready();
      return { status: 200, body: toRecord(await documents.move(act.id, act.move, act.pages)) };
    }
    case 'remove':
      await documents.ready();
      await documents.remove(act.id);
      return { status: 204, body: null };
  }
}

/**
 * Returns the properties of a document that scenarios can check. The control API of a server returns these and
 * more.
 */
function toRecord({ id, uid, title, slug, state, listed, owner, ...record }: DocumentRecordView): object {
  return {
    id,
    uid,
    title,
    slug,
    state,
    pending: state !== 'ready',
    public: record.public,
    listed,
    owner,
    processed: record.processed,
  };
}
