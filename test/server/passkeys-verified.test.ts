import { createHash } from 'node:crypto';
import { decode, encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import type { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import { signatureBy } from '../../src/authenticators/stored-credential.ts';
import type {
  AuthenticationResponseJson,
  CreationOptionsJson,
  RegistrationResponseJson,
  RequestOptionsJson,
} from '../../src/authenticators/webauthn-json.ts';
import { holdingAuthenticator } from '../../src/scenario/drivers/http/authenticators.ts';
import { shareInFile } from '../share-in-file.ts';
import { listPasskeys } from './list-passkeys.ts';
import { atSetup, createAuthenticator, expectFailed } from './passkey-set-up.ts';
import { passkeyCampaign, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

/** Checks of WebAuthn Level 3 that a server has to make and that a valid signature does not prove. */

const site = shareInFile(() => startSite());

const signInButton = 'Sign in with a passkey';
const createButton = 'Create passkey';

interface Statement {
  readonly fmt: string;
  readonly attStmt: Record<string, unknown>;
  readonly authData: Uint8Array;
}

async function madeAt(visitor: Visitor, authenticator: SoftwareAuthenticator): Promise<RegistrationResponseJson> {
  return authenticator.create(visitor.options<CreationOptionsJson>(createButton), { origin: visitor.origin });
}

/** Returns a registration with a modified attestation object. */
function withStatement(answer: RegistrationResponseJson, change: (statement: Statement) => Statement): object {
  const { response } = answer;
  const statement = decode(Buffer.from(response.attestationObject, 'base64url')) as Statement;
  const attestationObject = Buffer.from(encode(change(statement))).toString('base64url');
  return { ...answer, response: { ...response, attestationObject } };
}

/** Returns a registration without attestation that has another credential id of the same length. */
function withId(answer: RegistrationResponseJson, id: string): object {
  const changed = withStatement(answer, (statement) => {
    const authData = Buffer.from(statement.authData);
    Buffer.from(id, 'base64url').copy(authData, authData.indexOf(Buffer.from(answer.id, 'base64url')));
    return { ...statement, authData };
  });
  return { ...changed, id, rawId: id };
}

function clientDataWith(clientDataJSON: string, members: object): Buffer {
  const clientData = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as object;
  return Buffer.from(JSON.stringify({ ...clientData, ...members }));
}

/** Returns an assertion with modified client data and a new signature. */
function withClientData(
  { response, ...answer }: AuthenticationResponseJson,
  authenticator: SoftwareAuthenticator,
  members: object,
): object {
  const clientData = clientDataWith(response.clientDataJSON, members);
  const hash = createHash('sha256').update(clientData).digest();
  const signed = Buffer.concat([Buffer.from(response.authenticatorData, 'base64url'), hash]);
  const key = authenticator.listCredentials()[0]?.privateKey;
  if (key === undefined) throw new Error('The authenticator holds no passkey.');
  const signature = signatureBy(key, signed).toString('base64url');
  return { ...answer, response: { ...response, clientDataJSON: clientData.toString('base64url'), signature } };
}

describe('a credential ID belongs to one user of a sandbox (WebAuthn Level 3, 7.1)', () => {
  const eves = [
    ['made at a page', {}],
    ['given by a fixture', { passkeys: [{ type: 'keychain', deviceId: 'phone' }] }],
  ] as const;

  /** Creates a passkey for Eve and returns its credential id, which Ada then reuses. */
  async function idOfEve(visitor: Visitor, facts: object): Promise<string> {
    const { sandbox } = visitor;
    await sandbox.directory.putUser('eve', facts);
    if (!('passkeys' in facts)) {
      await sandbox.securityInfo.addPasskey('eve', {
        passkey: { type: 'security-key', deviceId: 'key', credentialId: eveId },
        credential: { ...credential, id: eveId },
        attested: false,
      });
    }
    return listPasskeys(sandbox, 'eve')[0]?.credential.id ?? '';
  }

  const eveId = Buffer.alloc(32, 7).toString('base64url');
  const credential = {
    publicKey: 'AAAA',
    counter: 0,
    aaguid: '00000000-0000-0000-0000-000000000000',
    transports: ['usb' as const],
    backupEligible: false,
    backedUp: false,
    name: 'Key',
    createdAtMs: 0,
    kindConfidence: 'derived' as const,
  };

  test.for(eves)('R11.8: at the prompt, a credential ID of another user is rejected: %s', async ([, facts]) => {
    const visitor = await atSetup(site);
    const id = await idOfEve(visitor, facts);
    const answer = await madeAt(visitor, createAuthenticator({ attestation: 'none' }));
    expectFailed(await visitor.answer(createButton, withId(answer, id)));
  });

  test.for(eves)(
    'credential-taken: in the security information, a credential ID of another user is rejected: %s',
    async ([, facts]) => {
      const visitor = await (await site.visitor({ tenant: { campaign: { state: 'disabled' } } })).signIn();
      await visitor.load('/security-info');
      const id = await idOfEve(visitor, facts);
      const answer = await madeAt(visitor, createAuthenticator({ attestation: 'none' }));
      await visitor.answer(createButton, withId(answer, id));
      expect(visitor.seen).toEqual([400, 'security-info-list']);
      expect(visitor.sandbox.directory.user('ada').passkeys).toEqual([]);
    },
  );

  test('R11.8: a credential ID that another user registers before the passkey is named is rejected', async () => {
    const visitor = await atSetup(site);
    const answer = await madeAt(visitor, createAuthenticator({ attestation: 'none' }));
    await visitor.answer(createButton, answer);
    expect(visitor.seen).toEqual([200, 'setup-name']);
    await visitor.sandbox.directory.putUser('eve', {});
    await visitor.sandbox.securityInfo.addPasskey('eve', {
      passkey: { type: 'security-key', deviceId: 'key', credentialId: answer.id },
      credential: { ...credential, id: answer.id },
      attested: false,
    });
    expectFailed(await visitor.press('Save'));
  });

  test('R11.8: a credential ID that its user removed, or that exists in another sandbox, is available', async () => {
    const [visitor, other] = [await atSetup(site), await atSetup(site)];
    const id = await idOfEve(other, {});
    await visitor.answer(createButton, withId(await madeAt(visitor, createAuthenticator({ attestation: 'none' })), id));
    expect(visitor.seen).toEqual([200, 'setup-name']);
    const again = await atSetup(site);
    await idOfEve(again, {});
    await again.sandbox.securityInfo.removePasskey('eve', 0);
    await again.answer(createButton, withId(await madeAt(again, createAuthenticator({ attestation: 'none' })), id));
    expect(again.seen).toEqual([200, 'setup-name']);
  });
});

describe('self attestation states the algorithm of its key (WebAuthn Level 3, 8.2)', () => {
  test.for([
    [-257, 'error-screen'],
    [-7, 'setup-name'],
  ] as const)('R11.8: an ES256 key with self attestation and alg %i leads to %s', async ([alg, page]) => {
    const visitor = await atSetup(site);
    const answer = await madeAt(visitor, createAuthenticator({ attestation: 'packed-self', algorithm: 'ES256' }));
    const changed = withStatement(answer, ({ attStmt, ...rest }) => ({ ...rest, attStmt: { ...attStmt, alg } }));
    await visitor.answer(createButton, changed);
    expect(visitor.seen).toEqual([200, page]);
  });
});

describe('backup eligibility never changes (WebAuthn Level 3, 7.2)', () => {
  const held = [
    ['security-key', false],
    ['keychain', true],
  ] as const;

  test.for(held)(
    'sign-in: a passkey of type %s that reports a different backup eligibility is rejected',
    async ([type, eligible]) => {
      const visitor = await site.visitor({ user: { passkeys: [{ type, deviceId: 'device' }] } });
      const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
      const [own] = authenticator.listCredentials();
      if (own === undefined) throw new Error('Ada has no passkey.');
      await visitor.load();
      authenticator.hold({ ...own, backupEligible: !eligible, backupState: !eligible });
      await visitor.use(authenticator, signInButton);
      expect(visitor.seen).toEqual([401, 'name']);
      await visitor.load();
      authenticator.hold(own);
      await visitor.use(authenticator, signInButton);
      expect(visitor.seen[0]).toBe(200);
    },
  );

  test('sign-in: a synced passkey that is no longer backed up is accepted, and its new state is stored', async () => {
    const visitor = await (await site.visitor({ tenant: passkeyCampaign, attempt: { os: 'macos' } })).signIn();
    await visitor.press('Next');
    const authenticator = createAuthenticator({ backupEligible: true, backupState: true, attestation: 'none' });
    await visitor.make(authenticator);
    await visitor.press('Save');
    const [own] = authenticator.listCredentials();
    if (own === undefined) throw new Error('Ada has no passkey.');
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.credential).toMatchObject({ backupEligible: true, backedUp: true });
    authenticator.hold({ ...own, backupState: false });
    await visitor.load();
    await visitor.use(authenticator, signInButton);
    expect(visitor.seen[0]).toBe(200);
    expect(listPasskeys(visitor.sandbox, 'ada')[0]?.credential).toMatchObject({
      backupEligible: true,
      backedUp: false,
    });
  });
});

describe('pages that forbid framing accept no response from a frame', () => {
  const frames = [
    { crossOrigin: true },
    { crossOrigin: true, topOrigin: 'https://top.example' },
    { crossOrigin: false, topOrigin: 'https://top.example' },
    { crossOrigin: 'true' },
  ];

  test.for(frames)('R11.8: a passkey that was created with %j is rejected', async (members) => {
    const visitor = await atSetup(site);
    const { response, ...answer } = await madeAt(visitor, createAuthenticator({ attestation: 'none' }));
    const clientDataJSON = clientDataWith(response.clientDataJSON, members).toString('base64url');
    expectFailed(await visitor.answer(createButton, { ...answer, response: { ...response, clientDataJSON } }));
  });

  test.for(frames)('sign-in: a response with %j is rejected, and one without it is accepted', async (members) => {
    const user = { passkeys: [{ type: 'keychain', deviceId: 'device' }] };
    const visitor = await (await site.visitor({ user })).load();
    const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
    const origin = { origin: visitor.origin };
    const answer = await authenticator.get(visitor.options<RequestOptionsJson>(signInButton), origin);
    await visitor.answer(signInButton, withClientData(answer, authenticator, members));
    expect(visitor.seen).toEqual([401, 'name']);
    const again = await authenticator.get(visitor.options<RequestOptionsJson>(signInButton), origin);
    await visitor.answer(signInButton, withClientData(again, authenticator, {}));
    expect(visitor.seen[0]).toBe(200);
  });
});

test('sign-in: a response whose user handle names a different user is rejected', async () => {
  const user = { passkeys: [{ type: 'keychain', deviceId: 'device' }] };
  const visitor = await (await site.visitor({ user })).signIn('password');
  const authenticator = await holdingAuthenticator(listPasskeys(visitor.sandbox, 'ada'));
  const options = visitor.options<RequestOptionsJson>('Use a passkey instead');
  const answer = await authenticator.get(options, { origin: visitor.origin });
  const userHandle = Buffer.from(`${visitor.sandbox.id}\neve`).toString('base64url');
  await visitor.answer('Use a passkey instead', { ...answer, response: { ...answer.response, userHandle } });
  expect(visitor.seen).toEqual([401, 'password']);
});
