import { expect, test } from 'vitest';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { readAnyFile } from '../../src/scenario/rulesets/read-ruleset-file.ts';
import { gateText, rulesetFolder } from '../scenario/rulesets/modules/module-folder.ts';

test('OC32 gate-failed: a module that fails rejects the sign-in, changes nothing and leaves the sandbox usable', async () => {
  const judge = "({ user }) => { if (user.facts.level === 9) throw new Error('no'); return met({}); }";
  const path = rulesetFolder('{ id: F1, module: ./a.gate.js }', { 'a.gate.js': gateText({ judge }) });
  const { read, faults } = readAnyFile(path, 'a.ruleset.yaml');
  if (read?.base !== 'own') throw new Error(`The ruleset has faults: ${JSON.stringify(faults)}`);
  rememberOwnRuleset(read.ruleset);
  const users = [{ id: 'ada', facts: { level: 9 } }, { id: 'ben' }];
  const sandbox = await Sandbox.create('one', planSandbox({ ruleset: read.ruleset.id, users }), inMemory());
  const { signIns } = sandbox;
  const { id } = await signIns.start('ada');
  await signIns.acceptPassword(id);
  await expect(signIns.completeMfa(id)).rejects.toMatchObject({ code: 'gate-failed', status: 500 });
  expect(signIns.view(id)).toMatchObject({ screen: 'mfa', outcome: null });
  const other = await signIns.start('ben');
  await signIns.acceptPassword(other.id);
  expect(await signIns.completeMfa(other.id)).toMatchObject({ outcome: 'skippable' });
});
