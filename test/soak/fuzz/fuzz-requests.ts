import fc from 'fast-check';
import scenarioSchema from '../../../docs/schemas/scenario.json' with { type: 'json' };
import { withoutReferences } from '../../openapi-references.ts';
import { type Described, described, type Parameter, type Schema } from './described-apis.ts';
import { createArbitrary, createValidArbitrary, oddities } from './schema-values.ts';

/**
 * Generated request with all its data. URLs and headers may refer to objects of the run: `{sandbox}`, `{token:…}`,
 * `{analysis}`, `{run}`.
 */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Action on the pages of the current sign-in of a run, which replaces the method and the path. */
  readonly page?: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
}

const oddTexts = [
  ...oddities.filter((odd) => typeof odd === 'string').map((odd) => encodeURIComponent(odd.toWellFormed())),
  '%',
  '%ff',
  '%2e%2e',
  '..',
  '+',
  '=',
  '*',
  '1e9',
  '-1',
  'NEAR(',
];

/** Names of existing objects of a run, by path parameter. */
const known: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['{sandbox}'],
  user: ['ada', 'ben', 'new-user'],
  signIn: ['s2', 's3', 's4', 's5'],
  document: ['1', '2'],
  id: ['1', '2', '3'],
  method: ['sms', 'fido2', 'authenticator-push'],
  type: ['email', 'username'],
  tool: ['quorvex', 'plimbo'],
  account: ['unlimited@example.test'],
  token: ['test-token'],
  run: ['{run}', '{run}', '1'],
  analysis: ['{analysis}', '{analysis}', '1'],
  place: ['0'],
};

function pathValue(name: string): fc.Arbitrary<string> {
  const usual = fc.constantFrom(...(known[name] ?? ['1']));
  if (name === 'sandbox') return fc.oneof({ weight: 30, arbitrary: usual }, fc.constantFrom('nobody', '%00', '..%2f'));
  return fc.oneof({ weight: 5, arbitrary: usual }, fc.constantFrom(...oddTexts.filter((text) => text !== '')));
}

function createPath(path: string): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  if (names.length === 0) return fc.constant(path);
  return fc.tuple(...names.map(pathValue)).map((values) => {
    let at = 0;
    return path.replaceAll(/\{\w+\}/g, () => values[at++] ?? '');
  });
}

function createQuery(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const inQuery = parameters.filter((one) => one.in === 'query');
  const pair = fc.oneof(
    ...inQuery.map(({ name, schema = {} }) =>
      fc
        .oneof(
          {
            weight: 3,
            arbitrary: createValidArbitrary(schema, 0).map((value) => encodeURIComponent(String(value).toWellFormed())),
          },
          fc.constantFrom(...oddTexts),
        )
        .map((value) => `${name}=${value}`),
    ),
    fc.constantFrom('unknown=1', '=', '&&', 'after=', 'limit=0', '__proto__=1'),
  );
  const most = inQuery.length === 0 ? 1 : 4;
  return fc
    .array(pair, { maxLength: most, size: 'max' })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&').replaceAll(/[\s#]/g, '')}`));
}

const proofs: Readonly<Record<Described['api'], readonly string[]>> = {
  control: [''],
  policy: [
    'Bearer {token:admin}',
    'Bearer {token:admin}',
    'Bearer {token:admin}',
    'Bearer {token:reader}',
    'Bearer x',
    '',
    'Basic YTpi',
  ],
  directory: ['Bearer {token:directory}', 'Bearer {token:directory}', 'Bearer {token:reader}', 'Bearer x', ''],
  lookup: [
    'Bearer test-token',
    `Basic ${btoa('unlimited@example.test:correct horse')}`,
    'Basic ====',
    'Bearer %00',
    '',
  ],
  document: ['Bearer {token:writer}', 'Bearer {token:writer}', 'Bearer x', '', 'Bearer {token:admin}'],
};

function createHeaders({ api, bodies }: Described): fc.Arbitrary<Record<string, string>> {
  const types = [...Object.keys(bodies), 'application/json'];
  const usual = fc.constantFrom(...types);
  return fc
    .record({
      authorization: fc.constantFrom(...proofs[api]),
      'content-type': fc.oneof(
        { weight: 12, arbitrary: usual },
        fc.constantFrom('text/plain', 'application/json; charset=latin9', '/', 'multipart/form-data; boundary=x'),
      ),
      accept: fc.constantFrom('*/*', '*/*', 'application/json', 'text/html', 'application/json;q=0', ';;,'),
      'if-match': fc.constantFrom('', '', '', '*', '"none"', 'W/"x"'),
      'if-none-match': fc.constantFrom('', '', '', '*', '"none"', 'broken'),
      prefer: fc.constantFrom('', '', 'return=minimal', 'return="'),
    })
    .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')));
}

const brokenBodies = [
  '',
  '{',
  '[]',
  'null',
  '7',
  '"',
  '{"a":1,}',
  '{"__proto__":{"x":1}}',
  '\u0000',
  `{"a":"${'x'.repeat(9_000)}"}`,
  '--x\r\n\r\n--x--',
];

function createBody({ bodies }: Described): fc.Arbitrary<string | null> {
  const schema = bodies['application/json'];
  const broken = fc.constantFrom(...brokenBodies);
  if (schema === undefined) return Object.keys(bodies).length === 0 ? fc.constant(null) : broken;
  return fc.oneof({ weight: 12, arbitrary: createArbitrary(schema).map((value) => JSON.stringify(value)) }, broken);
}

