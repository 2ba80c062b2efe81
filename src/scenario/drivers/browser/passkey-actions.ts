import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { CredentialDescriptor } from '../../../authenticators/stored-credential.ts';
import type { ListedPasskey } from '../http/authenticators.ts';
import type { WantedPasskey } from '../pages/prompt-steps.ts';
import type { DisplayedPage, SignInFlow } from '../pages/sign-in-flow.ts';
import type { BrowserPages } from './browser-pages.ts';
import type { TabAuthenticator } from './tab-authenticator.ts';

/** A tab of a real browser with its authenticator. */
export interface PasskeyTab {
  readonly flow: SignInFlow;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  ensureOpen(): Promise<BrowserPages>;
  authenticator(): Promise<TabAuthenticator>;
}

/** What the policy of the tenant requires of a passkey, and what its authenticator has already. */
export interface PasskeyConditions {
  /** Whether the tenant restricts passkeys to models or requires attestation. */
  readonly restricted: boolean;
  readonly has?: readonly CredentialDescriptor[];
}

/** The status with which the server rejects a passkey that the browser created by itself. */
const rejectedStatus = 401;

/** Types whose passkeys stay on the device that created them and count only there under `strictDevice` (A32). */
const deviceBoundTypes: readonly PasskeyType[] = ['windows-hello-for-business', 'windows-bound', 'mac-platform-sso'];

/** Signs in with one of the offered passkeys on the first page. Returns false where none is offered. */
export async function pickPasskey(tab: PasskeyTab, offered: readonly CredentialDescriptor[]): Promise<boolean> {
  if (offered.length === 0) return false;
  await (await tab.authenticator()).offer(offered);
  await tab.flow.press('passkey');
  return true;
}

/** Uses a passkey as the second factor: by the authenticator of the tab where it has one, else by the test authenticator. */
export async function usePasskey(tab: PasskeyTab, listed: readonly ListedPasskey[]): Promise<void> {
  const isHeld = await (await tab.authenticator()).hold(listed);
  await tab.flow.press(isHeld ? 'passkey' : 'test-passkey');
}

/** Creates a passkey on the page of setup. */
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

/** Has the authenticator reject a passkey on the page of setup. */
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
  // A setup that expired is gone once its page was loaded again.
  const isOpen = (await pages.read()).forms.some(({ ceremony }) => ceremony !== null);
  if (isOpen) await pages.press('make-passkey');
  else await pages.send(flow.formOrFail(), misbehavior === 'approves' ? 'make-passkey' : 'fail');
}

/** Has the browser create a passkey by itself on the last page, which is loaded again for it. */
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
