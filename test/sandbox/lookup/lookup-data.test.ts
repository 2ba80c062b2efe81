import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inMemory, planSandbox, Sandbox, type SandboxInput } from '../../../src/sandbox/sandbox.ts';

type Results = Record<string, Record<string, unknown>>;

const unlimited = `Basic ${Buffer.from('unlimited@example.test:correct horse').toString('base64')}`;

async function createSandbox(input: SandboxInput = {}): Promise<Sandbox> {
  return Sandbox.create('one', planSandbox(input), inMemory());
}

async function getResults(sandbox: Sandbox, type: string, query: string, tool = 'all'): Promise<Results> {
  const parameters = new URLSearchParams({ type, query, tool }).toString();
  const { status, text } = await sandbox.lookup.ask({ method: 'GET', query: parameters, authorization: unlimited });
  expect(status).toBe(200);
  return JSON.parse(text).results;
}

describe('generated results', () => {
  test('L4: the same query has the same result in every sandbox, regardless of earlier queries', async () => {
    const [one, two] = [await createSandbox(), await createSandbox()];
    await getResults(two, 'username', 'someone else');
    expect(await getResults(one, 'email', 'ada@example.test')).toEqual(
      await getResults(two, 'email', 'ada@example.test'),
    );
    const alone = await getResults(await createSandbox(), 'email', 'ada@example.test', 'krintle');
    expect((await getResults(one, 'email', 'ada@example.test'))['krintle']).toEqual(alone['krintle']);
  });

  test('L4: another process returns the same result', async () => {
    const script = `
      const { Sandbox, planSandbox, inMemory } = await import('./src/sandbox/sandbox.ts');
      const sandbox = await Sandbox.create('one', planSandbox({}), inMemory());
      const query = 'type=email&query=ada@example.test&tool=all&api_key=test-token';
      console.log((await sandbox.lookup.ask({ method: 'GET', query, authorization: undefined })).text);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    expect(JSON.parse(printed).results).toEqual(await getResults(await createSandbox(), 'email', 'ada@example.test'));
  });

  test('L4: another random seed returns another result', async () => {
    const results = await getResults(await createSandbox({ seed: 2 }), 'email', 'ada@example.test');
    expect(results).not.toEqual(await getResults(await createSandbox(), 'email', 'ada@example.test'));
  });

  test('L4: email addresses ignore case, but usernames do not', async () => {
    const sandbox = await createSandbox();
    expect(await getResults(sandbox, 'email', ' ADA@Example.TEST ')).toEqual(
      await getResults(sandbox, 'email', 'ada@example.test'),
    );
    expect(await getResults(sandbox, 'username', 'ADA')).not.toEqual(await getResults(sandbox, 'username', 'ada'));
  });

  test('L4: each tool finds about 30 of 100 queries', async () => {
    const sandbox = await createSandbox();
    const counts = new Map<string, number>();
    for (let index = 0; index < 600; index += 1) {
      for (const [tool, { found }] of Object.entries(await getResults(sandbox, 'email', `p${index}@example.test`))) {
        counts.set(tool, (counts.get(tool) ?? 0) + (found === true ? 1 : 0));
      }
    }
    expect(counts.size).toBe(23);
    for (const found of counts.values()) expect(found / 600).toSatisfy((share: number) => share > 0.22 && share < 0.38);
  });

  test('L4: a result never contains the queried email address', async () => {
    const sandbox = await createSandbox();
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{12,20}$/), async (word) => {
        expect(JSON.stringify(await getResults(sandbox, 'email', `${word}@example.test`))).not.toContain(word);
      }),
      { numRuns: 30 },
    );
  });

  test('L4: predefined results replace generated ones, also on the profile page', async () => {
    const known = { type: 'username', tool: 'wexlar', query: 'ada', fields: { name: 'Ada Example', followers: 1815 } };
    const sandbox = await createSandbox({ lookup: { known: [known] } });
    const { wexlar } = await getResults(sandbox, 'username', 'ada');
    expect(wexlar).toMatchObject({ found: true, username: 'ada', name: 'Ada Example', followers: 1815 });
    const id = String(wexlar?.['profile_url']).split('/').at(-1) ?? '';
    expect(await sandbox.lookup.account('username', 'wexlar', id)).toMatchObject({ fields: known.fields });
    expect(await sandbox.lookup.account('username', 'plimbo', id)).toBeNull();
  });
});

describe('lookup faults in a sandbox', () => {
  const bent = async (fault: object, query = 'known@wexlar.example', tool = 'wexlar') => {
    const sandbox = await createSandbox({ faults: [fault] });
    const ask = () =>
      sandbox.lookup.ask({
        method: 'GET',
        query: new URLSearchParams({ type: 'email', query, tool }).toString(),
        authorization: unlimited,
      });
    const answer = await ask();
    return { ...answer, result: JSON.parse(answer.text).results?.wexlar, next: ask };
  };

  test('L10: faults remove a field or add an unexpected one', async () => {
    expect((await bent({ kind: 'lookup-missing-field', field: 'followers' })).result).not.toHaveProperty('followers');
    expect((await bent({ kind: 'lookup-unexpected-field' })).result).toHaveProperty('unexpected');
  });

  test('L10: a malformed value has the wrong type', async () => {
    expect((await bent({ kind: 'lookup-malformed-value', field: 'found' })).result.found).toBe('yes');
    expect((await bent({ kind: 'lookup-malformed-value', field: 'followers' })).result.followers).toBeTypeOf('string');
    expect((await bent({ kind: 'lookup-malformed-value', field: 'profile_url' })).result.profile_url).toBe(
      'http//not an address',
    );
  });

  test('L10: names are too long or contain control characters', async () => {
    expect((await bent({ kind: 'lookup-long-name', characters: 5_000 })).result.username).toHaveLength(5_000);
    expect((await bent({ kind: 'lookup-control-characters' })).result.username).toContain('\u0000');
  });

  test('L10: an avatar is null, and a tool fails in a call for all tools that succeeds', async () => {
    expect((await bent({ kind: 'lookup-null-avatar' })).result.avatar).toBeNull();
    const { status, result, text } = await bent({ kind: 'lookup-tool-error', tool: 'wexlar' }, 'a@b', 'all');
    expect([status, result]).toEqual([200, { found: false, error: 'The tool did not respond.' }]);
    expect(Object.keys(JSON.parse(text).results)).toHaveLength(23);
  });

  test('L10: a failing tool fails its own calls but not calls for all tools', async () => {
    expect((await bent({ kind: 'lookup-server-error', tool: 'wexlar' })).status).toBe(500);
    expect((await bent({ kind: 'lookup-server-error', tool: 'wexlar' }, 'a@b', 'all')).status).toBe(200);
    expect((await bent({ kind: 'lookup-server-error' }, 'a@b', 'all')).status).toBe(500);
    expect((await bent({ kind: 'lookup-server-error', caller: 'token:test' })).status).toBe(200);
  });

  test('L8: a burst of 429 lasts for the configured number of calls and costs no quota', async () => {
    const { status, headers, next } = await bent({ kind: 'lookup-too-many-requests', retryAfterSeconds: 3, times: 2 });
    expect([status, headers['Retry-After']]).toEqual([429, '3']);
    expect([(await next()).status, (await next()).status]).toEqual([429, 200]);
  });

  test('L10: the latency is fixed or log-normal, and the same random seed gives the same values', async () => {
    expect((await bent({ kind: 'lookup-delay', latency: { fixedMs: 40 } })).effect.delayMs).toBe(40);
    const slow = { kind: 'lookup-delay', latency: { medianMs: 100, sigma: 0.5 } };
    const draws = async () => {
      const { effect, next } = await bent(slow);
      const rest: number[] = [];
      for (let index = 0; index < 200; index += 1) rest.push((await next()).effect.delayMs);
      return [effect.delayMs, ...rest];
    };
    const delays = await draws();
    expect(await draws()).toEqual(delays);
    const median = delays.toSorted((a, b) => a - b)[100] ?? 0;
    expect(median).toSatisfy((ms: number) => ms > 85 && ms < 117);
    expect(new Set(delays).size).toBeGreaterThan(50);
  });

  test('L10: a fault applies to a share of the calls, drawn with the random seed', async () => {
    const { next } = await bent({ kind: 'lookup-server-error', probability: 0.25 });
    let failed = 0;
    for (let index = 0; index < 400; index += 1) failed += (await next()).status === 500 ? 1 : 0;
    expect(failed).toSatisfy((count: number) => count > 70 && count < 130);
  });

  test('L10: a timeout sends no response, and a connection reset closes the connection', async () => {
    expect((await bent({ kind: 'lookup-timeout' })).effect.end).toBe('hang');
    expect((await bent({ kind: 'lookup-connection-reset' })).effect.end).toBe('cut');
  });
});
