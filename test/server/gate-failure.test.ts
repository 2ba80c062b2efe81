import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../src/cli/serve/server-log.ts';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { readAnyFile } from '../../src/scenario/rulesets/read-ruleset-file.ts';
import { startServer } from '../../src/server/start.ts';
import { RecordedSink } from '../cli/command-context.ts';
import { gateText, rulesetFolder } from '../scenario/rulesets/modules/module-folder.ts';
import { Visitor } from './visitor.ts';

const plain = '{ id: F1, module: ./a.gate.js }';

/** Signs a user in under a ruleset with a module. Returns the page, the log and the folder of the module. */
async function signInWith(id: string, judge: string) {
  const path = rulesetFolder(plain, { 'a.gate.js': gateText({ judge }) }, { ruleset: `ruleset: ${id}` });
  const { read, faults } = readAnyFile(path, 'a.ruleset.yaml');
  if (read?.base !== 'own') throw new Error(`The ruleset has faults: ${JSON.stringify(faults)}`);
  rememberOwnRuleset(read.ruleset);
  const stderr = new RecordedSink();
  const log = await openLog({ logLevel: 'error', log: null }, { stderr, cwd: tmpdir() }, ['hunter2']);
  const sandboxes = await Sandboxes.open(inMemory());
  const sandbox = await sandboxes.create('default', planSandbox({ ruleset: id, users: [{ id: 'ada' }] }));
  const server = await startServer({ sandboxes, port: 0, onFault: (fault) => log.fault(fault) });
  onTestFinished(() => server.close());
  const visitor = await new Visitor(sandbox).signIn();
  await log.close();
  const lines = stderr.text.trimEnd().split('\n');
  return { visitor, lines, folder: dirname(path) };
}

test('OC32 gate-failed: the log names ruleset, gate and module, and the page only ruleset and gate', async () => {
  const { visitor, lines, folder } = await signInWith(
    'failing-gate',
    "() => { throw new Error('password=hunter2 of ada@example.test'); }",
  );
  expect(visitor.shown.status).toBe(500);
  expect(visitor.shown.text).toContain('The gate F1 of the ruleset failing-gate failed.');
  for (const part of ['a.gate.js', folder, 'hunter2']) expect(visitor.shown.text).not.toContain(part);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    msg: 'fault',
    error: expect.stringContaining('The gate F1 (./a.gate.js) of the ruleset failing-gate failed: Error: '),
  });
  for (const part of [folder, 'hunter2', 'ada@example.test']) expect(lines[0]).not.toContain(part);
});

test('OC32 gate-read-undeclared: the log has the path of the fact, and the page the gate', async () => {
  const { visitor, lines } = await signInWith('reading-gate', '({ user }) => met({ a: user.facts.domain })');
  expect(visitor.shown.text).toContain(
    'The gate F1 of the ruleset reading-gate reads a fact that it does not declare.',
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('(./a.gate.js) of the ruleset reading-gate reads \\"user.facts.domain\\"');
});
