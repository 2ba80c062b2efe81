import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { CredentialDescriptor } from '../../../authenticators/stored-credential.ts';
import type { ListedPasskey } from '../http/authenticators.ts';
import type { WantedPasskey } from '../pages/prompt-steps.ts';
import type { DisplayedPage, SignInFlow } from '../pages/sign-in-flow.ts';
import type { BrowserPages } from './browser-pages.ts';
import type { TabAuthenticator } from './tab-authenticator.ts';

/** Tab of a real browser with its authenticator. */
export interface PasskeyTab {
  readonly flow: SignInFlow;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  ensureOpen(): Promise<BrowserPages>;
  authenticator(): Promise<TabAuthenticator>;
}

/** Requirements of the tenant's policy for a passkey, and the existing passkeys of its authenticator. */
export interface PasskeyConditions {
  /** True if the tenant restricts passkeys to models or requires attestation. */
  readonly restricted: boolean;
  readonly has?: readonly CredentialDescriptor[];
}

/** Status with which the server rejects an automatically created passkey. */
const rejectedStatus = 401;

/** Passkey types that stay on the device that created them and, under `strictDevice`, count only there (A32). */
const deviceBoundTypes: readonly PasskeyType[] = ['windows-hello-for-business', 'windows-bound', 'mac-platform-sso'];

/** Signs in with one of the offered passkeys on the first page. Returns false if none is offered. */
export async function pickPasskey(tab: PasskeyTab, offered: readonly CredentialDescriptor[]): Promise<boolean> {
  if (offered.length === 0) return false;
  await (await tab.authenticator()).offer(offered);
  await tab.flow.press('passkey');
  return true;
}

/**
 * Uses a passkey as the second factor, with the authenticator of the tab if it has one, and otherwise with the test
 * authenticator.
 */
export async function usePasskey(tab: PasskeyTab, listed: readonly ListedPasskey[]): Promise<void> {
  const isHeld = await (await tab.authenticator()).hold(listed);
  await tab.flow.press(isHeld ? 'passkey' : 'test-passkey');
}

/** Creates a passkey on the setup page. */
export async function createPasskey(
  tab: PasskeyTab,
  wanted: WantedPasskey,
  conditions: PasskeyConditions,
): Promise<void> {
  const isElsewhere = wanted.deviceId !== tab.deviceId && deviceBoundTypes.includes(wanted.type);
  // This browser cannot create a passkey that is bound to another device.
  if (isElsewhere) return (await tab.ensureOpen()).useTestAuthenticator(wanted.type, wanted.deviceId);
  return create(tab, { ...wanted, ...conditions }, 'approves');
}

/** Rejects the creation of a passkey on the setup page by the authenticator. */
export async function rejectPasskey(tab: PasskeyTab, wanted: WantedPasskey): Promise<void> {
  return create(tab, { ...wanted, restricted: true }, 'refuses');
}

async function create(
  tab: PasskeyTab,
  wanted: WantedPasskey & PasskeyConditions,
  misbehavior: 'approves' | 'refuses',
): Promise<void> {
  const pages = await tab.ensureOpen();
  const { flow } = tab;
  const readiness = await (await tab.authenticator()).prepare({ ...wanted, os: tab.os }, misbehavior);
  if (readiness === 'after-reload') await pages.open(flow.formOrFail().url);
  // An expired setup is no longer available after its page was reloaded.
  const isOpen = (await pages.read()).forms.some(({ ceremony }) => ceremony !== null);
  if (isOpen) await pages.press('make-passkey');
  else await pages.send(flow.formOrFail(), misbehavior === 'approves' ? 'make-passkey' : 'fail');
}

/** Lets the browser create a passkey automatically on the last page, which is reloaded for this purpose. */
export async function upgradePasskey(
  tab: PasskeyTab,
  wanted: WantedPasskey,
  conditions: PasskeyConditions,
): Promise<DisplayedPage> {
  const { flow } = tab;
  if (flow.form === null) return flow.display();
  const pages = await tab.ensureOpen();
  await (await tab.authenticator()).prepare({ ...wanted, ...conditions, os: tab.os }, 'approves');
  await pages.open(flow.form.url);
  const state = await pages.upgradeState();
  const displayed = await flow.display();
  return state === 'rejected' ? { ...displayed, status: rejectedStatus } : displayed;
}
