import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startLookupSite } from '../server/lookup-site.ts';
import { runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

/** Lookup response with personal data that a recorded fixture must not contain. */
const answer = {
  success: true,
  query: 'grace.hopper@navy.example',
  type: 'email',
  results: {
    quorvex: {
      found: true,
      username: 'grace.hopper',
      profile_url: 'https://site.example/u/grace.hopper',
      avatar: 'https://cdn.site.example/a/91.png',
      full_name: 'Grace Hopper',
      bio: 'Write to grace.hopper@navy.example or see https://hopper.example, +1 555 123 4567',
      session_token: 'abcdef0123456789abcdef0123456789',
      last_ip: '203.0.113.9',
      followers: 12,
      verified: true,
    },
    plimbo: { found: false },
    newsite: { found: true, username: 'ghopper', posts: 4 },
  },
};

describe('lookup', () => {
  test('L4: prints the results of every tool as a table, as CSV and as JSON', async () => {
    const table = await runHere(['lookup', 'ada@example.test']);
    expect(table.code).toBe(0);
    expect(table.stdout.split('\n')).toHaveLength(27);
    const json = JSON.parse((await runHere(['lookup', 'ada@example.test', '--format', 'json'])).stdout);
    expect(Object.keys(json.results)).toHaveLength(23);
    const csv = (await runHere(['lookup', 'ada@example.test', '--format', 'csv'])).stdout.split('\r\n');
    expect(csv[0]).toMatch(/^tool,found,username,profile_url,avatar/);
    expect(csv).toHaveLength(25);
  });

  test('L4: returns the same results as a server with the same random seed', async () => {
    const site = await startLookupSite({ seed: 5 });
    try {
      const argv = ['lookup', 'ada', '--type', 'username', '--json'];
      const here = JSON.parse((await runHere([...argv, '--seed', '5'])).stdout);
      const there = JSON.parse((await runHere([...argv, '--url', site.baseUrl])).stdout);
      const without = JSON.stringify(there).replaceAll(site.baseUrl, 'http://localhost');
      expect(JSON.parse(without).results).toEqual(here.results);
      const refused = await runHere([...argv, '--url', site.baseUrl, '--token', 'wrong-token']);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('401')]);
      const missing = await runHere([...argv, '--url', site.baseUrl, '--sandbox', 'missing']);
      expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('/s/missing/api/v2/')]);
    } finally {
      await site.close();
    }
  });

  test.for([
    [['lookup']],
    [['lookup', 'ada', 'grace']],
    [['lookup', 'ada', '--type', 'email']],
    [['lookup', 'ada', '--tool', 'quorvex']],
    [['lookup', 'ada', '--format', 'xml']],
  ])('usage-invalid: lookup rejects the arguments %j', async ([argv]) => {
    expect((await runHere(argv ?? [])).code).toBe(2);
  });

  test('L4: an imported response contains no addresses, names or secrets, and returns the recorded results', async () => {
    const folder = suiteFolder({});
    writeFileSync(join(folder, 'answer.json'), JSON.stringify(answer));
    mkdirSync(join(folder, 'fixtures', 'lookup'), { recursive: true });
    const out = 'fixtures/lookup/recorded.yaml';
    expect((await runHere(['lookup', 'import', 'answer.json', '--out', out], { cwd: folder })).code).toBe(0);
    const text = readFileSync(join(folder, out), 'utf8');
    for (const secret of [/grace/i, /hopper/i, /navy/, /site\.example/, /abcdef/, /203\.0/, /555/]) {
      expect(text).not.toMatch(secret);
    }
    const query = parse(text).known[0].query;
    const argv = ['lookup', query, '--lookup', 'recorded', '--json'];
    const { results } = JSON.parse((await runHere(argv, { cwd: folder })).stdout);
    expect(results).toMatchObject({
      quorvex: { found: true, followers: 12, verified: true, username: expect.stringMatching(/^person-/) },
      plimbo: { found: false },
      newsite: { found: true, posts: 4 },
    });
    expect((await runHere(['lookup', 'import', 'answer.json', '--out', out], { cwd: folder })).code).toBe(2);
  });

  test.for([
    ['{"success":false,"error":"no","code":401}'],
    ['{"success":true,"query":"a@b","type":"email","results":{"Not A Tool":{"found":true}}}'],
    ['not json'],
  ])('fixture-invalid: the response %s is not recorded', async ([text]) => {
    const folder = suiteFolder({});
    writeFileSync(join(folder, 'answer.json'), text ?? '');
    const { code, stderr } = await runHere(['lookup', 'import', 'answer.json'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('fixture-invalid')]);
  });
});
