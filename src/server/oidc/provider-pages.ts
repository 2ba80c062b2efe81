import type { IncomingHttpHeaders } from 'node:http';
import { html } from 'ghtml';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type ErrorCode, errorTable, NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getBasePath } from '../identity/addresses.ts';
import { type Reader, readerOf, toPageTenant } from '../identity/brand.ts';
import { layout } from '../identity/pages/layout.ts';
import { problemPage } from '../identity/pages/problem.page.ts';
import { signOutPage } from '../identity/pages/sign-out.page.ts';
import { signedOutPage } from '../identity/pages/signed-out.page.ts';
import { pageHeaders } from '../identity/send-page.ts';
import { getFormTarget } from './form-target.ts';
import { submitScriptPath } from './submit-script.ts';

/** The parts of a Koa context that a page is put into. */
interface Answer {
  status: number;
  body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  set(headers: { [name: string]: string }): void;
}

/** Returns who reads the page that answers a request to the provider. */
function readerOfContext({ headers, query }: Answer): Reader {
  const locales = query['ui_locales'];
  return readerOf({ headers }, typeof locales === 'string' ? locales : null);
}

/** Puts a page into an answer. Takes where its forms may lead besides this server. */
function answerPage(answer: Answer, document: string, formTarget = ''): void {
  const policy = pageHeaders['Content-Security-Policy'].replace(
    "form-action 'self'",
    `form-action 'self' ${formTarget}`,
  );
  answer.set({ ...pageHeaders, 'Content-Security-Policy': policy });
  answer.body = document;
}

/** Codes of the protocol that have a row of their own in the table of errors. */
const codes: Readonly<Record<string, ErrorCode>> = {
  invalid_client: 'client-not-found',
  invalid_redirect_uri: 'redirect-uri-mismatch',
  server_error: 'internal-error',
};

/** An authorization or sign-out request that cannot be answered to the application: a problem page, and no one is redirected. */
export function renderError(sandbox: Sandbox, ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const code = codes[out.error] ?? 'authorization-invalid';
  const told = code === 'internal-error' ? undefined : (out.error_description ?? out.error);
  renderProblem(sandbox, ctx, new NudgeLabError(code, told === undefined ? {} : { message: sentence(told) }));
}

/** A failure of this server, as a problem page. */
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

/** The question whether to sign out, as a form without script. */
export async function renderSignOut(sandbox: Sandbox, ctx: KoaContextWithOIDC): Promise<void> {
  const { oidc } = ctx;
  const state = oidc.session?.state as { readonly secret: string; readonly postLogoutRedirectUri?: string };
  const user = sandbox.recorder.state().users.get(oidc.session?.accountId ?? '');
  const document = signOutPage({
    tenant: toPageTenant(sandbox, readerOfContext(ctx)),
    address: oidc.urlFor('end_session_confirm'),
    formToken: state.secret,
    userPrincipalName: user?.profile.userPrincipalName ?? null,
    clientName: oidc.client === undefined ? null : (oidc.client.clientName ?? oidc.client.clientId),
  });
  const { postLogoutRedirectUri } = state;
  answerPage(ctx, document, postLogoutRedirectUri === undefined ? '' : getFormTarget(postLogoutRedirectUri));
}

/** The end of a sign-out that leads nowhere else. Anyone who signed out of one application alone, or of nothing, is still signed in. */
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

/** The page on which the provider hands an answer to a form, which sends itself: here by a script of this server. */
export interface HandOver {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Renders a form that hands an answer over; without script a button does the same. Takes where the answer to the form leads, which
 * browsers hold to the same policy; `null` where it leads nowhere.
 */
export function renderHandOver(
  sandbox: Sandbox,
  answer: Answer,
  { action, fields }: HandOver,
  afterwards: string | null,
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
  answerPage(answer, document, afterwards === null ? origin : `${origin} ${getFormTarget(afterwards)}`);
}

/** What libraries describe in a few words, as a sentence. */
function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return begun.endsWith('.') ? begun : `${begun}.`;
}
