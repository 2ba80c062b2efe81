import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { observedDevice } from '../identity/observed-device.ts';
import type { ProviderParts } from './provider-parts.ts';

/**
 * Records the use of an existing session without a page. This is also a sign-in, by SSO, and the rules evaluate it
 * (R13.1). It is recorded once for each authorization request, before the response to the application.
 */
export function journalSessionUse(provider: Provider, { sandbox }: ProviderParts): void {
  const recorded = new WeakMap<object, Promise<unknown>>();
  provider.on('authorization.accepted', (ctx: KoaContextWithOIDC) => {
    const { result, session, client, prompts } = ctx.oidc;
    if (result?.login !== undefined || session?.accountId === undefined) return;
    const attempt = { ...observedDevice(ctx.req), ssoSession: true };
    const recording = sandbox.signIns.start(session.accountId, attempt, {
      ...(client === undefined ? {} : { client: { id: client.clientId, name: client.clientName ?? client.clientId } }),
      ...(prompts.has('none') ? { silent: true } : {}),
    });
    // The promise is awaited below. This handler prevents an unhandled rejection in the meantime.
    recording.catch(() => undefined);
    recorded.set(ctx.req, recording);
  });
  provider.use(async (ctx, next) => {
    await next();
    await recorded.get(ctx.req);
  });
}
