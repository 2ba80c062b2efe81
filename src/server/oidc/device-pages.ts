import Provider, { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { toPageTenant } from '../identity/brand.ts';
import { recordFailedAttempt } from '../identity/failed-attempts.ts';
import {
  type DeviceCodeFault,
  deviceCodePage,
  deviceConfirmationPage,
  deviceDonePage,
} from '../identity/pages/device.page.ts';
import { answerPage, readerOfContext } from './provider-pages.ts';

/** Faults by the names of the provider's errors. */
const faults: Readonly<Record<string, DeviceCodeFault>> = {
  NoCodeError: 'missing',
  NotFoundError: 'unknown',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
  AbortedError: 'declined',
  TooManyCodes: 'throttled',
};

/** Error for a code that is not looked up, because too many codes of this browser were incorrect. */
class TooManyCodes extends errors.OIDCProviderError {
  constructor() {
    super(429, 'temporarily_unavailable');
    this.name = 'TooManyCodes';
  }
}

/**
 * Counts incorrect codes of a browser like incorrect passwords (decision 061), so codes cannot be guessed. After too
 * many, no code is looked up for a while.
 */
export function limitUserCodes(provider: Provider, sandbox: Sandbox): void {
  const { DeviceCode } = provider;
  const find = DeviceCode.findByUserCode.bind(DeviceCode);
  DeviceCode.findByUserCode = async (userCode, options) => {
    let code: Awaited<ReturnType<typeof find>>;
    const guessed = { secret: 'user-code', owner: Provider.ctx?.oidc.session?.uid ?? '', isKnown: false } as const;
    const evaluated = await recordFailedAttempt(sandbox, guessed, async () => {
      code = await find(userCode, options);
      return code !== undefined;
    });
    if (typeof evaluated !== 'boolean') throw new TooManyCodes();
    return code;
  };
}

/** Renders the page that asks for the code of a device, with the reason why an earlier code did not work. */
export function renderDeviceCode(sandbox: Sandbox, ctx: KoaContextWithOIDC, error: Error | null): void {
  const { userCode } = (error ?? {}) as { readonly userCode?: string };
  const document = deviceCodePage({
    tenant: toPageTenant(sandbox, readerOfContext(ctx)),
    ...formIn(ctx),
    userCode: userCode ?? null,
    fault: error === null ? null : (faults[error.name] ?? 'failed'),
  });
  answerPage(ctx, document);
}

/** Renders the page that shows the application and its code for comparison. */
export function renderDeviceConfirmation(
  sandbox: Sandbox,
  ctx: KoaContextWithOIDC,
  client: Client,
  userCode: string,
): void {
  const tenant = toPageTenant(sandbox, readerOfContext(ctx));
  answerPage(ctx, deviceConfirmationPage({ tenant, ...formIn(ctx), userCode, clientName: nameClient(client) }));
}

/** Renders the end of a sign-in for a device. */
export function renderDeviceDone(sandbox: Sandbox, ctx: KoaContextWithOIDC): void {
  const { client } = ctx.oidc;
  const tenant = toPageTenant(sandbox, readerOfContext(ctx));
  answerPage(ctx, deviceDonePage(tenant, client === undefined ? '' : nameClient(client)));
}

function formIn({ oidc }: KoaContextWithOIDC): { readonly address: string; readonly formToken: string } {
  const { secret } = (oidc.session?.state ?? {}) as { readonly secret?: string };
  return { address: oidc.urlFor('code_verification'), formToken: secret ?? '' };
}

function nameClient({ clientName, clientId }: Client): string {
  return clientName ?? clientId;
}
