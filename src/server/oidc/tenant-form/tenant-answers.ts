import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC, AdapterPayload as Payload } from 'oidc-provider';
import type { HandOver } from '../provider-pages.ts';
import type { ProviderParts, TenantForm } from '../provider-parts.ts';
import { classifyError, createSignInError, type ProtocolError, toProtocolError } from './sign-in-errors.ts';
import { completeDiscovery, completeKeys } from './tenant-documents.ts';
import { createClientInfo } from './tenant-provider.ts';

type TenantParts = ProviderParts & { readonly form: TenantForm };

/** Adapts the responses of a provider to its form. */
export interface FormAnswers {
  /** Adapts a response that is not a form yet. */
  complete(ctx: KoaContextWithOIDC): Promise<void>;
  /** Adapts the fields of a response that is sent by a form. */
  completeFields(ctx: KoaContextWithOIDC, handOver: HandOver): HandOver;
}

/** Responses of the plain form, which are those of the provider. */
const plainAnswers: FormAnswers = {
  complete: async () => undefined,
  completeFields: (_ctx, handOver) => handOver,
};

/** Events of a provider that name the error of a response. */
const errorEvents = [
  'authorization.error',
  'grant.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
] as const;

/** Creates the adaptation of the responses of a provider. */
export function createFormAnswers(provider: Provider, parts: ProviderParts): FormAnswers {
  return parts.form === null ? plainAnswers : new TenantAnswers(provider, { ...parts, form: parts.form });
}

/** Field of the provider beside an error of scopes, which this form does not have. */
const refusedScope = 'scope';

/** Routes whose errors have the shape of those of the token endpoint. */
const tokenShaped: ReadonlySet<string> = new Set(['token', 'device_authorization', 'pushed_authorization_request']);

class TenantAnswers implements FormAnswers {
  readonly #parts: TenantParts;
  /** Errors of the requests that are not answered yet, with the reasons that clients do not see. */
  readonly #errors = new WeakMap<object, ProtocolError>();

  constructor(provider: Provider, parts: TenantParts) {
    this.#parts = parts;
    for (const name of errorEvents) {
      provider.on(name as 'grant.error', (ctx, error) => this.#errors.set(ctx.req, toProtocolError(error)));
    }
  }

  async complete(ctx: KoaContextWithOIDC): Promise<void> {
    const route = ctx.oidc?.route ?? '';
    if (ctx.status === 200) await this.#completeSuccess(route, ctx);
    else if (tokenShaped.has(route)) this.#completeError(ctx);
    else this.#completeRedirect(ctx);
  }

  completeFields(ctx: KoaContextWithOIDC, handOver: HandOver): HandOver {
    const replaced = this.#describe(ctx, Object.fromEntries(handOver.fields)['error']);
    if (replaced === null) return handOver;
    const fields = handOver.fields.map(([name, value]) => [name, replaced[name] ?? value] as const);
    return { ...handOver, fields: fields.filter(([name]) => name !== refusedScope) };
  }

  async #completeSuccess(route: string, ctx: KoaContextWithOIDC): Promise<void> {
    if (route === 'discovery') completeDiscovery(ctx, this.#parts);
    if (route === 'jwks') await completeKeys(ctx, this.#parts);
    if (route === 'token') ctx.body = this.#completeTokens(ctx);
    if (route === 'device_authorization') {
      const { verification_uri_complete: _complete, ...body } = ctx.body as Payload;
      ctx.body = body;
    }
  }

  #completeTokens({ body, oidc }: KoaContextWithOIDC): Payload {
    const tokens = body as Payload;
    const userId = oidc.account?.accountId;
    const wantsAccount = oidc.body?.['client_info'] === '1' && userId !== undefined;
    return {
      ...tokens,
      ext_expires_in: tokens['expires_in'],
      ...(wantsAccount ? { client_info: createClientInfo(this.#parts, userId) } : {}),
    };
  }

  #completeError(ctx: KoaContextWithOIDC): void {
    const { error, error_description } = (ctx.body ?? {}) as Partial<ProtocolError>;
    if (typeof error !== 'string') return;
    const { sandbox } = this.#parts;
    // The error of the response can differ from that of the provider, which has the reason.
    const known = { ...this.#errors.get(ctx.req), error };
    const classified = classifyError(sandbox, ctx, { error_description, ...known });
    const described = {
      error: classified.error ?? error,
      description: error_description ?? error,
      fault: classified.fault,
    };
    ctx.status = classified.status ?? ctx.status;
    ctx.body = createSignInError(described, { sandbox, request: ctx.req });
  }

  /** Describes the error in a redirect to the application. */
  #completeRedirect(ctx: KoaContextWithOIDC): void {
    const url = URL.parse(ctx.response.get('Location'));
    if (url === null) return;
    const fragment = new URLSearchParams(url.hash.slice(1));
    const fields = fragment.has('error') ? fragment : url.searchParams;
    const replaced = this.#describe(ctx, fields.get('error') ?? undefined);
    if (replaced === null) return;
    fields.delete(refusedScope);
    for (const [name, value] of Object.entries(replaced)) fields.set(name, value);
    if (fields === fragment) url.hash = fragment.toString();
    ctx.redirect(url.href);
  }

  /** Returns the fields of an error for the application. `null` if the response is no error of this request. */
  #describe(ctx: KoaContextWithOIDC, sent: string | undefined): Readonly<Record<string, string>> | null {
    const error = this.#errors.get(ctx.req);
    if (error === undefined || sent !== error.error) return null;
    const { sandbox } = this.#parts;
    const { fault, error: code = sent } = classifyError(sandbox, ctx, error);
    const described = { error: code, description: error.error_description ?? sent, fault };
    const { error_description } = createSignInError(described, { sandbox, request: ctx.req });
    return { error: code, error_description };
  }
}
