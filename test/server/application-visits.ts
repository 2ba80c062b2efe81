import type { DisplayedPage } from './oidc/application-browser.ts';
import { appBrowser, RelyingParty } from './oidc/relying-party.ts';
import type { PageVisit } from './page-visits.ts';
import type { Site, Surroundings } from './site.ts';

/** Pages that an application redirects its users to. */
interface Application {
  readonly browser: ReturnType<typeof appBrowser>;
  readonly party: RelyingParty;
  readonly issuer: string;
}

const quiet: Surroundings = { tenant: { campaign: { state: 'disabled' } } };

function visit(
  title: string,
  clientId: string,
  surroundings: Surroundings,
  way: (application: Application) => Promise<DisplayedPage>,
): PageVisit {
  const page = title.replace(/\+.*/, '');
  return {
    title,
    screen: page === 'name' ? 'name' : null,
    page,
    async reach(site: Site) {
      const { sandbox } = await site.visitor({ ...quiet, ...surroundings });
      const { issuer } = sandbox.tokens;
      const party = await RelyingParty.discover(issuer, { id: clientId, nowMs: sandbox.clock.nowMs() });
      const { address, text, headers } = await way({ browser: appBrowser(), party, issuer });
      return { address, text, policy: headers.get('content-security-policy') ?? '' };
    },
  };
}

/** Sandbox with an application that also signs in its users on a television. */
const withDevice: Surroundings = {
  clients: [{ id: 'television', kind: 'public', anyLoopbackRedirect: true, grants: ['device_code'] }],
};

interface DeviceRequest {
  readonly user_code: string;
  readonly verification_uri: string;
}

async function beginDevice(issuer: string): Promise<DeviceRequest> {
  const body = new URLSearchParams({ client_id: 'television', scope: 'openid' });
  return (await (await fetch(`${issuer}/oauth2/device`, { method: 'POST', body })).json()) as DeviceRequest;
}

async function compareCodes(browser: Application['browser'], device: DeviceRequest): Promise<DisplayedPage> {
  return browser.press(await browser.load(device.verification_uri), 'Next', { Code: device.user_code });
}

/** Page visits between an application and its users. */
export const applicationVisits: readonly PageVisit[] = [
  visit('name+application', 'test-public', {}, async ({ browser, party }) => browser.load((await party.ask()).url)),
  visit('consent', 'test-consent', {}, async ({ browser, party }) =>
    browser.signIn((await party.ask({ scope: 'openid profile offline_access Policy.Read.All' })).url),
  ),
  visit('account-picker', 'test-public', {}, async ({ browser, party }) => {
    await party.signIn(browser);
    return browser.load((await party.ask({ prompt: 'select_account' })).url);
  }),
  visit('stay-signed-in', 'test-public', { settings: { askToStaySignedIn: true } }, async ({ browser, party }) =>
    browser.signIn((await party.ask()).url),
  ),
  visit('hand-over', 'test-public', {}, async ({ browser, party }) => {
    const displayed = await browser.signIn((await party.ask({ response_mode: 'form_post' })).url);
    // The script submits the form immediately. These checks cover the page as displayed without scripts.
    return { ...displayed, text: displayed.text.replace(/<script[^>]*><\/script>/, '') };
  }),
  visit('device-code', 'television', withDevice, async ({ browser, issuer }) => browser.load(`${issuer}/device`)),
  visit('device-code+unknown', 'television', withDevice, async ({ browser, issuer }) =>
    browser.press(await browser.load(`${issuer}/device`), 'Next', { Code: 'BBBB-BBBB' }),
  ),
  visit('device-confirmation', 'television', withDevice, async ({ browser, issuer }) =>
    compareCodes(browser, await beginDevice(issuer)),
  ),
  visit('device-done', 'television', withDevice, async ({ browser, party, issuer }) => {
    await party.signIn(browser);
    return browser.press(await compareCodes(browser, await beginDevice(issuer)), 'Continue');
  }),
  visit('sign-out', 'test-public', {}, async ({ browser, party, issuer }) => {
    await party.signIn(browser);
    return browser.load(`${issuer}/oauth2/end_session`);
  }),
  visit('sign-out+application', 'test-public', {}, async ({ browser, party, issuer }) => {
    await party.signIn(browser);
    return browser.load(`${issuer}/oauth2/end_session?client_id=test-public`);
  }),
  visit('signed-out', 'test-public', {}, async ({ browser, party, issuer }) => {
    await party.signIn(browser);
    return browser.press(await browser.load(`${issuer}/oauth2/end_session`), 'Sign out');
  }),
  visit('signed-out+application', 'test-public', {}, async ({ browser, party, issuer }) => {
    await party.signIn(browser);
    const confirmation = await browser.load(`${issuer}/oauth2/end_session?client_id=test-public`);
    return browser.press(confirmation, 'keep-session');
  }),
  visit('signed-out+stayed', 'test-public', {}, async ({ browser, party, issuer }) => {
    await party.signIn(browser);
    return browser.press(await browser.load(`${issuer}/oauth2/end_session`), 'Stay signed in');
  }),
];
