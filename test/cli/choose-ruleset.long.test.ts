import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtInFiles } from '../../machines/rulesets/built-in.ts';
import { parseOutput, runHere } from './command-context.ts';
import { servedAt } from './served.ts';

/** Campaign over `seed` with a setting: members are not prompted while it is on. */
function spareText(id: string, title = 'Spare members'): string {
  return `ruleset: ${id}
version: 1.0.0
format: 1
title: ${title}
base: seed
settings: { spare: { type: boolean, default: true }, window: { type: duration, default: 7d } }
facts: { user: { vip: { type: boolean, default: false } } }
gates: { P1: { after: C1, summary: Members are prompted., when: { fact: tenant.settings.spare, is: false }, stop: set-aside } }
reasons: { set-aside: Members are excluded. }
`;
}

const plainScenario = (expected: string, head = '', settings = '') => `name: A sign-in
${head}given:
  tenant: { extends: app-enabled${settings} }
  users: { ada: sms-user }
steps:
  - signIn: { user: ada }
    expect: { outcome: ${expected === 'prompted' ? 'skippable' : `none, reason: ${expected}`} }
`;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nudgelab-choice-'));
  mkdirSync(join(folder, 'rules'));
  mkdirSync(join(folder, 'suite'));
  writeFileSync(join(folder, 'rules/spare-all.ruleset.yaml'), spareText('spare-all'));
  writeFileSync(join(folder, 'twice.ruleset.yaml'), spareText('spare-all', 'Another one with this id'));
  writeFileSync(join(folder, 'plain.yaml'), plainScenario('prompted'));
  writeFileSync(join(folder, 'set-aside.yaml'), plainScenario('set-aside'));
  writeFileSync(join(folder, 'by-id.yaml'), plainScenario('set-aside', 'ruleset: spare-all\n'));
  writeFileSync(join(folder, 'seed.yaml'), plainScenario('prompted', 'ruleset: seed\n'));
  writeFileSync(
    join(folder, 'suite/by-file.yaml'),
    plainScenario('set-aside', 'ruleset: ../rules/spare-all.ruleset.yaml\n'),
  );
  writeFileSync(
    join(folder, 'suite/set.yaml'),
    plainScenario('prompted', 'ruleset: ../rules/spare-all.ruleset.yaml\n', ', settings: { spare: false }'),
  );
  writeFileSync(join(folder, 'patterns.config.json'), JSON.stringify({ rulesets: 'rules/*.ruleset.yaml' }));
  writeFileSync(
    join(folder, 'chosen.config.json'),
    JSON.stringify({ rulesets: ['rules/*.ruleset.yaml'], ruleset: 'spare-all' }),
  );
  writeFileSync(join(folder, 'file.config.json'), JSON.stringify({ ruleset: 'rules/spare-all.ruleset.yaml' }));
  writeFileSync(join(folder, 'empty.config.json'), JSON.stringify({ rulesets: ['none/*.ruleset.yaml'] }));
});

const run = (...words: readonly string[]) => runHere(['run', ...words, '--json'], { cwd: folder });

async function expectCode(code: number, ...words: readonly string[]): Promise<string> {
  const ended = await run(...words);
  expect({ code: ended.code, stderr: code === 2 ? '' : ended.stderr }).toEqual({ code, stderr: '' });
  return `${ended.stdout}${ended.stderr}`;
}

