import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { RequestOptionsJson } from '../../../src/authenticators/webauthn-json.ts';
import { computeHmac, hmacPurposes, isWithinLifetime, parseInstantMs } from '../../../src/core/hmac.ts';
import { holdingAuthenticator } from '../../../src/scenario/drivers/http/authenticators.ts';
import { OneTimeChallenges } from '../../../src/server/identity/passkeys/one-time-challenges.ts';
import { Sessions } from '../../../src/server/identity/session.ts';
import { heldBy } from '../held-by.ts';
import { oidcServer } from '../oidc/oidc-server.ts';
import { appBrowser, RelyingParty } from '../oidc/relying-party.ts';

const withPasskey = { id: 'ada', passkeys: [{ type: 'security-key', deviceId: 'key-1' }] };

/** A server, and what the first page makes of a passkey that answers a challenge. */
async function firstPage() {
  const server = await oidcServer({ users: [withPasskey] });
  const { issuer, sandbox } = server;
  const authenticator = await holdingAuthenticator(heldBy(sandbox, 'ada'));
  const answer = async (challenge?: string): Promise<number> => {
    const shown = await appBrowser().load(`${issuer}/sign-in`);
    const ceremony = shown.page?.forms.find(({ ceremony }) => ceremony !== null)?.ceremony ?? 'null';
    const options = JSON.parse(ceremony) as RequestOptionsJson;
    const asked = challenge === undefined ? options : { ...options, challenge };
    const credential = await authenticator.get(asked, { origin: new URL(issuer).origin });
    const body = new URLSearchParams({ action: 'passkey', credential: JSON.stringify(credential) });
    return (await fetch(`${issuer}/sign-in`, { method: 'POST', body })).status;
  };
  return { ...server, answer };
}

const asChallenge = (...parts: readonly string[]) => Buffer.from(parts.join(' ')).toString('base64url');

describe('068: a seal proves one thing', () => {
  it('the form token of a consent page is no challenge of a passkey, whenever it is used', async () => {
    const { issuer, sandbox, answer } = await firstPage();
    const party = await RelyingParty.discover(issuer, { id: 'test-consent', secret: 'test-secret' });
    const shown = await appBrowser().signIn((await party.ask()).url);
    expect(shown.page?.name).toBe('consent');
    const fields = shown.page?.forms.flatMap((form) => form.fields) ?? [];
    const formToken = fields.find(({ name }) => name === 'formToken')?.value ?? '';
    const uid = new URL(shown.page?.forms[0]?.address ?? '', issuer).searchParams.get('interaction') ?? '';
    expect([formToken.length, uid.length > 10]).toEqual([43, true]);
    const forged = asChallenge('interaction', uid, formToken);
    expect(await answer(forged)).toBe(401);
    await sandbox.clock.advance({ days: 100 });
    expect(await answer(forged)).toBe(401);
    expect(await answer()).toBe(200);
  });

  test('no purpose gives the seal of another one', () => {
    const seals = hmacPurposes.map((purpose) => computeHmac('a key', purpose, 'the same', 1, null));
    expect(new Set(seals).size).toBe(hmacPurposes.length);
    expect(hmacPurposes.length).toBeGreaterThan(10);
  });

  test('parts do not run into each other', () => {
    expect(computeHmac('a key', 'sign-in', 'a', 'b')).not.toBe(computeHmac('a key', 'sign-in', 'a,b'));
    expect(computeHmac('a key', 'sign-in', 'a b')).not.toBe(computeHmac('a key', 'sign-in', 'a', 'b'));
    expect(computeHmac('a key', 'sign-in', '1')).not.toBe(computeHmac('a key', 'sign-in', 1));
  });

  test('a challenge is refused with a seal that was made for anything else', async () => {
    const { sandbox } = await oidcServer();
    const [sessions, challenges] = [new Sessions(), new OneTimeChallenges(new Sessions(), 'a page').of(sandbox)];
    const now = String(sandbox.clock.nowMs());
    for (const purpose of hmacPurposes) {
      const seal = await sessions.sealOf(sandbox, purpose, 'a page', '', 'nonce', now, '1');
      expect([purpose, await challenges.use(asChallenge('nonce', now, '1', seal))]).toEqual([
        purpose,
        purpose === 'page-challenge',
      ]);
    }
  });

  test('HMACs are made by the one function that takes a purpose, but for those that are no seals', () => {
    const source = join(import.meta.dirname, '../../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const making = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('createHmac('));
    expect(making.toSorted()).toEqual([
      // The PRF of a software authenticator, as WebAuthn states it.
      'authenticators/prf.ts',
      'core/hmac.ts',
      // RFC 6238.
      'core/time-based-code.ts',
      // Names people of an import by a key of anyone who imports.
      'replay/import/pseudonyms.ts',
      // Compares a key that was given with the one of the server.
      'server/access/control-access.ts',
      // Hashes queries for the log.
      'server/request-log.ts',
    ]);
  });
});

describe('068: the age of a seal', () => {
  test.for(['', 'NaN', 'interaction', '1e3', '0x10', ' 1', '1 ', '1.5', 'Infinity', '12345678901234567890'])(
    'the instant %j is none, and nothing holds by it',
    async (instant) => {
      expect(parseInstantMs(instant)).toBeNull();
      const { sandbox } = await oidcServer();
      const seal = await new Sessions().sealOf(sandbox, 'page-challenge', 'a page', '', 'nonce', instant, '1');
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
  ] as const)('made at %s it holds at 100 for 50 ms: %s', ([madeAtMs, holds]) => {
    expect(isWithinLifetime(madeAtMs, 100, 50)).toBe(holds);
  });
});
