import { bearerToken } from '../../contract/bearer-token.ts';
import { getDialect, getErrorArea } from '../../contract/directory-api/dialect.ts';
import { refuseOtherMedia } from '../../contract/json-media.ts';
import { toPolicyCaller } from '../../contract/policy-caller.ts';
import { policyFailure } from '../../contract/policy-error.ts';
import type { StepOf } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { PolicyResponse, Sandbox } from '../../sandbox/sandbox.ts';
import type { ApiCall } from '../api-call.ts';
import type { Observation } from '../driver.ts';
import { lowerCased } from '../header-names.ts';
import { invalidToken, parseTokenRequest } from '../token-request.ts';

type PolicyRequest = StepOf<'getPolicy' | 'patchPolicy'>['say'];

/** Base URL that the sandbox would have if a server ran for it. */
const base = 'http://localhost';

/** Reads the policy as a server does. An error is an observation too, because scenarios can expect it. */
export function readPolicy(sandbox: Sandbox, { as, headers }: PolicyRequest): Promise<Observation> {
  return observe(sandbox, policyPath, async () => {
    const { 'if-none-match': ifNoneMatch } = lowerCased(headers);
    return fromPolicy(sandbox.policy.read(toPolicyCaller(as), { ifNoneMatch }));
  });
}

/** Updates the policy as a server does. An error is an observation too. */
export function updatePolicy(sandbox: Sandbox, { as, body, headers }: PolicyRequest): Promise<Observation> {
  return observe(sandbox, policyPath, async () => {
    const { 'if-match': ifMatch, prefer, ...media } = lowerCased(headers);
    return fromPolicy(
      await sandbox.policy.update(toPolicyCaller(as), body ?? {}, {
        ifMatch,
        prefer,
        media: { 'content-type': 'application/json', ...media },
      }),
    );
  });
}

/** Sends a request to the policy API or the directory API as a server does. An error is an observation too. */
export function callApi(sandbox: Sandbox, call: ApiCall): Promise<Observation> {
  const { method, version, path, query, headers } = call;
  return observe(sandbox, path, async () => {
    const answered = await sandbox.directoryRequests.handleAny(
      {
        method,
        version,
        path,
        query,
        headers: {
          accept: headers['accept'],
          consistencyLevel: headers['consistencylevel'],
          prefer: headers['prefer'],
        },
        root: `${base}/${version}/`,
        passkeys: { createOptions: refusePasskeys, verify: refusePasskeys },
        authenticate: async () => sandbox.tokens.verify(bearerToken(await getAuthorization(sandbox, call))),
        readBody: async () => readBody(call),
      },
      (name) => headers[name],
    );
    return { ...answered, body: readAnswer(answered.body) };
  });
}

const policyPath = '/policies/authenticationMethodsPolicy';

/** Returns the observation of a request. An expected error becomes the response that a server sends. */
async function observe(sandbox: Sandbox, path: string, send: () => Promise<Observation>): Promise<Observation> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NudgeLabError) || error.code === 'driver-failed') throw error;
    const { status, headers, body } = policyFailure(error, {
      requestId: 'model',
      dateMs: sandbox.clock.nowMs(),
      dialect: getDialect(sandbox.directory.settings()),
      area: getErrorArea(path),
    });
    return { status, headers, body };
  }
}

function fromPolicy({ status, body, etag }: PolicyResponse): Observation {
  return { status, body, headers: { etag } };
}

async function getAuthorization(sandbox: Sandbox, { headers, token }: ApiCall): Promise<string | undefined> {
  const { authorization } = headers;
  if (authorization !== undefined) return authorization;
  const request = parseTokenRequest(token);
  if (request === null) return undefined;
  if (request === invalidToken) return `Bearer ${invalidToken}`;
  return `Bearer ${(await sandbox.tokens.issue(request)).access_token}`;
}

function readBody({ headers, body }: ApiCall): unknown {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  if (body !== null || type !== undefined) {
    refuseOtherMedia({ 'content-type': type, 'content-encoding': encoding });
  }
  if (body === null) throw new NudgeLabError('bad-request', { message: 'The body is not a JSON object: it is empty.' });
  return JSON.parse(body) as unknown;
}

type ResponseBody = Awaited<ReturnType<Sandbox['directoryRequests']['handle']>>['body'];

/** Returns a body as a client reads it: parsed if it is JSON, and otherwise as text. */
function readAnswer(body: ResponseBody): unknown {
  if (body === null) return null;
  if ('json' in body) return body.json;
  const text = 'bytes' in body ? body.bytes.toString() : body.text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Rejects passkey ceremonies, which need the pages of a server. */
function refusePasskeys(): never {
  throw new NudgeLabError('driver-failed', {
    message: 'The model driver does not register passkeys by the directory API; use the http or the browser driver.',
  });
}