describe('OC34: the ruleset of a run', () => {
  test('an option applies to scenarios that name none, as a file and as a built-in id', async () => {
    await expectCode(0, 'plain.yaml');
    await expectCode(0, 'set-aside.yaml', '--ruleset', 'rules/spare-all.ruleset.yaml');
    await expectCode(0, 'plain.yaml', '--ruleset', '2026-09');
    expect(await expectCode(2, 'set-aside.yaml', '--ruleset', '2026-09')).toContain('expect.reason');
    await expectCode(1, 'plain.yaml', '--ruleset', 'rules/spare-all.ruleset.yaml');
  });

  test('the configuration applies without an option, and the option is narrower', async () => {
    await expectCode(0, 'set-aside.yaml', '--config', 'chosen.config.json');
    await expectCode(0, 'set-aside.yaml', '--config', 'file.config.json');
    await expectCode(0, 'plain.yaml', '--config', 'chosen.config.json', '--ruleset', 'seed');
    await expectCode(0, 'plain.yaml', '--config', 'patterns.config.json');
  });

  test('what a scenario names is narrower than option and configuration, by id and by file', async () => {
    await expectCode(0, 'seed.yaml', '--ruleset', 'rules/spare-all.ruleset.yaml');
    await expectCode(0, 'by-id.yaml', '--config', 'patterns.config.json');
    await expectCode(0, 'by-id.yaml', '--ruleset', 'rules/spare-all.ruleset.yaml');
    await expectCode(0, 'suite/by-file.yaml', '--ruleset', 'announced');
  });

  test('an id that no file has is an error at the key, with the known ids', async () => {
    expect(await expectCode(2, 'by-id.yaml')).toContain('by-id.yaml:2');
    const unknown = await expectCode(2, 'plain.yaml', '--ruleset', 'spare-al', '--config', 'patterns.config.json');
    expect(unknown).toContain('spare-all');
    expect(await expectCode(2, 'plain.yaml', '--ruleset', 'none.ruleset.yaml')).toContain('none.ruleset.yaml');
  });

  test('RS25: two files with one id are an error, from configuration, option or scenario', async () => {
    for (const words of [
      ['plain.yaml', '--config', 'patterns.config.json', '--ruleset', 'twice.ruleset.yaml'],
      ['suite/by-file.yaml', '--ruleset', 'twice.ruleset.yaml'],
    ]) {
      expect(await expectCode(2, ...words)).toContain('RS25');
    }
    await expectCode(0, 'suite/by-file.yaml', '--config', 'patterns.config.json');
  });

  test('a pattern without files is an error of the configuration', async () => {
    expect(await expectCode(2, 'plain.yaml', '--config', 'empty.config.json')).toContain('config.rulesets');
  });

  test('a second run from the cache has the same result, and a changed file another one', async () => {
    const words = ['suite/by-file.yaml', '--driver', 'model'];
    await expectCode(0, ...words);
    await expectCode(0, ...words);
    const path = join(folder, 'rules/spare-all.ruleset.yaml');
    writeFileSync(
      path,
      spareText('spare-all').replace('type: boolean, default: true', 'type: boolean, default: false'),
    );
    await expectCode(1, ...words);
    writeFileSync(path, spareText('spare-all'));
  });
});

describe('OC34: --set', () => {
  test('changes a setting for tenants that do not set it', async () => {
    const ruleset = ['--ruleset', 'rules/spare-all.ruleset.yaml'];
    await expectCode(0, 'plain.yaml', ...ruleset, '--set', 'spare=false');
    await expectCode(0, 'suite/set.yaml', ...ruleset, '--set', 'spare=true');
    await expectCode(0, 'suite/set.yaml');
  });

  test.for([
    [['--set', 'spares=false'], 'spares'],
    [['--set', 'spare=maybe'], 'true or false'],
    [['--set', 'window=7'], '7d'],
    [['--set', 'spare'], '--set'],
  ] as const)('rejects %j', async ([words, text]) => {
    expect(await expectCode(2, 'plain.yaml', '--ruleset', 'rules/spare-all.ruleset.yaml', ...words)).toContain(text);
  });

  test('rejects a setting that no loaded ruleset declares', async () => {
    expect(await expectCode(2, 'plain.yaml', '--set', 'spare=false')).toContain('--set');
  });
});

