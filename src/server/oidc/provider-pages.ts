import type { IncomingHttpHeaders } from 'node:http';
import { html } from 'ghtml';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type ErrorCode, errorTable, NudgeLabError } from '../../core/errors.ts';
import { describeUnknownClient } from '../../core/unknown-client.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getBasePath } from '../identity/addresses.ts';
import { createReader, type Reader, toPageTenant } from '../identity/brand.ts';
import { layout } from '../identity/pages/layout.ts';
import { problemPage } from '../identity/pages/problem.page.ts';
import { signOutPage } from '../identity/pages/sign-out.page.ts';
import { signedOutPage } from '../identity/pages/signed-out.page.ts';
import { pageHeaders } from '../identity/send-page.ts';
import { getFormTarget } from './form-target.ts';
import { readLoginHint } from './login-hint.ts';
import type { SessionPart } from './logout-tokens.ts';
import type { ProviderParts } from './provider-parts.ts';
import { submitScriptPath } from './submit-script.ts';
import { listSubjects } from './tenant-form/tenant-claims.ts';

/** Parts of a Koa context that a page needs. */
export interface Answer {
  status: number;
  body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  set(headers: { [name: string]: string }): void;
}

/** Returns the language preferences of a request to the provider. */
export function readerOfContext({ headers, query }: Answer): Reader {
  const locales = query['ui_locales'];
  return createReader({ headers }, typeof locales === 'string' ? locales : null);
}

/** Additions to the content security policy of a page. */
interface PolicyAdditions {
  /** Additional target of its forms. */
  readonly formTarget?: string | undefined;
  /** URLs that it loads in frames. */
  readonly frames?: readonly string[];
  /** Origins whose pages can load it in a frame. */
  readonly ancestors?: readonly string[];
}

/** Sends a page in a response. */
export function answerPage(
  answer: Answer,
  document: string,
  { formTarget = '', frames = [], ancestors = [] }: PolicyAdditions = {},
): void {
  const policy = pageHeaders['Content-Security-Policy']
    .replace("form-action 'self'", `form-action 'self' ${formTarget}`)
    .replace('img-src', `${frames.length === 0 ? '' : `frame-src ${frames.join(' ')}; `}img-src`)
    .replace("frame-ancestors 'none'", `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`);
  const { 'X-Frame-Options': framing, ...headers } = pageHeaders;
  answer.set({
    ...headers,
    ...(ancestors.length === 0 ? { 'X-Frame-Options': framing } : {}),
    'Content-Security-Policy': policy,
  });
  answer.body = document;
}

/** Protocol error codes that have their own entry in the error table. */
const codes: Readonly<Record<string, ErrorCode>> = {
  invalid_client: 'client-not-found',
  invalid_redirect_uri: 'redirect-uri-mismatch',
  server_error: 'internal-error',
};

/**
 * Renders an error page for a request whose error must not be sent to the application by redirect.
 *
 * @param number - number of the error in the wire dialect. Empty if it has none
 */
export function renderError(sandbox: Sandbox, ctx: KoaContextWithOIDC, out: ErrorOut, number = ''): void {
  const code = codes[out.error] ?? 'authorization-invalid';
  const problem = new NudgeLabError(code, describeError(sandbox, { code, ctx, out }));
  const message = number === '' ? problem.publicMessage : `${number}: ${problem.publicMessage}`;
  renderProblem(sandbox, ctx, new NudgeLabError(code, { message }));
}

/** Error of a request, with its entry in the error table. */
interface RequestError {
  readonly code: ErrorCode;
  readonly ctx: Pick<KoaContextWithOIDC, 'query'>;
  readonly out: ErrorOut;
}

function describeError(sandbox: Sandbox, { code, ctx, out }: RequestError): { readonly message?: string } {
  const { error, error_description: description = error } = out;
  if (code === 'internal-error') return {};
  if (code !== 'client-not-found') return { message: sentence(description) };
  const { client_id: given } = ctx.query;
  const { clients } = sandbox.recorder.state();
  return { message: describeUnknownClient(typeof given === 'string' ? given : '', clients) };
}

/** Renders an error page with the message, status, and suggested action of an error. */
export function renderProblem(
  sandbox: Sandbox,
  answer: Answer,
  { code, publicMessage: message, status, action }: NudgeLabError,
): void {
  const { title } = errorTable[code];
  answer.status = status;
  const tenant = toPageTenant(sandbox, readerOfContext(answer));
  answerPage(answer, problemPage({ code, title, message, action, tenant }));
}

/**
 * Returns `true` if a sign-out needs a confirmation: without a valid ID token of the session's user, with a hint at
 * another user, or by the setting `askOnLogout` (CL80).
 */
