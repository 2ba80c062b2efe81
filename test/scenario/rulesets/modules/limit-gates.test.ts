import { expect, test } from 'vitest';
import { isModuleGate, type OwnRuleset } from '../../../../machines/own/own-ruleset.ts';
import { limitGates } from '../../../../src/scenario/rulesets/modules/limit-gates.ts';
import { readAnyFile } from '../../../../src/scenario/rulesets/read-ruleset-file.ts';
import { gateText, rulesetFolder } from './module-folder.ts';

function read(judge: string, changes: Readonly<Record<string, string>> = {}): OwnRuleset {
  const path = rulesetFolder('{ id: F1, module: ./a.gate.js }', { 'a.gate.js': gateText({ judge }) }, changes);
  const { read: ruleset, faults } = readAnyFile(path, 'a.ruleset.yaml');
  if (ruleset?.base !== 'own') throw new Error(`The ruleset has faults: ${JSON.stringify(faults)}`);
  return ruleset.ruleset;
}

/** Evaluates the modules of all editions of a ruleset. */
function evaluateAll({ first, editions }: OwnRuleset): readonly unknown[] {
  const rules = [first, ...editions.map((edition) => edition.rules)];
  return rules.flatMap(({ gates }) => gates.filter(isModuleGate).map((gate) => gate.evaluate(() => 7)));
}

test('OC32 gate-failed: a call without an end is stopped, and names gate, module and ruleset', () => {
  const ruleset = limitGates(read('({ user }) => { while (user.facts.level === 7); return met({}); }'), 30);
  expect(() => evaluateAll(ruleset)).toThrow(
    expect.objectContaining({
      code: 'gate-failed',
      message: `The gate F1 (./a.gate.js) of the ruleset ${ruleset.id} does not return; its call was stopped after 0.03 s.`,
    }),
  );
});

test('OC32 a limited module has its own outcome or error, in every edition', () => {
  const editions = 'editions: [{ from: 2026-03-01, set: { rollout: { percent: 50, by: user, salt: a } } }]';
  const ruleset = read('({ user }) => met({ level: user.facts.level })', { editions });
  const limited = limitGates(ruleset);
  expect(evaluateAll(limited)).toEqual([
    { outcome: 'met', saw: { level: 7 } },
    { outcome: 'met', saw: { level: 7 } },
  ]);
  expect(limited).toMatchObject({ id: ruleset.id, digest: ruleset.digest });
  expect(limitGates(ruleset)).toBe(limited);
  const failing = limitGates(read("() => { throw new RangeError('no'); }"));
  expect(() => evaluateAll(failing)).toThrow(expect.objectContaining({ code: 'gate-failed' }));
});
