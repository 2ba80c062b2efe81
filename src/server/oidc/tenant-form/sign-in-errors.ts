import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { DialectData } from '../../../contract/directory-api/dialect.schema.ts';
import { getDialect, seedDialect } from '../../../contract/directory-api/dialect.ts';
import { machineNowMs, toInstant } from '../../../core/clock.ts';
import { randomId } from '../../../core/ids.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { fixtureClient } from '../clients.ts';
import { deviceGrantType } from '../device-grant.ts';
import type { ProviderParts } from '../provider-parts.ts';
import type { ScopeFault } from '../requested-scopes.ts';
import type { SignInFault } from './sign-in-fault.ts';

/** Error of the tenant form before it is written. */
export interface SignInError {
  readonly error: string;
  readonly description: string;
  /** Reason with a number. `null` if there is none. */
  readonly fault: SignInFault | null;
}

/** Request and sandbox that an error names. */
export interface ErrorOrigin {
  /** `null` if there is no sandbox, whose clock and dialect would apply. */
  readonly sandbox: Sandbox | null;
  readonly request: Pick<IncomingMessage, 'headers'>;
}

/** Body of an error of the tenant form. */
export interface SignInErrorBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_codes: readonly number[];
  readonly timestamp: string;
  readonly trace_id: string;
  readonly correlation_id: string;
}

/** Returns the numbers of a sandbox's wire dialect. */
function readDialect(sandbox: Sandbox | null): DialectData['signInErrors'] {
  const dialect = sandbox === null ? seedDialect : getDialect(sandbox.recorder.state().settings);
  return dialect.data.signInErrors;
}

const correlationId = /^[\w-]{1,64}$/;

/**
 * Creates the body of an error in the tenant form: with numbers and ids, by which logs are searched.
 *
 * @see CL18
 */
export function createSignInError(
  { error, description, fault }: SignInError,
  { sandbox, request }: ErrorOrigin,
): SignInErrorBody {
  const { prefix, numbers } = readDialect(sandbox);
  const number = fault === null ? undefined : numbers[fault];
  const sent = request.headers['client-request-id'];
  const correlation = typeof sent === 'string' && correlationId.test(sent) ? sent : randomId();
  const trace = randomId();
  const timestamp = `${toInstant(sandbox?.clock.nowMs() ?? machineNowMs())
    .slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
    .replace('T', ' ')}Z`;
  const beginning = number === undefined ? '' : `${prefix}${number}: `;
  return {
    error,
    error_description: `${beginning}${toSentence(description)} Trace ID: ${trace} Correlation ID: ${correlation} Timestamp: ${timestamp}`,
    error_codes: number === undefined ? [] : [number],
    timestamp,
    trace_id: trace,
    correlation_id: correlation,
  };
}

/** Returns the number of an error with its prefix. Empty if the dialect has no number for it. */
export function formatErrorNumber(sandbox: Sandbox | null, fault: SignInFault | null): string {
  const { prefix, numbers } = readDialect(sandbox);
  const number = fault === null ? undefined : numbers[fault];
  return number === undefined ? '' : `${prefix}${number}`;
}

/** Returns the number for the page of an error that is not sent to the application. */
export function describePageError(parts: ProviderParts, ctx: KoaContextWithOIDC, error: unknown): string {
  const { fault } = classifyError(parts.sandbox, ctx, toProtocolError(error));
  return formatErrorNumber(parts.sandbox, fault);
}

/** First word of a description, unless it is the name of a parameter or of a value, which keeps its spelling. */
const firstWord = /^[a-z][a-z-]*(?:[\s,]|\.?$)/;