describe('OC35: digests in run reports', () => {
  test('a report lists the rulesets that evaluated scenarios with their digests', async () => {
    const listed = await runHere(['ruleset', 'list', 'rules/spare-all.ruleset.yaml', '--json'], { cwd: folder });
    const { rulesets } = parseOutput(listed) as { rulesets: readonly Record<string, string>[] };
    const ended = await run('suite/by-file.yaml', 'plain.yaml');
    const seed = builtInFiles.find(({ id }) => id === 'seed');
    expect(parseOutput(ended)).toMatchObject({
      rulesets: [
        { ruleset: 'seed', digest: seed?.digest },
        { ruleset: 'spare-all', digest: rulesets.at(-1)?.['digest'] },
      ],
    });
  });

  test('the command that repeats a scenario names ruleset and settings', async () => {
    const words = ['--ruleset', 'rules/spare-all.ruleset.yaml', '--set', 'spare=true'];
    const { results } = parseOutput(await run('plain.yaml', ...words)) as { results: readonly { command: string }[] };
    expect(results[0]?.command).toContain(words.join(' '));
  });
});

describe('OC34: other commands', () => {
  const ruleset = ['--ruleset', 'rules/spare-all.ruleset.yaml'];

  test('lint checks reasons against the chosen ruleset', async () => {
    expect((await runHere(['lint', 'set-aside.yaml', ...ruleset], { cwd: folder })).code).toBe(0);
    expect((await runHere(['lint', 'set-aside.yaml'], { cwd: folder })).code).toBe(2);
  });

  test('explain evaluates by the chosen ruleset, its settings and ids of facts', async () => {
    const question = ['explain', '--user', 'sms-user', '--json'];
    const excluded = await runHere([...question, '--config', 'chosen.config.json'], { cwd: folder });
    expect(parseOutput(excluded)).toMatchObject({ ruleset: 'spare-all', outcome: 'none', reason: 'set-aside' });
    const request = await runHere([...question, ...ruleset, '--set', 'spare=false'], { cwd: folder });
    expect(parseOutput(request)).toMatchObject({ ruleset: 'spare-all', outcome: 'skippable' });
    const facts = `${JSON.stringify({ ruleset: 'spare-all', user: { id: 'ada' } })}\n`;
    const lines = await runHere(['explain', '--facts', '-', '--config', 'patterns.config.json'], {
      cwd: folder,
      stdin: [facts],
    });
    expect(lines).toMatchObject({ code: 0, stdout: expect.stringContaining('spare-all') });
  });

  test('forecast takes the file of its description, the option, or the configuration', async () => {
    const description = (head: string) => `${head}users: 20
days: 2
defaults:
  signIn: { weekdays: { monday: 1, tuesday: 1 } }
  answers: { skippable: [{ skip: 1 }] }
`;
    writeFileSync(join(folder, 'suite/a.forecast.yaml'), description('ruleset: ../rules/spare-all.ruleset.yaml\n'));
    writeFileSync(join(folder, 'plain.forecast.yaml'), description(''));
    const forecast = async (...words: readonly string[]) => {
      const ended = await runHere(['forecast', ...words, '--json'], { cwd: folder });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return (parseOutput(ended) as { ruleset: string }).ruleset;
    };
    expect(await forecast('suite/a.forecast.yaml')).toBe('spare-all');
    expect(await forecast('suite/a.forecast.yaml', '--ruleset', 'seed')).toBe('seed');
    expect(await forecast('plain.forecast.yaml', '--config', 'chosen.config.json')).toBe('spare-all');
    expect(await forecast('plain.forecast.yaml')).toBe('seed');
  });
});

