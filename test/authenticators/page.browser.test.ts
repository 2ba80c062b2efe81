import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installAuthenticator } from '../../src/authenticators/install-authenticator.ts';
import type { Misbehavior } from '../../src/authenticators/misbehavior.ts';
import { zeroAaguid } from '../../src/authenticators/profile.ts';
import { findZeroAaguidProfile, getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import {
  virtualAuthenticatorAaguid,
  virtualAuthenticatorOptions,
} from '../../src/authenticators/virtual-authenticator.ts';
import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../src/authenticators/webauthn-json.ts';
import { detectPasskeyType } from '../../src/contract/passkey-type-detection.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { creationOptions, requestOptions, verifierAt } from './relying-party-server.ts';

/** Content security policy of the test page: only scripts from its own files are allowed. */
const policy = "default-src 'none'; script-src 'self'";
const profile = getAuthenticatorProfile('keychain', 'macos');
const ceremonyScript = `
  globalThis.outcome = (ceremony) => ceremony.then(
    (credential) => ({ json: credential.toJSON(), own: credential instanceof PublicKeyCredential }),
    (error) => ({ name: error.name ?? String(error) }),
  );
`;

let server: Server;
let browser: Browser;
let origin: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = createServer((request, response) => {
    const script = request.url === '/page.js';
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.setHeader('content-security-policy', policy);
    response.end(script ? ceremonyScript : '<!doctype html><title>Page</title><script src="/page.js"></script>');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await sharedBrowser();
}, 60_000);

afterEach(() => context.close());

afterAll(async () => {
  server.close();
});

/** Opens the page with a software authenticator installed. */
async function opened(misbehavior: Misbehavior = 'approves') {
  const authenticator = new SoftwareAuthenticator({ profile, misbehavior });
  context = await browser.newContext();
  const installed = await installAuthenticator(context, authenticator);
  page = await context.newPage();
  await page.goto(origin);
  return { authenticator, installed };
}

interface Outcome {
  readonly json?: unknown;
  readonly own?: boolean;
  readonly name?: string;
}

/**
 * Runs a ceremony in the page. The options are passed as JSON and parsed by the static methods of the page.
 * `more` is source code of further members.
 */
function ceremony(kind: 'create' | 'get', options: object, more = ''): Promise<Outcome> {
  const parse = kind === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
  const publicKey = `PublicKeyCredential.${parse}(${JSON.stringify(options)})`;
  return page.evaluate<Outcome>(`outcome(navigator.credentials.${kind}({ publicKey: ${publicKey}, ${more} }))`);
}

describe('software authenticator in a real browser', () => {
  test('page-script: a verified passkey registers and signs in under a policy that allows no inline script', async () => {
    await opened();
    const verifier = verifierAt(origin);
    const creation = creationOptions({ attestation: 'direct' });
    const registration = await ceremony('create', creation);
    expect(registration.own).toBe(true);
    const info = await verifier.register(registration.json as RegistrationResponseJson, creation);
    expect(info.aaguid).toBe(profile.aaguid);
    const request = requestOptions();
    const assertion = await ceremony('get', request);
    expect(assertion.own).toBe(true);
    await verifier.signIn(assertion.json as AuthenticationResponseJson, request, info.credential);
  });

  test('page-script: the page receives objects with the members of WebAuthn as buffers', async () => {
    await opened();
    const members = await page.evaluate(`(async () => {
      const options = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(creationOptions())});
      const made = await navigator.credentials.create({ publicKey: options });
      const request = { challenge: new Uint8Array(32), rpId: 'localhost', allowCredentials: [{ type: 'public-key', id: made.rawId }] };
      const used = await navigator.credentials.get({ publicKey: request });
      const named = (value) => value?.constructor?.name;
      return {
        made: [named(made), named(made.rawId), named(made.response), named(made.response.attestationObject)],
        key: [named(made.response.getPublicKey()), made.response.getPublicKeyAlgorithm(), made.response.getTransports()],
        used: [named(used.response), named(used.response.signature), named(used.response.userHandle), used.id === made.id],
        extensions: made.getClientExtensionResults(),
        attachment: made.authenticatorAttachment,
      };
    })()`);
    expect(members).toEqual({
      made: ['PublicKeyCredential', 'ArrayBuffer', 'AuthenticatorAttestationResponse', 'ArrayBuffer'],
      key: ['ArrayBuffer', -7, ['internal', 'hybrid']],
      used: ['AuthenticatorAssertionResponse', 'ArrayBuffer', 'ArrayBuffer', true],
      extensions: {},
      attachment: 'platform',
    });
  });

  test('page-script: the static methods describe the authenticator', async () => {
    await opened();
    const capabilities = await page.evaluate(`Promise.all([
      PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable(),
      PublicKeyCredential.isConditionalMediationAvailable(),
      PublicKeyCredential.getClientCapabilities(),
    ])`);
    expect(capabilities).toEqual([
      true,
      true,
      expect.objectContaining({ conditionalGet: true, conditionalCreate: true }),
    ]);
  });

  test.each([
    ['refuses', 'NotAllowedError'],
    ['times-out', 'NotAllowedError'],
    ['walks-away', 'NotAllowedError'],
  ] as const)('page-script: with the misbehavior %s, the page receives %s', async (misbehavior, name) => {
    await opened(misbehavior);
    expect(await ceremony('create', creationOptions({ timeout: 20 }))).toEqual({ name });
  });

  test('InvalidStateError: the page receives this error for an excluded passkey', async () => {
    const { authenticator } = await opened();
    await ceremony('create', creationOptions());
    const excludeCredentials = authenticator.listCredentials().map(({ id }) => ({ id, type: 'public-key' }));
    expect(await ceremony('create', creationOptions({ excludeCredentials }))).toEqual({ name: 'InvalidStateError' });
  });

  test('SecurityError: the page receives this error for a relying party of another origin', async () => {
    await opened();
    const options = creationOptions({ rp: { id: 'example.test', name: 'Other' } });
    expect(await ceremony('create', options)).toEqual({ name: 'SecurityError' });
  });

  test('AbortError: the page aborts before or during a ceremony and may start another one', async () => {
    const { authenticator } = await opened('walks-away');
    expect(await ceremony('get', requestOptions(), 'signal: AbortSignal.abort()')).toEqual({ name: 'AbortError' });
    expect(await ceremony('get', requestOptions(), 'signal: AbortSignal.timeout(20)')).toEqual({
      name: 'TimeoutError',
    });
    authenticator.misbehavior = 'approves';
    expect(await ceremony('create', creationOptions())).toHaveProperty('own', true);
  });

  test('OperationError: a page cannot start a ceremony while another one is pending', async () => {
    await opened('walks-away');
    await page.evaluate('void outcome(navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } }))');
    expect(await ceremony('get', requestOptions())).toEqual({ name: 'OperationError' });
  });

  test('page-script: autofill waits until a passkey is selected, and the page can abort it', async () => {
    const { authenticator, installed } = await opened();
    expect(await installed.chooseFromAutofill()).toBe('no-request');
    const begin = `
      globalThis.controller = new AbortController();
      globalThis.filled = outcome(navigator.credentials.get({
        mediation: 'conditional', signal: controller.signal,
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(requestOptions())}),
      })); undefined`;
    await page.evaluate(begin);
    await expect.poll(() => installed.chooseFromAutofill()).toBe('nothing-offered');
    await page.evaluate('controller.abort()');
    expect(await page.evaluate('filled')).toEqual({ name: 'AbortError' });
    await ceremony('create', creationOptions());
    expect(await installed.chooseFromAutofill()).toBe('no-request');
    await page.evaluate(begin);
    await expect.poll(() => installed.chooseFromAutofill({ page })).toBe('chosen');
    const filled = (await page.evaluate('filled')) as Outcome;
    expect(filled.json).toHaveProperty('id', authenticator.listCredentials()[0]?.id);
  });

  test('page-script: another authenticator replaces the first one in an open page', async () => {
    const { installed } = await opened('refuses');
    expect(await ceremony('create', creationOptions())).toEqual({ name: 'NotAllowedError' });
    installed.use(new SoftwareAuthenticator({ profile: getAuthenticatorProfile('security-key', 'windows') }));
    const { json } = await ceremony('create', creationOptions());
    expect(json).toHaveProperty('authenticatorAttachment', 'cross-platform');
  });
});

describe('Chromium’s virtual authenticator in a page', () => {
  /** Opens the page with a virtual authenticator of the browser. */
  async function virtual(
    type: Parameters<typeof findZeroAaguidProfile>[0],
    os: 'windows' | 'macos',
    misbehavior: Misbehavior,
  ) {
    const zeroProfile = findZeroAaguidProfile(type, os);
    const options = zeroProfile && virtualAuthenticatorOptions(zeroProfile, misbehavior);
    expect.assert(options !== null);
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(origin);
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', { options });
  }

  /** Chromium removes the AAGUID of a roaming authenticator if no attestation is requested. */
  test.each([
    ['windows-bound', 'windows', 'none', virtualAuthenticatorAaguid],
    ['password-manager', 'windows', 'none', virtualAuthenticatorAaguid],
    ['security-key', 'windows', 'none', zeroAaguid],
    ['security-key', 'windows', 'direct', virtualAuthenticatorAaguid],
    ['keychain', 'macos', 'none', virtualAuthenticatorAaguid],
    ['mac-platform-sso', 'macos', 'none', virtualAuthenticatorAaguid],
  ] as const)(
    'A51: a virtual authenticator configured as %s on %s with attestation %s creates a passkey of that type',
    async (type, os, attestation, aaguid) => {
      await virtual(type, os, 'approves');
      const authenticatorSelection = { residentKey: 'required', userVerification: 'required' };
      const options = creationOptions({ attestation, authenticatorSelection });
      const { json } = await ceremony('create', options);
      const response = json as RegistrationResponseJson;
      const info = await verifierAt(origin).register(response, options);
      expect(info.aaguid).toBe(aaguid);
      const backupEligible = info.credentialDeviceType === 'multiDevice';
      const kind = detectPasskeyType({ aaguid, transports: response.response.transports, backupEligible, os });
      expect(kind).toEqual({ type, confidence: 'derived' });
    },
  );

  test('NotAllowedError: a virtual authenticator of a user who declines registers no passkey', async () => {
    await virtual('windows-bound', 'windows', 'refuses');
    const options = creationOptions({ timeout: 500, authenticatorSelection: { userVerification: 'required' } });
    expect(await ceremony('create', options)).toEqual({ name: 'NotAllowedError' });
  });
});