function createRequest(operation: Described): fc.Arbitrary<FuzzRequest> {
  const { method, path, parameters } = operation;
  const methods = fc.oneof(
    { weight: 30, arbitrary: fc.constant(method) },
    fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'TRACE'),
  );
  return fc
    .tuple(methods, createPath(path), createQuery(parameters), createHeaders(operation), createBody(operation))
    .map(([way, where, query, headers, body]) => ({
      method: way,
      path: `${where}${query}`,
      headers,
      body: way === 'GET' || way === 'HEAD' || way === 'TRACE' || way === 'OPTIONS' ? null : body,
    }));
}

const actions = [
  'password',
  'code',
  'skip',
  'next',
  'fail',
  'skip-error',
  'finish',
  'try-app',
  'continue',
  'left',
  'push',
  'choose',
  'make-passkey',
  'name-passkey',
  'nonsense',
  '',
];
const fieldValues = [
  'correct horse',
  '123456',
  'wrong',
  '',
  'x'.repeat(300),
  '{}',
  '{"id":1}',
  '\u0000',
  'sms',
  'windows-bound',
  'device-1',
  '1',
];
const fieldNames = [
  'password',
  'code',
  'credential',
  'passkeyType',
  'deviceId',
  'name',
  'method',
  'shown',
  'formToken',
  'username',
];

/** Actions on the pages of the current sign-in of a run. Most of them continue the sign-in. */
const pageActs: fc.Arbitrary<FuzzRequest> = fc
  .oneof(
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        { action: 'password', fields: { password: 'correct horse' } },
        { action: 'code', fields: { code: '123456' } },
      ),
    },
    fc.record({
      action: fc.constantFrom(...actions),
      fields: fc.dictionary(fc.constantFrom(...fieldNames), fc.constantFrom(...fieldValues), { maxKeys: 3 }),
    }),
  )
  .map((page) => ({
    method: 'POST',
    path: '/sign-in',
    headers: {},
    body: null,
    page: { ...page, fields: { ...page.fields } },
  }));

const pagePaths = [
  '/',
  '/s/{sandbox}',
  '/s/{sandbox}/sign-in',
  '/s/{sandbox}/sign-in/s2',
  '/s/{sandbox}/sign-in/s99',
  '/s/{sandbox}/phone',
  '/s/{sandbox}/phone/ada',
  '/s/{sandbox}/security-info',
  '/s/{sandbox}/try-it',
  '/s/{sandbox}/oauth2/authorize',
  '/s/{sandbox}/oauth2/token',
  '/s/{sandbox}/oauth2/userinfo',
  '/s/{sandbox}/oauth2/revoke',
  '/s/{sandbox}/oauth2/logout',
  '/s/{sandbox}/.well-known/openid-configuration',
  '/s/{sandbox}/profile',
  '/s/{sandbox}/document/1',
  '/console',
  '/_assets/x.css',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/s/%00',
];
const pageQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'client_id',
        'response_type',
        'scope',
        'redirect_uri',
        'code',
        'grant_type',
        'state',
        'user',
        'os',
        'browser',
        'prompt',
        'max_age',
        'username',
        'client_secret',
        'request',
        'claims',
        'device',
      ),
      fc.constantFrom(
        'test-public',
        'test-service',
        'test-secret',
        'code',
        'openid profile',
        'http%3A%2F%2Flocalhost%3A9%2Fcallback',
        'authorization_code',
        'client_credentials',
        'ada',
        'windows',
        'ada@example.test',
        'none',
        '-1',
        ...oddTexts,
      ),
    ),
    { maxLength: 6 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`).join('&'));

/** Requests for pages and protocol requests of applications. */
const pageRequests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE'),
    fc.constantFrom(...pagePaths),
    pageQuery,
    fc.constantFrom(
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ),
    fc.constantFrom<Record<string, string>>(
      {},
      {},
      { origin: 'http://elsewhere.test' },
      { cookie: 'a=b; nudgelab-4700-default-s2=x;;=' },
      { authorization: 'Basic ====' },
    ),
  )
  .map(([method, path, query, type, more]) => {
    const isForm = method === 'POST' || method === 'PUT';
    return {
      method,
      path: isForm || query === '' ? path : `${path}?${query}`,
      headers: isForm ? { 'content-type': type, ...more } : more,
      body: isForm ? query : null,
    };
  });

const scenarioValues = createArbitrary(withoutReferences(scenarioSchema) as unknown as Schema);

/** Scenario files as text, which are loaded and run on the model. */
const scenarioRequests: fc.Arbitrary<FuzzRequest> = fc
  .oneof(
    { weight: 9, arbitrary: scenarioValues.map((scenario) => JSON.stringify(scenario)) },
    fc.constantFrom(
      '',
      'name: [',
      '&a [*a]',
      'a: &a {b: *a}',
      '- 1',
      '---\n---',
      'name: x\nsteps: []',
      '!!js/function x',
      '\u0000',
    ),
  )
  .map((text) => ({
    method: 'POST',
    path: '/_control/v1/suite/dry-run',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path: 'fuzz.yaml', text }),
  }));

const byApi = (api: Described['api']) => fc.oneof(...described.filter((one) => one.api === api).map(createRequest));

/** Requests to all APIs and pages. */
export const fuzzRequests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 10, arbitrary: byApi('control') },
  { weight: 3, arbitrary: byApi('policy') },
  { weight: 3, arbitrary: byApi('directory') },
  { weight: 2, arbitrary: byApi('lookup') },
  { weight: 3, arbitrary: byApi('document') },
  { weight: 4, arbitrary: pageActs },
  { weight: 3, arbitrary: pageRequests },
  { weight: 1, arbitrary: scenarioRequests },
);