describe('OC34: rulesets of a server', () => {
  const file = () => join(folder, 'rules/spare-all.ruleset.yaml');
  const send = async (method: string, url: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('serve --ruleset FILE and --set determine the default sandbox', async () => {
    const baseUrl = await servedAt('--ruleset', file(), '--set', 'spare=false');
    const control = `${baseUrl}/_control/v1`;
    const sandbox = (await (await fetch(`${control}/sandboxes/default`)).json()) as { ruleset: string };
    expect(sandbox.ruleset).toBe('spare-all');
    const tenant = (await (await fetch(`${control}/sandboxes/default/tenant`)).json()) as { settings: unknown };
    expect(tenant.settings).toEqual({ spare: false });
    const server = (await (await fetch(`${control}/server`)).json()) as { rulesets: readonly string[] };
    expect(server.rulesets).toEqual(['seed', '2026-09', 'announced', 'spare-all']);
  });

  test('POST sandboxes knows the configured rulesets, and accepts what they declare', async () => {
    const control = `${await servedAt('--config', join(folder, 'patterns.config.json'))}/_control/v1`;
    const tenant = { facts: {}, settings: { spare: true, showVerdict: true } };
    const users = [{ id: 'ada', facts: { vip: true } }];
    const created = await send('POST', `${control}/sandboxes`, { id: 'one', ruleset: 'spare-all', tenant, users });
    expect(created.status).toBe(201);
    const one = `${control}/sandboxes/one`;
    expect(await (await fetch(`${one}/tenant/settings`)).json()).toMatchObject({ showVerdict: true });
    expect((await send('POST', `${one}/explain`, { user: 'ada' })).body).toMatchObject({ reason: 'set-aside' });
    expect((await send('PATCH', `${one}/tenant`, { settings: { spare: false } })).status).toBe(200);
    expect((await send('POST', `${one}/explain`, { user: 'ada' })).body).not.toMatchObject({ reason: 'set-aside' });
    expect((await send('PATCH', `${one}/users/ada`, { facts: { vip: 'yes' } })).body).toMatchObject({
      error: { code: 'bad-request', problems: [{ location: 'user.facts.vip' }] },
    });
    expect((await send('POST', `${one}/users/ada/next-sign-in`, { facts: { at: 1 } })).status).toBe(400);
  });

  test.for([
    [{ ruleset: 'spare-al' }, 'ruleset', 'spare-all'],
    [{ ruleset: 'spare-all', tenant: { settings: { spare: 'yes' } } }, 'tenant.settings.spare', 'true or false'],
    [{ ruleset: 'spare-all', tenant: { facts: { vip: true } } }, 'tenant.facts', 'vip'],
    [{ ruleset: 'spare-all', users: [{ id: 'ada', facts: { vp: true } }] }, 'users.0.facts', 'vip'],
    [{ ruleset: 'seed', users: [{ id: 'ada', facts: { vip: true } }] }, 'users.0.facts', 'seed'],
  ] as const)('rejects %j, and creates nothing', async ([body, path, text]) => {
    const control = `${await servedAt('--config', join(folder, 'patterns.config.json'))}/_control/v1`;
    const refused = await send('POST', `${control}/sandboxes`, { id: 'two', ...body });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(path);
    expect(JSON.stringify(refused.body)).toContain(text);
    expect((await fetch(`${control}/sandboxes/two`)).status).toBe(404);
  });
});

describe('OC46: scenarios of a ruleset file on a server', () => {
  const here = async (...words: readonly string[]) => {
    const ended = await runHere(['run', 'suite/by-file.yaml', '--json', ...words], { cwd: folder });
    return { code: ended.code, text: `${ended.stdout}${ended.stderr}` };
  };

  test('the http driver runs them on its own server', async () => {
    expect(await here('--driver', 'model,http')).toMatchObject({ code: 0 });
  });

  test('a server with the file, and one that accepts rulesets, run them', async () => {
    const file = join(folder, 'rules/spare-all.ruleset.yaml');
    expect(await here('--url', await servedAt('--ruleset', file))).toMatchObject({ code: 0 });
    const accepting = await servedAt('--allow-rulesets');
    expect(await here('--url', accepting)).toMatchObject({ code: 0 });
    expect(await here('--url', accepting)).toMatchObject({ code: 0 });
  });

  test('driver-failed: a server without the ruleset names both options', async () => {
    const { code, text } = await here('--url', await servedAt());
    expect(code).toBe(1);
    expect(text).toContain('--allow-rulesets');
    expect(text).toContain('--ruleset');
  });
});
