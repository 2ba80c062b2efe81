import type { Screen } from '../../machines/sign-in.machine.ts';
import type { AttemptPatch } from '../../src/contract/facts.schema.ts';
import { keyPage, leavePage } from '../../src/server/access/key.page.ts';
import { pageHeaders } from '../../src/server/identity/send-page.ts';
import { applicationVisits } from './application-visits.ts';
import { appCampaign, passkeyCampaign, type Site, type Surroundings } from './site.ts';
import type { Visitor } from './visitor.ts';

/** Page as received by a browser. */
export interface VisitedPage {
  readonly address: string;
  readonly text: string;
  readonly policy: string;
}

/** Page under test and the steps that lead to it. */
export interface PageVisit {
  /** Title of the visit, also used as the name of the screenshot. */
  readonly title: string;
  /** Sign-in screen that the page displays. `null` if the page is not part of a sign-in. */
  readonly screen: Screen | null;
  /** Value of `data-page`. */
  readonly page: string;
  readonly reach: (site: Site) => Promise<VisitedPage>;
}

type Way = (visitor: Visitor) => Promise<unknown>;

const twoSkips = { snooze: { count: 1 } };
const usedUp = { snooze: { count: 3 } };
const unlimited = { campaign: { enforceRegistrationAfterAllowedSnoozes: false } };

