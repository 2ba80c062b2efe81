import { describe, expect, test } from 'vitest';
import { type Misbehavior, misbehaviors } from '../../src/authenticators/misbehavior.ts';
import { getAuthenticatorProfile } from '../../src/authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../src/authenticators/software-authenticator.ts';
import { nonEmpty } from '../non-empty.ts';
import { createChallenge, creationOptions, origin, register, requestOptions, signIn } from './relying-party-server.ts';

const profile = getAuthenticatorProfile('security-key', 'windows');
const discoverable = creationOptions({ authenticatorSelection: { residentKey: 'required' } });

/** Registers a passkey without misbehavior, then returns its authenticator with the misbehavior and the credential. */
async function registered(misbehavior: Misbehavior) {
  const authenticator = new SoftwareAuthenticator({ profile });
  const info = await register(await authenticator.create(discoverable, { origin }), discoverable);
  const turned = new SoftwareAuthenticator({ profile, misbehavior, credentials: authenticator.listCredentials() });
  return { authenticator: turned, credential: info.credential };
}

/** Results of a registration and of a sign-in for each misbehavior, in the browser or at the server. */
const endings = {
  approves: ['verified', 'verified'],
  refuses: ['NotAllowedError refused', 'NotAllowedError refused'],
  'walks-away': ['unanswered', 'unanswered'],
  'times-out': ['NotAllowedError timed-out', 'NotAllowedError timed-out'],
  'fails-second-time': ['verified', 'verified'],
  'wrong-origin': ['server: origin', 'server: origin'],
  'bad-signature': ['server: not verified', 'server: not verified'],
  'replayed-challenge': ['server: challenge', 'server: challenge'],
} as const satisfies Record<Misbehavior, readonly [string, string]>;

async function getVerdict(verify: () => Promise<unknown>): Promise<string> {
  try {
    await verify();
    return 'verified';
  } catch (error) {
    const word = /origin|challenge|not verified/.exec(String(error))?.[0];
    return `server: ${word ?? String(error)}`;
  }
}

describe('authenticator misbehavior', () => {
  test('misbehavior: every misbehavior has an expected result', () => {
    expect(Object.keys(endings)).toEqual(Object.keys(misbehaviors));
  });

  test.each(nonEmpty(Object.keys(endings) as Misbehavior[]))(
    'misbehavior %s: a registration ends as expected',
    async (misbehavior) => {
      const authenticator = new SoftwareAuthenticator({ profile, misbehavior });
      const outcome = authenticator.answerCreation(discoverable, { origin });
      const ending =
        outcome.kind === 'answered'
          ? await getVerdict(() => register(outcome.response, discoverable))
          : outcome.kind === 'failed'
            ? `${outcome.error.name} ${outcome.error.failure}`
            : outcome.kind;
      expect(ending).toBe(endings[misbehavior][0]);
    },
  );

  test.each(nonEmpty(Object.keys(endings) as Misbehavior[]))(
    'misbehavior %s: a sign-in ends as expected',
    async (misbehavior) => {
      const { authenticator, credential } = await registered(misbehavior);
      const request = requestOptions();
      const outcome = authenticator.answerRequest(request, { origin });
      const ending =
        outcome.kind === 'answered'
          ? await getVerdict(() => signIn(outcome.response, request, credential))
          : outcome.kind === 'failed'
            ? `${outcome.error.name} ${outcome.error.failure}`
            : outcome.kind;
      expect(ending).toBe(endings[misbehavior][1]);
    },
  );

  test('misbehavior fails-second-time: the second ceremony fails and the third succeeds', async () => {
    const { authenticator, credential } = await registered('fails-second-time');
    const request = requestOptions();
    const kinds: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      kinds.push(authenticator.answerRequest(request, { origin }).kind);
    }
    expect(kinds).toEqual(['answered', 'failed', 'answered', 'answered']);
    expect(credential.counter).toBe(1);
  });

  test('misbehavior replayed-challenge: the response contains the challenge of the previous ceremony', async () => {
    const { authenticator, credential } = await registered('replayed-challenge');
    const first = requestOptions({ challenge: createChallenge('first') });
    await authenticator.get(first, { origin });
    const replayed = await authenticator.get(requestOptions({ challenge: createChallenge('second') }), { origin });
    await expect(signIn(replayed, first, credential)).resolves.toHaveProperty('newCounter', 3);
  });

  test('AbortError: only the caller ends a ceremony that the user abandoned', async () => {
    const { authenticator } = await registered('walks-away');
    const caller = new AbortController();
    const open = authenticator.get(requestOptions(), { origin, signal: caller.signal });
    caller.abort('closed');
    await expect(open).rejects.toMatchObject({ name: 'AbortError', failure: 'aborted', cause: 'closed' });
    const late = authenticator.create(discoverable, { origin, signal: caller.signal });
    await expect(late).rejects.toMatchObject({ name: 'AbortError', failure: 'aborted' });
  });

  test('misbehavior: a change takes effect from the next ceremony', async () => {
    const { authenticator, credential } = await registered('refuses');
    const request = requestOptions();
    expect(authenticator.answerRequest(request, { origin }).kind).toBe('failed');
    authenticator.misbehavior = 'approves';
    const answered = await authenticator.get(request, { origin });
    await expect(signIn(answered, request, credential)).resolves.toHaveProperty('newCounter', 2);
  });
});
