import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { observedDevice } from '../identity/observed-device.ts';
import type { ProviderParts } from './provider-parts.ts';

/**
 * A browser that has a session is let through without a page: that is a sign-in too, by SSO, and the rules evaluate it (R13.1).
 * It is recorded once for each authorization request, before the application is answered.
 */
export function journalSessionUse(provider: Provider, { sandbox }: ProviderParts): void {
  const recorded = new WeakMap<object, Promise<unknown>>();
  provider.on('authorization.accepted', (ctx: KoaContextWithOIDC) => {
    const { result, session } = ctx.oidc;
    if (result?.login !== undefined || session?.accountId === undefined) return;
    const attempt = { ...observedDevice(ctx.req), ssoSession: true };
    const recording = sandbox.signIns.start(session.accountId, attempt);
    // Awaited below, whatever comes first.
    recording.catch(() => undefined);
    recorded.set(ctx.req, recording);
  });
  provider.use(async (ctx, next) => {
    await next();
    await recorded.get(ctx.req);
  });
}