function requiresConfirmation(parts: ProviderParts, { oidc }: KoaContextWithOIDC): boolean {
  const { sandbox } = parts;
  if (sandbox.recorder.state().settings.identity?.askOnLogout === 'always') return true;
  const { session, client, params, entities } = oidc;
  const { payload } = (entities['IdTokenHint'] ?? {}) as {
    readonly payload?: { readonly sub?: unknown; sid?: unknown };
  };
  const userId = session?.accountId;
  if (payload === undefined || userId === undefined || client === undefined) return true;
  const { sid, sub = userId }: SessionPart = session?.authorizations?.[client.clientId] ?? {};
  // The client can have used the session by both forms, whose subjects differ.
  const subjects = [sub, ...listSubjects(parts, client.clientId, userId)];
  const name = sandbox.recorder.state().users.get(userId)?.profile.userPrincipalName.toLowerCase();
  const hint = params?.['logout_hint'];
  const isHinted =
    typeof hint !== 'string' ||
    [sid, userId, sub].includes(hint) ||
    hint.toLowerCase() === name ||
    readLoginHint(sandbox.recorder.state(), hint) === userId;
  return !isHinted || (!subjects.includes(String(payload.sub)) && (sid === undefined || payload.sid !== sid));
}

/** Renders the sign-out page as a form without a script, or signs out at once. */
export async function renderSignOut(parts: ProviderParts, ctx: KoaContextWithOIDC): Promise<void> {
  const { sandbox } = parts;
  const { oidc } = ctx;
  const state = oidc.session?.state as { readonly secret: string; readonly postLogoutRedirectUri?: string };
  if (!requiresConfirmation(parts, ctx)) {
    const fields = [
      ['xsrf', state.secret],
      ['logout', 'yes'],
    ] as const;
    const action = oidc.urlFor('end_session_confirm');
    renderHandOver(sandbox, ctx, { action, fields }, { afterwards: state.postLogoutRedirectUri ?? null });
    return;
  }
  const user = sandbox.recorder.state().users.get(oidc.session?.accountId ?? '');
  const document = signOutPage({
    tenant: toPageTenant(sandbox, readerOfContext(ctx)),
    address: oidc.urlFor('end_session_confirm'),
    formToken: state.secret,
    userPrincipalName: user?.profile.userPrincipalName ?? null,
    clientName: oidc.client === undefined ? null : (oidc.client.clientName ?? oidc.client.clientId),
  });
  const { postLogoutRedirectUri } = state;
  answerPage(ctx, document, {
    formTarget: postLogoutRedirectUri === undefined ? '' : getFormTarget(postLogoutRedirectUri),
  });
}

/** Renders the end of a sign-out without a redirect. Users can still be signed in if they left only one application. */
export async function renderSignedOut(sandbox: Sandbox, ctx: KoaContextWithOIDC): Promise<void> {
  const { client, provider } = ctx.oidc;
  const { accountId } = await provider.Session.get(ctx);
  const user = sandbox.recorder.state().users.get(accountId ?? '');
  const document = signedOutPage({
    tenant: toPageTenant(sandbox, readerOfContext(ctx)),
    beginning: getBasePath(sandbox.id),
    stillSignedIn: user?.profile.userPrincipalName ?? null,
    clientName: client === undefined ? null : (client.clientName ?? client.clientId),
  });
  answerPage(ctx, document);
}

/** What follows a response that is sent with a form. */
interface HandOverSetting {
  /** URL to which the application redirects. `null` if it does not. */
  readonly afterwards: string | null;
  /** Origins whose pages can load the form in a frame. */
  readonly ancestors?: readonly string[];
}

/** Form with which the provider sends a response. A script of this server submits it automatically. */
export interface HandOver {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Renders a form that sends a response to the application, with a button for browsers without scripts. Browsers apply
 * the form policy to the following redirect too.
 */
export function renderHandOver(
  sandbox: Sandbox,
  answer: Answer,
  { action, fields }: HandOver,
  { afterwards, ancestors = [] }: HandOverSetting,
): void {
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`).join('\n');
  const tenant = toPageTenant(sandbox, readerOfContext(answer));
  const { texts } = tenant;
  const document = layout({
    title: texts.text('hand-over.heading'),
    name: 'hand-over',
    tenant,
    body: html`<h1>${texts.text('hand-over.heading')}</h1>
<p>${texts.text('hand-over.lead')}</p>
<form method="post" action="${action}">
!${inputs}
<div class="actions"><button class="primary" data-control="continue">${texts.text('action.continue')}</button></div>
</form>
<script src="${submitScriptPath}" defer></script>`,
  });
  const { origin } = new URL(action);
  // The form delivers errors of the protocol too, which the provider sends with another status.
  answer.status = 200;
  const formTarget = afterwards === null ? origin : `${origin} ${getFormTarget(afterwards)}`;
  answerPage(answer, document, { formTarget, ancestors });
}

/** Converts a short library message to a sentence. The name of a parameter keeps its spelling. */
function sentence(text: string): string {
  const beginsWithParameter = text.slice(0, text.indexOf(' ')).includes('_');
  const begun = beginsWithParameter ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return begun.endsWith('.') ? begun : `${begun}.`;
}
