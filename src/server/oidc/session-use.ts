import type Provider from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import type { SignInOrigin } from '../../journal/journal-event.ts';
import { observedDevice } from '../identity/observed-device.ts';
import type { ProviderParts } from './provider-parts.ts';

/** Name of the device grant in the grant types of a refresh token. */
const deviceGrant = 'device_code';

/**
 * Records the use of an existing session without a page. This is also a sign-in, by SSO, and the rules evaluate it
 * (R13.1). It is recorded once for each authorization request, before the response to the application. A refresh of
 * tokens is recorded for the sign-in log alone.
 */
export function journalSessionUse(provider: Provider, { sandbox }: ProviderParts): void {
  const recorded = new WeakMap<object, Promise<unknown>>();
  const awaitBeforeAnswer = (request: object, recording: Promise<unknown>) => {
    // The promise is awaited below. This handler prevents an unhandled rejection in the meantime.
    recording.catch(() => undefined);
    recorded.set(request, recording);
  };
  provider.on('authorization.accepted', (ctx: KoaContextWithOIDC) => {
    const { result, session, client, prompts } = ctx.oidc;
    if (result?.login !== undefined || session?.accountId === undefined) return;
    const attempt = { ...observedDevice(ctx.req), ssoSession: true };
    const origin = { ...nameClient(client), ...(prompts.has('none') ? { silent: true as const } : {}) };
    awaitBeforeAnswer(ctx.req, sandbox.signIns.start(session.accountId, attempt, origin));
  });
  provider.on('grant.success', (ctx: KoaContextWithOIDC) => {
    const { params, account, client, entities } = ctx.oidc;
    if (params?.['grant_type'] !== 'refresh_token' || account === undefined) return;
    const isOfDevice = entities.RefreshToken?.gty?.split(' ').includes(deviceGrant) === true;
    const recording = sandbox.recorder.record({
      type: 'tokens.refreshed',
      userId: account.accountId,
      attempt: observedDevice(ctx.req),
      origin: { ...nameClient(client), ...(isOfDevice ? { device: true as const } : {}) },
    });
    awaitBeforeAnswer(ctx.req, recording);
  });
  provider.use(async (ctx, next) => {
    await next();
    await recorded.get(ctx.req);
  });
}

/** Returns the application of a sign-in for its origin. */
function nameClient(client: Client | undefined): Pick<SignInOrigin, 'client'> {
  return client === undefined ? {} : { client: { id: client.clientId, name: client.clientName ?? client.clientId } };
}
