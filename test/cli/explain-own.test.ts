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

it('OC47: a sign-in without a prompt says when and under which other facts it would have one', async () => {
  const { stdout } = await explain('--set', 'on=false', '--at', '2026-01-05');
  expect(stdout).toContain('Neither a later time nor other facts lead to a prompt.');
  const waiting = ruleset
    .replace('{ fact: tenant.settings.on, is: true }', '{ fact: attempt.os, in: [ios, android] }')
    .replace('then: none', 'before: none')
    .replace(' ({saw.on})', '');
  const cwd = suiteFolder({ 'a.ruleset.yaml': waiting });
  const words = ['explain', '--user', 'sms-user', '--ruleset', 'a.ruleset.yaml'];
  const text = await runHere([...words, '--os', 'ios'], { cwd });
  expect(text.stdout).toContain('Prompted from 2026-01-12T09:00:00.000Z on, if only the time changes.');
  const json = await runHere([...words, '--at', '2026-01-20', '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    outcome: 'none',
    counterfactual: { promptedIf: [], complete: true },
  });
  expect((await runHere([...words, '--os', 'ios', '--json'], { cwd })).stdout).toContain('"promptedFrom"');
});
