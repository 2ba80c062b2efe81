import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { RequestOptionsJson } from '../../../src/authenticators/webauthn-json.ts';
import { computeHmac, hmacPurposes, isWithinLifetime, parseInstantMs } from '../../../src/core/hmac.ts';
import { holdingAuthenticator } from '../../../src/scenario/drivers/http/authenticators.ts';
import { OneTimeChallenges } from '../../../src/server/identity/passkeys/one-time-challenges.ts';
import { Sessions } from '../../../src/server/identity/session.ts';
import { listPasskeys } from '../list-passkeys.ts';
import { oidcServer } from '../oidc/oidc-server.ts';
import { appBrowser, RelyingParty } from '../oidc/relying-party.ts';

const withPasskey = { id: 'ada', passkeys: [{ type: 'security-key', deviceId: 'key-1' }] };

/** Starts a server, and returns the result of posting a passkey for a challenge to the first page. */
async function firstPage() {
  const server = await oidcServer({ users: [withPasskey] });
  const { issuer, sandbox } = server;
  const authenticator = await holdingAuthenticator(listPasskeys(sandbox, 'ada'));
  const answer = async (challenge?: string): Promise<number> => {
    const displayed = await appBrowser().load(`${issuer}/sign-in`);
    const ceremony = displayed.page?.forms.find(({ ceremony }) => ceremony !== null)?.ceremony ?? 'null';
    const options = JSON.parse(ceremony) as RequestOptionsJson;
    const requestOptions = challenge === undefined ? options : { ...options, challenge };
    const credential = await authenticator.get(requestOptions, { origin: new URL(issuer).origin });
    const body = new URLSearchParams({ action: 'passkey', credential: JSON.stringify(credential) });
    return (await fetch(`${issuer}/sign-in`, { method: 'POST', body })).status;
  };
  return { ...server, answer };
}

const asChallenge = (...parts: readonly string[]) => Buffer.from(parts.join(' ')).toString('base64url');

describe('068: each signed value has one purpose', () => {
  it('the anti-forgery token of a consent page is not a valid passkey challenge at any time', async () => {
    const { issuer, sandbox, answer } = await firstPage();
    const party = await RelyingParty.discover(issuer, { id: 'test-consent', secret: 'test-secret' });
    const displayed = await appBrowser().signIn((await party.ask()).url);
    expect(displayed.page?.name).toBe('consent');
    const fields = displayed.page?.forms.flatMap((form) => form.fields) ?? [];
    const formToken = fields.find(({ name }) => name === 'formToken')?.value ?? '';
    const uid = new URL(displayed.page?.forms[0]?.address ?? '', issuer).searchParams.get('interaction') ?? '';
    expect([formToken.length, uid.length > 10]).toEqual([43, true]);
    const forged = asChallenge('interaction', uid, formToken);
    expect(await answer(forged)).toBe(401);
    await sandbox.clock.advance({ days: 100 });
    expect(await answer(forged)).toBe(401);
    expect(await answer()).toBe(200);
  });

  test('no purpose produces the signature of another purpose', () => {
    const seals = hmacPurposes.map((purpose) => computeHmac('a key', purpose, 'the same', 1, null));
    expect(new Set(seals).size).toBe(hmacPurposes.length);
    expect(hmacPurposes.length).toBeGreaterThan(10);
  });

  test('adjacent parts are kept apart', () => {
    expect(computeHmac('a key', 'sign-in', 'a', 'b')).not.toBe(computeHmac('a key', 'sign-in', 'a,b'));
    expect(computeHmac('a key', 'sign-in', 'a b')).not.toBe(computeHmac('a key', 'sign-in', 'a', 'b'));
    expect(computeHmac('a key', 'sign-in', '1')).not.toBe(computeHmac('a key', 'sign-in', 1));
  });

  test('a challenge with a signature for another purpose is rejected', async () => {
    const { sandbox } = await oidcServer();
    const [sessions, challenges] = [new Sessions(), new OneTimeChallenges(new Sessions(), 'a page').of(sandbox)];
    const now = String(sandbox.clock.nowMs());
    for (const purpose of hmacPurposes) {
      const seal = await sessions.createSeal(sandbox, purpose, 'a page', '', 'nonce', now, '1');
      expect([purpose, await challenges.use(asChallenge('nonce', now, '1', seal))]).toEqual([
        purpose,
        purpose === 'page-challenge',
      ]);
    }
  });

  test('HMACs are created only by the function with a purpose, except those that are not signatures', () => {
    const source = join(import.meta.dirname, '../../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const making = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('createHmac('));
    expect(making.toSorted()).toEqual([
      // The PRF of a software authenticator, as WebAuthn specifies it.
      'authenticators/prf.ts',
      'core/hmac.ts',
      // RFC 6238.
      'core/time-based-code.ts',
      // Pseudonymizes the users of an import with the key of the importer.
      'replay/import/pseudonyms.ts',
      // Compares a submitted key with the control key of the server.
      'server/access/control-access.ts',
      // Hashes queries for the log.
    ]);
  });
});

describe('068: age of signed values', () => {
  test.for(['', 'NaN', 'interaction', '1e3', '0x10', ' 1', '1 ', '1.5', 'Infinity', '12345678901234567890'])(
    'at the invalid instant %j, no value is accepted',
    async (instant) => {
      expect(parseInstantMs(instant)).toBeNull();
      const { sandbox } = await oidcServer();
      const seal = await new Sessions().createSeal(sandbox, 'page-challenge', 'a page', '', 'nonce', instant, '1');
      const challenge = asChallenge('nonce', instant, '1', seal);
      expect(await new OneTimeChallenges(new Sessions(), 'a page').of(sandbox).use(challenge)).toBe(false);
    },
  );

  test.for([
    [null, false],
    [Number.NaN, false],
    [101, false],
    [100, true],
    [50, true],
    [49, false],
    [-1, false],
  ] as const)('a value created at %s with a lifetime of 50 ms is valid at 100: %s', ([madeAtMs, holds]) => {
    expect(isWithinLifetime(madeAtMs, 100, 50)).toBe(holds);
  });
});