/** Example logo of a tenant: blue waves. */
const logo = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32"><rect width="32" height="32" rx="8" fill="#0a7"/><path d="M6 20c4-8 8 4 10-4s6-4 10-2" stroke="#fff" stroke-width="3" fill="none"/></svg>',
).toString('base64')}`;
const branded = { settings: { branding: { name: 'Tide & Sons Shipping', color: '#0a7a5a', logo } } };
const paleBrand = { settings: { branding: { name: 'Lemon', color: '#ffe94a' } } };

function visit(
  title: string,
  [screen, page]: readonly [screen: Screen | null, page: string],
  surroundings: Surroundings,
  way: Way,
): PageVisit {
  return {
    title,
    screen,
    page,
    async reach(site) {
      const visitor = await site.visitor(surroundings);
      await way(visitor);
      const { address, text, headers } = visitor.shown;
      return { address, text, policy: String(headers['content-security-policy']) };
    },
  };
}

const signedInTo: Way = (visitor) => visitor.signIn();
const toMfa: Way = (visitor) => visitor.signIn('mfa');
const toPassword: Way = (visitor) => visitor.signIn('password');
const toSetup: Way = async (visitor) => (await visitor.signIn()).press('Next');

const name = ['name', 'name'] as const;
const mfa = ['mfa', 'mfa'] as const;
const prompt = ['prompt', 'prompt'] as const;
const closed = ['expired', 'closed'] as const;

function secondFactor(method: NonNullable<AttemptPatch['mfa']>['method'], methods: readonly string[]): Surroundings {
  return { user: { methods }, attempt: { mfa: { method } } };
}

const push = secondFactor('authenticator-push', ['authenticator-push', 'sms']);
const heldPasskey = { passkeys: [{ type: 'security-key', deviceId: 'key-1' }] };
const passkeyFactor: Surroundings = { user: heldPasskey, attempt: { mfa: { method: 'passkey' } } };

async function deny({ sandbox, signInId }: Visitor): Promise<void> {
  await sandbox.signIns.answerPush(signInId, false, null);
}

const firstFactors: readonly PageVisit[] = [
  visit('name', name, {}, (visitor) => visitor.load()),
  visit('name-branded', name, branded, (visitor) => visitor.load()),
  visit('name-pale-brand', name, paleBrand, (visitor) => visitor.load('/sign-in?user=ada')),
  visit('name-unknown', name, {}, async (visitor) => (await visitor.load()).press('Next', { Username: 'nobody' })),
  visit('name-passkey-refused', name, {}, async (visitor) =>
    (await visitor.load()).answer('Sign in with a passkey', {}),
  ),
  visit('password', ['password', 'password'], {}, toPassword),
  visit('password-or-passkey', ['password', 'password'], { user: heldPasskey }, toPassword),
  visit('password-wrong', ['password', 'password'], { user: heldPasskey }, async (visitor) =>
    (await visitor.signIn('password')).press('Sign in', { Password: 'x' }),
  ),
  visit('mfa-sms', mfa, secondFactor('sms', ['sms']), toMfa),
  visit('mfa-sms-wrong', mfa, secondFactor('sms', ['sms', 'voice']), async (visitor) =>
    (await visitor.signIn('mfa')).press('Verify', { Code: '1' }),
  ),
  visit('mfa-voice', mfa, secondFactor('voice', ['voice']), toMfa),
  visit('mfa-totp', mfa, secondFactor('authenticator-totp', ['authenticator-totp', 'sms']), toMfa),
  visit('mfa-hardware-totp', mfa, secondFactor('hardware-totp', ['hardware-totp']), toMfa),
  visit('mfa-push', mfa, push, toMfa),
  visit('mfa-push-waiting', mfa, push, async (visitor) => (await visitor.signIn('mfa')).press('Continue')),
  visit('mfa-push-denied', mfa, push, async (visitor) => {
    await visitor.signIn('mfa');
    await deny(visitor);
    await visitor.press('Continue');
  }),
  visit('mfa-passkey', mfa, passkeyFactor, toMfa),
  visit('mfa-passkey-refused', mfa, passkeyFactor, async (visitor) =>
    (await visitor.signIn('mfa')).answer('Use passkey', {}),
  ),
  visit('mfa-choice', ['mfaChoice', 'mfa-choice'], manyMethods(), openChoice),
  visit('mfa-choice-none', ['mfaChoice', 'mfa-choice'], manyMethods(), async (visitor) => {
    await openChoice(visitor);
    await visitor.send({ action: 'use-method' });
  }),
  visit(
    'external-mfa',
    ['externalMfa', 'external-mfa'],
    { attempt: { mfa: { provider: 'external' } } },
    async (visitor) => (await visitor.signIn('password')).press('Sign in', { Password: 'correct horse' }),
  ),
];

function manyMethods(): Surroundings {
  const methods = ['sms', 'voice', 'authenticator-totp', 'authenticator-push', 'hardware-totp'];
  return { user: { ...heldPasskey, methods }, attempt: { mfa: { method: 'sms' } } };
}

async function openChoice(visitor: Visitor): Promise<void> {
  await (await visitor.signIn('mfa')).press('Sign in another way');
}

const interstitials: readonly PageVisit[] = [
  visit('security-info', ['securityInfo', 'security-info'], { attempt: { registeredThisSession: true } }, signedInTo),
  visit('terms-of-use', ['termsOfUse', 'terms-of-use'], { attempt: { termsOfUse: true } }, signedInTo),
  visit('custom-controls', ['customControls', 'custom-controls'], { attempt: { customControls: true } }, signedInTo),
  visit(
    'blocked',
    ['blocked', 'blocked'],
    { attempt: { conditionalAccess: { registrationPageBlocked: true } } },
    signedInTo,
  ),
];

const nudges: readonly PageVisit[] = (
  [
    ['app', appCampaign],
    ['passkey', passkeyCampaign],
  ] as const
).flatMap(([method, tenant]) => [
  visit(`prompt-${method}`, prompt, { tenant, user: twoSkips }, signedInTo),
  visit(`prompt-${method}-last`, prompt, { tenant, user: { snooze: { count: 2 } } }, signedInTo),
  visit(`prompt-${method}-unlimited`, prompt, { tenant: merged(tenant, unlimited) }, signedInTo),
  visit(`required-${method}`, ['required', 'required'], { tenant, user: usedUp }, signedInTo),
  visit(`error-screen-${method}`, ['errorScreen', 'error-screen'], { tenant }, async (visitor) => {
    await toSetup(visitor);
    await visitor.press('It did not work');
  }),
]);

function merged(tenant: object, more: { readonly campaign: object }): object {
  return { campaign: { ...(tenant as { campaign: object }).campaign, ...more.campaign } };
}

const made: Way = async (visitor) => {
  await toSetup(visitor);
  await visitor.press('Finish', { Device: 'laptop' });
};
const sentToApp: Way = async (visitor) => {
  await toSetup(visitor);
  await visitor.press('Next');
};

const setUps: readonly PageVisit[] = [
  visit('setup-app', ['setup', 'setup'], {}, toSetup),
  visit('setup-test', ['setupTest', 'setup-test'], {}, sentToApp),
  visit('setup-test-waiting', ['setupTest', 'setup-test'], {}, async (visitor) => {
    await sentToApp(visitor);
    await visitor.press('Finish');
  }),
  visit('setup-passkey', ['setup', 'setup'], { tenant: passkeyCampaign }, toSetup),
  visit('setup-passkey-faults', ['setup', 'setup'], { tenant: passkeyCampaign }, async (visitor) => {
    await toSetup(visitor);
    await visitor.press('Finish', { Device: ' ' });
  }),
  visit('setup-name', ['setupName', 'setup-name'], { tenant: passkeyCampaign }, made),
  visit('setup-name-missing', ['setupName', 'setup-name'], { tenant: passkeyCampaign }, async (visitor) => {
    await made(visitor);
    await visitor.press('Save', { Name: ' ' });
  }),
];

const endings: readonly PageVisit[] = [
  visit('closed', closed, {}, expiredPrompt),
  visit('closed-required', closed, { user: usedUp }, expiredPrompt),
  visit('resolved', ['resolved', 'signed-in'], {}, async (visitor) => {
    await visitor.signIn();
    await visitor.sandbox.directory.patchUser('ada', { methods: ['sms', 'authenticator-push'] });
    await visitor.reload();
  }),
  visit('signed-in', ['signedIn', 'signed-in'], {}, async (visitor) => (await visitor.signIn()).press('Skip for now')),
  visit('signed-in-late', ['signedIn', 'signed-in'], {}, async (visitor) => {
    await visitor.signIn();
    await visitor.sandbox.clock.advance({ minutes: 16 });
    await visitor.press('Skip for now');
  }),
  visit('not-nudged', ['notNudged', 'not-nudged'], { tenant: { campaign: { state: 'disabled' } } }, signedInTo),
];

async function expiredPrompt(visitor: Visitor): Promise<void> {
  await visitor.signIn();
  await visitor.sandbox.clock.advance({ minutes: 16 });
  await visitor.reload();
}

const quiet = { campaign: { state: 'disabled' } };
const manyHeld = {
  displayName: 'Ada Lovelace',
  methods: ['sms', 'authenticator-totp'],
  passkeys: [{ type: 'keychain', deviceId: 'phone' }],
};

async function toSecurityInfo(visitor: Visitor): Promise<void> {
  await visitor.signIn();
  await visitor.load('/security-info');
}

const named = { settings: { context: { namedLocations: ['office', 'home'] } } };

const around: readonly PageVisit[] = [
  visit('problem', [null, 'problem'], {}, (visitor) => visitor.load('/sign-in/s999')),
  visit('phone', [null, 'phone'], {}, (visitor) => visitor.load('/phone/ada@example.test')),
  visit('phone-busy', [null, 'phone'], push, async (visitor) => {
    await visitor.signIn('mfa');
    const other = await visitor.sandbox.signIns.start('ada', { mfa: { method: 'sms' } });
    await visitor.sandbox.signIns.acceptPassword(other.id);
    const phone = await visitor.load('/phone/ada@example.test');
    await phone.press('Approve', { 'Number on the sign-in page': 'xx' });
  }),
  visit(
    'security-info-list',
    [null, 'security-info-list'],
    { tenant: quiet, user: { methods: ['sms'] } },
    toSecurityInfo,
  ),
  visit('security-info-list-full', [null, 'security-info-list'], { tenant: quiet, user: manyHeld }, async (visitor) => {
    await toSecurityInfo(visitor);
    await visitor.press('Add test passkey', { 'Passkey type': 'windows-bound' });
  }),
  visit('security-info-list-fault', [null, 'security-info-list'], { tenant: quiet }, async (visitor) => {
    await toSecurityInfo(visitor);
    await visitor.answer('Create passkey', {});
  }),
  visit('try-it', [null, 'try-it'], named, (visitor) => visitor.load('/try')),
  visit('lookup-sign-in', [null, 'lookup-sign-in'], {}, async (visitor) => {
    await visitor.load('/lookup/tokens');
    await visitor.press('Sign in', { 'Email address': 'ada@example.test', Password: 'wrong' });
  }),
  visit('lookup-tokens', [null, 'lookup-tokens'], {}, async (visitor) => {
    await visitor.load('/lookup/tokens');
    await visitor.press('Sign in', { 'Email address': 'free@example.test', Password: 'correct horse' });
    await visitor.press('Issue', { Name: 'A token with quite a long name, as scripts have them' });
  }),
  visit('profile', [null, 'profile'], {}, async (visitor) => {
    const query = 'type=email&query=known@wexlar.example&tool=wexlar';
    const { results } = JSON.parse(await visitor.sandbox.lookup.preview(query));
    await visitor.load(new URL(results.wexlar.profile_url).pathname.replace(/^\/s\/[^/]+/, ''));
  }),
  visit('landing', [null, 'landing'], {}, (visitor) => visitor.load(`${visitor.origin}/`)),
];

/** Creates a visit of a console sign-in page. Only a server with a control key has these pages. */
function consolePage(title: string, page: string, text: (address: string) => string): PageVisit {
  return {
    title,
    screen: null,
    page,
    async reach({ server }) {
      const address = `${server.baseUrl}/_console/${title}`;
      return { address, text: text(address), policy: pageHeaders['Content-Security-Policy'] };
    },
  };
}

const keyForm = { formToken: 'a token', next: '/_console/' };

const ofConsole: readonly PageVisit[] = [
  consolePage('console-sign-in', 'console-sign-in', (address) => keyPage({ ...keyForm, address, fault: null })),
  consolePage('console-sign-in+fault', 'console-sign-in', (address) =>
    keyPage({ ...keyForm, address, fault: 'too-many-guesses' }),
  ),
  consolePage('console-sign-out', 'console-sign-out', (address) => leavePage(address, 'a token', '/_console/')),
];

/** All pages with their variants, including every screen of the state machine. */
export const pageVisits: readonly PageVisit[] = [
  ...firstFactors,
  ...interstitials,
  ...nudges,
  ...setUps,
  ...endings,
  ...around,
  ...applicationVisits,
  ...ofConsole,
];