function toSentence(text: string): string {
  const begun = text.replace(firstWord, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return begun.endsWith('.') ? begun : `${begun}.`;
}

/** Error of the provider. */
export interface ProtocolError {
  readonly error: string;
  readonly error_description?: string | undefined;
  /** Reason that the provider keeps from clients. */
  readonly error_detail?: string | undefined;
  /** Reason why scopes were refused. */
  readonly scopeFault?: ScopeFault | undefined;
}

/** Returns the parts of an error of the provider. */
export function toProtocolError(error: unknown): ProtocolError {
  const { error: code = 'server_error', error_description, error_detail } = (error ?? {}) as Partial<ProtocolError>;
  const { fault: scopeFault } = (code === 'invalid_scope' ? error : {}) as { readonly fault?: ScopeFault };
  return { error: code, error_description, error_detail, scopeFault };
}

/** Error code of the tenant form, with its status if it differs from that of the provider. */
export interface ClassifiedError {
  readonly fault: SignInFault | null;
  readonly error?: string;
  readonly status?: number;
}

type Classifier = (detail: string, ctx: KoaContextWithOIDC, sandbox: Sandbox) => ClassifiedError;

const none: ClassifiedError = { fault: null };

/** Classifies the error of a provider by its code and its reason. */
export function classifyError(sandbox: Sandbox, ctx: KoaContextWithOIDC, error: ProtocolError): ClassifiedError {
  // This form reports a request without scopes as one that lacks a parameter.
  if (error.scopeFault === 'scope-missing') return { fault: 'parameter-missing', error: 'invalid_request' };
  if (error.scopeFault !== undefined) return { fault: scopeFaults[error.scopeFault] };
  const { error_detail: hidden, error_description: shown = '' } = error;
  // The hidden detail of a malformed request is the message of a library.
  const detail = error.error === 'invalid_request' ? shown : (hidden ?? shown);
  return classifiers[error.error]?.(detail, ctx, sandbox) ?? none;
}

const badRequest = 400;

/** Reasons of the provider for a request without a required parameter, which includes a body that it does not read. */
const missingParameter =
  /^(?:missing required parameter|no client authentication mechanism|only \S+ content-type|Authorization Server policy requires PKCE)/;

/** Reasons of the provider for an assertion of another client, and for a text that is none. */
const assertionFaults: readonly string[] = ['client_id mismatch', 'invalid client_assertion format'];

const invalidAssertion: ClassifiedError = { fault: 'assertion-invalid', error: 'invalid_client', status: 401 };

/** Code of the protocol for a request that needs a sign-in. */
const signInRequired = 'login_required';

const classifiers: Readonly<Record<string, Classifier>> = {
  invalid_client: classifyClient,
  invalid_grant: classifyGrant,
  invalid_redirect_uri: () => ({ fault: 'redirect-uri-mismatch' }),
  invalid_request: (detail, { oidc }) => {
    const isWithAssertion = typeof oidc.body?.['client_assertion'] === 'string';
    if (isWithAssertion && assertionFaults.includes(detail)) return invalidAssertion;
    return { fault: missingParameter.test(detail) ? 'parameter-missing' : 'parameter-malformed' };
  },
  unsupported_response_type: (_detail, { oidc }) => {
    const types = String(oidc.params?.['response_type'] ?? '').split(' ');
    return { fault: types.includes('id_token') ? 'id-token-disabled' : 'response-type-disabled' };
  },
  invalid_scope: () => ({ fault: 'scope-unknown' }),
  unsupported_grant_type: () => ({ fault: 'grant-type-unknown' }),
  authorization_pending: () => ({ fault: 'authorization-pending' }),
  expired_token: () => ({ fault: 'device-code-expired' }),
  access_denied: (_detail, { oidc }) => {
    if (oidc.route === 'token') return { fault: null, error: 'authorization_declined' };
    const { Interaction: interaction } = oidc.entities;
    return { fault: interaction?.prompt.name === 'consent' ? 'consent-declined' : null };
  },
  [signInRequired]: (detail, { oidc }) => {
    const isSignedIn = oidc.session?.accountId !== undefined;
    const isAboutFactor = isSignedIn && detail.includes('ACR');
    return isAboutFactor
      ? { fault: 'interaction-required', error: 'interaction_required' }
      : { fault: 'sign-in-required' };
  },
  interaction_required: () => ({ fault: 'interaction-required' }),
  consent_required: () => ({ fault: 'consent-required' }),
};

function classifyClient(detail: string, { oidc, headers }: KoaContextWithOIDC, sandbox: Sandbox): ClassifiedError {
  if (oidc.client === undefined) return { fault: 'client-unknown', error: 'unauthorized_client', status: badRequest };
  const body = oidc.body ?? {};
  if (typeof body['client_assertion'] === 'string') return { fault: 'assertion-invalid' };
  if (fixtureClient(sandbox, oidc.client.clientId)?.kind === 'public') return { fault: 'secret-of-public-client' };
  const hasSecret = typeof body['client_secret'] === 'string' || headers.authorization !== undefined;
  return { fault: hasSecret || detail === 'invalid secret provided' ? 'secret-wrong' : 'secret-missing' };
}

/** Reasons of refused scopes by those of the requests. */
const scopeFaults: Readonly<Record<Exclude<ScopeFault, 'scope-missing'>, SignInFault>> = {
  'scope-unknown': 'scope-unknown',
  'several-resources': 'scopes-of-two-resources',
  'resource-missing': 'scope-without-resource',
  'default-scope-missing': 'default-scope-required',
};

function classifyGrant(detail: string, { oidc }: KoaContextWithOIDC, sandbox: Sandbox): ClassifiedError {
  if (detail === 'client mismatch') return none;
  const type = oidc.params?.['grant_type'];
  if (type === deviceGrantType) return classifyDeviceGrant(detail);
  if (type === 'refresh_token') {
    const isSpa = fixtureClient(sandbox, oidc.client?.clientId ?? '')?.spa === true;
    if (!detail.includes('expired')) return { fault: 'refresh-token-revoked' };
    return { fault: isSpa ? 'browser-refresh-token-expired' : 'refresh-token-expired' };
  }
  if (detail.includes('already')) return { fault: 'code-used' };
  if (detail.includes('code_verifier')) return { fault: 'verifier-wrong' };
  return { fault: detail.includes('expired') || detail.includes('not found') ? 'code-expired' : null };
}

function classifyDeviceGrant(detail: string): ClassifiedError {
  if (detail.includes('not found')) return { fault: 'device-code-unknown', error: 'bad_verification_code' };
  return { fault: detail.includes('already') ? 'code-used' : null };
}
