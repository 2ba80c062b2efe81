import { expect, it } from 'vitest';
import { runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const ruleset = `ruleset: first-week
version: 1.0.0
format: 1
title: Only within the first week
methods: { totp: { label: one-time codes, kind: totp } }
settings: { on: { type: boolean, default: true } }
gates:
  - { id: G1, summary: The campaign is on., when: { fact: tenant.settings.on, is: true }, stop: switched-off }
reasons: { switched-off: 'The campaign is off ({saw.on}).' }
deadline: { ends: [{ after: 7d, since: created }], then: none }
`;

async function explain(...words: readonly string[]) {
  const cwd = suiteFolder({ 'a.ruleset.yaml': ruleset });
  return runHere(['explain', '--user', 'sms-user', '--ruleset', 'a.ruleset.yaml', ...words], { cwd });
}

it('OC47: explain evaluates a fixture by an own ruleset, with the sentences of its gates', async () => {
  const { code, stdout } = await explain();
  expect([code, stdout]).toEqual([0, expect.stringContaining('Prompted; may skip')]);
  expect(stdout).toMatch(/^G1 +Passed +The campaign is on\.$/m);
  expect(stdout).toMatch(/^X\.trigger +Passed +The campaign prompts at this kind of sign-in/m);
});

it('OC47: a setting changes the verdict, whose sentence has the evaluated value', async () => {
  const { stdout } = await explain('--set', 'on=false');
  expect(stdout).toContain('Not prompted: the campaign is off (false). (G1, switched-off)');
});

it('OC47: at several times the account keeps its age, and the verdict that changes is marked', async () => {
  const { stdout } = await explain('--at', '2026-01-05,2026-01-11,2026-01-12');
  const lines = stdout.trim().split('\n');
  expect(lines.slice(1).map((line) => [line.slice(0, 10), line.endsWith('changes')])).toEqual([
    ['2026-01-05', false],
    ['2026-01-11', false],
    ['2026-01-12', true],
  ]);
  expect(lines[3]).toContain('the campaign closed at 2026-01-12T00:00:00.000Z');
});
