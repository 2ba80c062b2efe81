import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { DocumentServer } from '../server/document-server.ts';
import { type Ended, runHere, testContext } from './command-context.ts';
import { failing, passing, suiteFolder, writeIn } from './suite-folder.ts';

/** Text that would clear a terminal, reverse the rest of its line, and start lines with commands of a CI service. */
const hostile =
  '\u001b[2J\u009b31m\u202e\r\n::stop-commands::planted\u2028\nFORGED ##[add-mask]x ##vso[task.complete]x';

/** Hostile text as a file name. */
const name = `a${hostile}`;

/** Hostile text as a YAML scalar. */
const quoted = JSON.stringify(hostile);

/** Matches commands of a CI service, except the annotations that the program writes. */
const command = /^\s*::(?!error |notice::)|##\w*\[/m;

/** Matches the unescaped start of the hostile text, or a line that it would start. */
const unseen = new RegExp(`${'\u001b'}\\[2J|[\u009b\u2028\u202e]|^FORGED`, 'm');

function expectInert({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>, isPrinted = true): void {
  for (const text of [stdout, stderr]) {
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(text).not.toMatch(command);
    expect(text).not.toMatch(/^FORGED/m);
  }
  // The hostile text must be printed, because a missing text would prove nothing.
  if (isPrinted) expect(`${stdout}${stderr}`).toMatch(/planted/);
}

const env = { GITHUB_ACTIONS: 'true' };

describe('untrusted text in printed output', { timeout: 240_000 }, () => {
  it('escapes names of scenarios, names of files, and tags in every report of a failed run', async () => {
    const text = failing
      .replace('name: A user', `tags: [${quoted}]\nname: ${quoted.slice(0, -1)} A user`)
      .replace('again at once', 'again"');
    const config = JSON.stringify({ reports: { formats: ['junit', 'markdown', 'ctrf', 'html'] } });
    const cwd = suiteFolder({ [`scenarios/${name}.yaml`]: text, 'nudgelab.config.json': config });
    const ended = await runHere(['run', '--report', 'out'], { cwd, env });
    expect([ended.code, ended.stdout.includes('FAILED')]).toEqual([1, true]);
    expect(ended.stdout).toMatch(/^::error file=/m);
    expectInert(ended);
    expectInert(await runHere(['run', '--json'], { cwd, env }));
    for (const file of ['junit.xml', 'summary.md', 'report.html', 'ctrf.json']) {
      const written = readFileSync(join(cwd, 'out', file), 'utf8');
      expect(written).toContain('planted');
      expect(written).not.toMatch(unseen);
      expect(written).not.toMatch(/^\s*::/m);
    }
  });

  it('a run on a terminal keeps only the text styles of the program', async () => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': failing.replace('name: ', `name: ${quoted.slice(0, -1)} `).replace('again at once', '"'),
    });
    const context = testContext({ cwd, isTty: true });
    expect(await runProgram(['run'], context)).toBe(1);
    expect(context.stdout.text).toContain('\u001b[31mFAILED\u001b[39m');
    expect(context.stdout.text).toContain('␛[2J');
    expect(context.stdout.text + context.stderr.text).not.toMatch(unseen);
  });

  it.each([
    ['a key of a scenario', { 'scenarios/a.yaml': `${passing}${quoted}: 1\n` }],
    ['a key of a step', { 'scenarios/a.yaml': passing.replace('user: ada }', `user: ada, ${quoted}: 1 }`) }],
    ['a name of a fixture', { 'scenarios/a.yaml': passing.replace('sms-user', quoted) }],
    ['a key of a fixture', { 'scenarios/a.yaml': passing, 'scenarios/fixtures/users/b.yaml': `${quoted}: 1\n` }],
    ['a file of a fixture', { 'scenarios/a.yaml': passing, [`scenarios/fixtures/users/${name}.yaml`]: 'a: 1\n' }],
    ['a fault of YAML', { [`scenarios/${name}.yaml`]: 'name: [' }],
    ['a configuration', { 'scenarios/a.yaml': passing, 'nudgelab.config.json': `{ ${quoted}: 1 }` }],
  ] as const)('escapes %s in error messages', async (_what, files) => {
    const cwd = suiteFolder(files);
    for (const words of [['lint'], ['run'], ['lint', '--json'], ['doctor', '--port', '0']]) {
      const ended = await runHere(words, { cwd, env });
      expectInert(ended, words[0] === 'lint');
    }
  });

  it('escapes values of a step that is not possible', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing.replace('user: ada }', `user: ${quoted} }`) });
    expectInert(await runHere(['run'], { cwd, env }));
    expectInert(await runHere(['shrink', 'scenarios/a.yaml'], { cwd, env }));
  });

  it.each([
    ['run', [name]],
    ['run', ['--filter', hostile]],
    ['run', ['--covers', hostile]],
    ['run', ['--tag', hostile]],
    ['run', ['--config', hostile]],
    ['lint', [name]],
    ['shrink', [name]],
    ['explain', ['--user', hostile]],
    ['explain', ['--facts', name]],
    ['explore', [hostile]],
    ['generate', ['--coverage', hostile]],
    ['generate', [hostile]],
    ['mutate', ['--operator', hostile]],
    ['mutate', ['--machine', hostile]],
    ['fuzz', ['--driver', hostile]],
    ['forecast', [name]],
    ['import', [name, '--out', 'out']],
    ['compare', [name, '--ruleset', '2026-09']],
    ['replay', [name]],
    ['export', ['--db', name]],
    ['lookup', ['ada', '--lookup', hostile]],
    ['lookup', ['import', name]],
    ['schema', [hostile]],
    ['completion', [hostile]],
    ['documents', [hostile]],
    ['serve', ['--tenant', hostile]],
    ['exec', ['--port', '0', '--', `./${name}`]],
    [hostile, []],
    ['run', [`--${hostile}`]],
    ['schema', ['--out', name]],
    ['init', [name]],
  ] as const)('escapes an argument of %s: %j', async (word, words) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    expectInert(await runHere([word, ...words], { cwd, env }));
    expectInert(await runHere([word, '--json', ...words], { cwd, env }));
  });

  it('escapes files and users of a journey', async () => {
    const cwd = suiteFolder({});
    expect((await runHere(['import', '--synthesize', '20', '--format', 'csv', '--out', 'made'], { cwd })).code).toBe(0);
    expect((await runHere(['import', 'made/sign-ins.csv', '--out', 'tenant'], { cwd })).code).toBe(0);
    const ended = await runHere(['compare', 'tenant', '--ruleset', '2026-09', '--user', hostile], { cwd, env });
    expectInert(ended, false);
  });

  it('escapes columns and values of an export', async () => {
    const cwd = suiteFolder({});
    await runHere(['import', '--synthesize', '20', '--format', 'csv', '--out', 'made'], { cwd });
    const [head = '', ...rows] = readFileSync(join(cwd, 'made', 'sign-ins.csv'), 'utf8')
      .trim()
      .split('\n');
    const planted = [`${head},"${hostile}"`, ...rows.map((row) => `${row},"${hostile}"`)];
    writeIn(cwd, 'planted.csv', `${planted.join('\n')}\n`);
    expectInert(await runHere(['import', 'planted.csv', '--out', 'tenant'], { cwd, env }));
  });

  it('escapes the names of a described tenant and of its segments', async () => {
    const office = readFileSync('docs/examples/forecast/office.yaml', 'utf8');
    const cwd = suiteFolder({
      'office.yaml': office
        .replace('name: Office and field', `name: ${quoted}`)
        .replace('name: field', `name: ${quoted}`),
    });
    expectInert(await runHere(['forecast', 'office.yaml', '--users', '200'], { cwd, env }));
    expectInert(await runHere(['forecast', 'office.yaml', '--users', '200', '--user', '3'], { cwd, env }), false);
  });

  it('escapes titles of documents', async () => {
    const server = await DocumentServer.start();
    onTestFinished(() => server.close());
    const documents = (...words: readonly string[]) =>
      runHere(['documents', ...words, '--url', server.baseUrl], { env });
    expectInert(await documents('add', 'fixtures/documents/pdfkit-catalogue.pdf', '--title', hostile));
    expectInert(await documents('list'));
    expectInert(await documents('show', '1'));
    expectInert(await documents('list', '--json'));
  });

  it('escapes users of a server', async () => {
    const cwd = suiteFolder({
      'fixtures/users/a.yaml': '{}\n',
      'nudgelab.config.json': '{ "fixtures": ["fixtures"] }',
    });
    mkdirSync(join(cwd, name));
    const context = testContext({ cwd: join(cwd, name), env });
    const served = runProgram(['serve', '--port', '0', '--https'], context);
    await context.stdout.until((text) => text.includes('Ctrl+C'));
    context.stop();
    await served;
    expectInert({ stdout: context.stdout.text, stderr: context.stderr.text });
  });
});
