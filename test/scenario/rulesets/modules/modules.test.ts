import fs, { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { evaluateModuleGate } from '../../../../machines/own/evaluate-own.ts';
import { isModuleGate } from '../../../../machines/own/own-ruleset.ts';
import { TrialFacts } from '../../../../machines/own/trial-facts.ts';
import { stopwatch } from '../../../../src/core/clock.ts';
import { errorTable, NudgeLabError } from '../../../../src/core/errors.ts';
import { readOwnText } from '../../../../src/scenario/rulesets/read-ruleset.ts';
import { checkOwnFile, readOwnFile } from '../../../../src/scenario/rulesets/read-ruleset-file.ts';
import { formatFault } from '../../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../../non-empty.ts';
import { rulesetText } from '../ruleset-text.ts';
import { agencyGate, gateText, rulesetFolder } from './module-folder.ts';

const agency = '{ id: F1, module: ./agency.gate.ts, with: { domains: [agency.example] } }';
const plain = '{ id: F1, module: ./a.gate.js }';

/** Evaluates the module of a ruleset on facts by path. */
function evaluateOn(path: string, values: Readonly<Record<string, string | number | boolean | null>>) {
  const { ruleset, faults } = readOwnFile(path, 'a.ruleset.yaml');
  expect(faults.map(formatFault)).toEqual([]);
  const rules = ruleset?.first;
  const gate = rules?.gates.find(isModuleGate);
  if (rules === undefined || gate === undefined) throw new RangeError('The ruleset has no module.');
  const trial = new TrialFacts();
  trial.set('user.facts.level', 0);
  for (const [one, value] of Object.entries(values)) trial.set(one, value);
  return evaluateModuleGate(gate, { facts: trial.facts, rules });
}

/** Planted faults that reading finds: part of the message, key whose value has the fault, gate, and its file. */
const unreadable: readonly (readonly [part: string, key: string, gate: string, text: string])[] = [
  ['no file has the path', 'module', '{ id: F1, module: ./b.gate.js }', gateText({})],
  ['outside the folder', 'module', '{ id: F1, module: ../b.gate.js }', gateText({})],
  ['URL or an absolute path', 'module', '{ id: F1, module: /tmp/b.gate.js }', gateText({})],
  ['URL or an absolute path', 'module', "{ id: F1, module: 'https://x.example/b.gate.js' }", gateText({})],
  ['URL or an absolute path', 'module', "{ id: F1, module: 'data:text/javascript,1.gate.js' }", gateText({})],
  ['no gate module', 'module', '{ id: F1, module: lodash }', gateText({})],
  ['no gate module', 'module', '{ id: F1, module: ./a.gate.mjs }', gateText({})],
  ['no gate as its default export', 'module', plain, 'export const gate = 1;'],
  ['no gate as its default export', 'module', plain, 'export default 7;'],
  ['cannot be loaded: SyntaxError at line 1 of a.gate.js: ', 'module', plain, 'export default {'],
  ['cannot be loaded: Error: at start', 'module', plain, "throw new Error('at start');"],
  ['it uses await outside functions; load', 'module', plain, 'export default await null;'],
  ['unknown key "reasns"; allowed: id, summary', 'module', plain, gateText({ rest: 'reasns: {},' })],
  ['reads is missing; must be a list', 'module', plain, gateText({ rest: 'reads: undefined,' })],
  ['has the id "F1"; write id: F1', 'id', '{ id: F2, module: ./a.gate.js }', gateText({})],
  [
    'reads: no fact has the path "user.facts.levels"; did you mean',
    'module',
    plain,
    gateText({ rest: "reads: ['user.facts.levels']," }),
  ],
  ['samples: "low" is no value', 'module', plain, gateText({ rest: "samples: { 'user.facts.level': ['low'] }," })],
  ['reads is empty; list the paths', 'module', plain, gateText({ rest: 'reads: [],' })],
  ['samples: reads does not list', 'module', plain, gateText({ rest: "samples: { 'user.facts.domain': ['a'] }," })],
  ['appliesTo: no method has the id "app"', 'module', plain, gateText({ rest: "appliesTo: 'app'," })],
  ['must be a function of facts and settings', 'module', plain, gateText({ judge: '7' })],
  ['reasons must have at least one reason', 'module', plain, gateText({ rest: 'reasons: {},' })],
  [
    'does not fit the schema of the module: domains: ',
    'with',
    '{ id: F1, module: ./a.gate.js, with: { domains: 3 } }',
    gateText({ head: "import { z } from 'zod';", rest: 'schema: z.strictObject({ domains: z.array(z.string()) }),' }),
  ],
];

/** Planted faults that only running the module shows: part of the message, and the parts of the module. */
const impure: readonly (readonly [part: string, parts: Parameters<typeof gateText>[0]])[] = [
  [
    'reads "user.facts.country", which its reads does not list',
    { judge: '({ user }) => met({ c: user.facts.country })' },
  ],
  [
    'reads "tenant.facts.strict", which its reads',
    { judge: '({ tenant }) => met({ c: tenant?.facts?.strict ?? null })' },
  ],
  ['reads "user.facts.country", which its reads', { judge: "({ user }) => met({ c: 'country' in user.facts })" }],
  [
    'reads "user.facts.country", which its reads',
    { judge: '({ user }) => { try { user.facts.country; } catch {} return met({}); }' },
  ],
  ['failed: TypeError', { judge: '({ user }) => { user.facts.level = 9; return met({}); }' }],
  [
    'failed: Error: five',
    { judge: "({ user }) => { if (user.facts.level === 5) throw new Error('five'); return met({}); }" },
  ],
  ['returned a promise', { judge: 'async () => met({})' }],
  ['returned no outcome', { judge: '() => true' }],
  ['stopped with "lower", which its reasons does not list', { judge: "() => stopped('lower', {})" }],
  [
    'unlike outcomes',
    { head: 'let n = 0;', judge: "() => { n += 1; return n % 3 === 0 ? stopped('low', {}) : met({}); }" },
  ],
  [
    'unlike outcomes',
    {
      head: 'const seen = new Set();',
      judge:
        "({ user }) => { const had = seen.has(user.facts.level); seen.add(user.facts.level); return had ? met({}) : stopped('low', {}); }",
    },
  ],
  ['uses Date.now', { judge: '() => met({ at: Date.now() > 0 })' }],
  ['uses new Date()', { judge: '() => met({ at: new Date().getTime() > 0 })' }],
  ['uses Date.now', { head: 'const { now } = Date;', judge: '() => met({ at: now() > 0 })' }],
  ['uses new Date()', { head: 'const started = new Date();' }],
  ['uses performance.now', { judge: '() => met({ at: performance.now() > 0 })' }],
  ['uses process.hrtime', { judge: '() => met({ at: process.hrtime().length > 0 })' }],
  ['uses Math.random', { judge: '() => met({ at: Math.random() >= 0 })' }],
  ['uses crypto.randomUUID', { judge: '() => met({ at: crypto.randomUUID().length > 0 })' }],
  ['uses fetch', { judge: "() => { fetch('http://127.0.0.1:9').catch(() => {}); return met({}); }" }],
  // A request that no code waits for fails after the check; it must not end the process either.
  ['uses fetch', { judge: "() => { fetch('http://127.0.0.1:9'); return met({}); }" }],
  ['uses process.exit', { judge: '() => process.exit(7)' }],
  ['uses setTimeout', { judge: '() => { setTimeout(() => {}, 0); return met({}); }' }],
  ['uses node:http', { head: "import 'node:http';" }],
  ['uses node:fs', { head: "import { readFileSync } from 'fs'; readFileSync;" }],
  ['samples do not reach low', { judge: '() => met({})' }],
  ['samples do not reach met', { judge: "() => stopped('low', {})" }],
  [
    '{saw.name} is no value of the reason low; allowed: {saw.level}',
    {
      rest: "reasons: { low: '{saw.name} is too low.' },",
      judge: "({ user: { facts: { level } } }) => level > 3 ? met({ level }) : stopped('low', { level })",
    },
  ],
];

describe('gate modules', () => {
  test('RS34 an undeclared read behind a comparison with a text of the source is found', () => {
    const judge =
      "({ user }) => user.facts.domain === 'rare.example' && user.facts.country === null ? met({}) : met({})";
    const text = gateText({ judge }).replace(
      "reads: ['user.facts.level']",
      "reads: ['user.facts.level', 'user.facts.domain']",
    );
    const path = rulesetFolder('{ id: F1, module: ./a.gate.js }', { 'a.gate.js': text });
    const { faults } = checkOwnFile(path, 'a.ruleset.yaml');
    expect(faults.map(formatFault).join(' ')).toContain('reads "user.facts.country", which its reads does not list');
  });

  test('RS34 what another library does while Node.js reads the file is not counted', () => {
    const { closeSync } = fs;
    const timed = vi.spyOn(fs, 'closeSync').mockImplementation((file) => {
      stopwatch();
      closeSync(file);
    });
    const path = rulesetFolder(agency, { 'agency.gate.ts': `// read while the library is active\n${agencyGate}` });
    const { faults } = checkOwnFile(path, 'a.ruleset.yaml');
    expect(timed.mock.calls.length).toBeGreaterThan(0);
    timed.mockRestore();
    expect(faults.map(formatFault)).toEqual([]);
  });

  test('OC31 the gate of the guide passes the check, and its outcomes have the evaluated values', () => {
    const path = rulesetFolder(agency, { 'agency.gate.ts': agencyGate });
    const { ruleset, faults } = checkOwnFile(path, 'a.ruleset.yaml');
    expect(faults.map(formatFault)).toEqual([]);
    expect(ruleset?.first.reasons['not-an-agency']).toContain('{saw.domain}');
    const domain = 'user.facts.domain';
    expect(evaluateOn(path, { [domain]: 'agency.example' })).toEqual({
      outcome: 'met',
      saw: { domain: 'agency.example' },
    });
    expect(evaluateOn(path, { [domain]: 'b.example' })).toEqual({
      outcome: 'stopped',
      reason: 'not-an-agency',
      saw: { domain: 'b.example' },
    });
    expect(evaluateOn(path, { [domain]: null })).toEqual({ outcome: 'not-applicable', saw: { domain: null } });
  });

  test.each(nonEmpty(unreadable))('RS34 %s: reported at %s', (part, key, gate, text) => {
    const path = rulesetFolder(gate, { 'a.gate.js': text, 'a.gate.mjs': text });
    const { ruleset, faults } = readOwnFile(path, 'a.ruleset.yaml');
    expect(ruleset).toBeNull();
    expect(faults.map(formatFault).join('\n')).toContain(part);
    const column = `gates: [${gate}]`.indexOf(`${key}: `) + key.length + 3;
    expect(faults.map(({ code, location }) => [code, location])).toEqual([['RS34', `a.ruleset.yaml:8:${column}`]]);
  });

  test.each(nonEmpty(impure))('RS34 of a run: %s', (part, parts) => {
    const path = rulesetFolder(plain, { 'a.gate.js': gateText(parts) });
    const { ruleset, faults } = checkOwnFile(path, 'a.ruleset.yaml');
    expect(ruleset).toBeNull();
    const wanted = faults.filter(({ message }) => message.includes(part));
    expect(faults.map(formatFault).join('\n')).toContain(part);
    const column = `gates: [${plain}]`.indexOf('./a.gate.js') + 1;
    expect(wanted.map(({ location }) => location)).toEqual([`a.ruleset.yaml:8:${column}`]);
    expect(wanted.map(({ code }) => code)).toEqual([part.includes('is no value of the reason') ? 'RS10' : 'RS34']);
  });

  test('OC37 a link to a file outside the folder is rejected, one inside is followed', () => {
    const other = rulesetFolder(plain, { 'a.gate.js': gateText({}) });
    const path = rulesetFolder(plain, { 'below/b.gate.js': gateText({}) });
    symlinkSync(join(dirname(path), 'below/b.gate.js'), join(dirname(path), 'a.gate.js'));
    expect(readOwnFile(path, 'a.ruleset.yaml').faults).toEqual([]);
    const outside = rulesetFolder(plain, {});
    symlinkSync(join(dirname(other), 'a.gate.js'), join(dirname(outside), 'a.gate.js'));
    expect(
      readOwnFile(outside, 'a.ruleset.yaml').faults.map(({ code, message }) => [code, message.includes('is a link')]),
    ).toEqual([['RS34', true]]);
  });

  test('OC32 an undeclared read and a failure end the evaluation with their errors', () => {
    const reads = rulesetFolder(plain, {
      'a.gate.js': gateText({ judge: '({ user }) => met({ a: user.facts.domain })' }),
    });
    expect(() => evaluateOn(reads, {})).toThrow(expect.objectContaining({ code: 'gate-read-undeclared' }));
    const fails = rulesetFolder(plain, { 'a.gate.js': gateText({ judge: "() => { throw new Error('no'); }" }) });
    expect(() => evaluateOn(fails, { 'user.facts.level': 1 })).toThrow(
      expect.objectContaining({ code: 'gate-failed', message: expect.stringContaining('F1') }),
    );
  });

  test.each(['gate-failed', 'gate-read-undeclared'] as const)(
    'OC32 %s is a failure of the simulator, and pages do not show the path of the module',
    (code) => {
      const error = new NudgeLabError(code, { message: 'The gate F1 (./secret.gate.ts) failed.' });
      expect(errorTable[code]).toMatchObject({ status: 500, exitCode: 3 });
      expect(error.publicMessage).toBe(`${errorTable[code].title}.`);
    },
  );

  test('OC32 with and lists of facts are frozen, and the facts can be listed', () => {
    const judge =
      '({ user }, settings) => met({ frozen: Object.isFrozen(settings.list) && Object.isFrozen(user.groups), names: Object.keys(user), text: JSON.stringify(user) })';
    const rest = "reads: ['user.groups'], samples: { 'user.groups': [['a']] },";
    const path = rulesetFolder('{ id: F1, module: ./a.gate.js, with: { list: [1] } }', {
      'a.gate.js': gateText({ judge, rest }),
    });
    expect(evaluateOn(path, {})).toEqual({
      outcome: 'met',
      saw: { frozen: true, names: ['groups'], text: '{"groups":[]}' },
    });
  });

  test('OC35 the digest changes with the source of a module, which is loaded again', () => {
    const path = rulesetFolder(plain, { 'a.gate.js': gateText({}) });
    const one = readOwnFile(path, 'a.ruleset.yaml').ruleset?.digest;
    writeFileSync(join(dirname(path), 'a.gate.js'), gateText({ judge: "() => stopped('low', {})" }));
    expect(evaluateOn(path, { 'user.facts.level': 0 })).toMatchObject({ outcome: 'stopped' });
    expect(readOwnFile(path, 'a.ruleset.yaml').ruleset?.digest).not.toBe(one);
  });

  test('OC37 --no-modules runs nothing, and text without a file has no modules', () => {
    const path = rulesetFolder(plain, { 'a.gate.js': "throw new Error('run');" });
    const { ruleset, faults } = checkOwnFile(path, 'a.ruleset.yaml', 'skip');
    expect(faults.map(formatFault)).toEqual([]);
    expect(ruleset?.first.gates.filter(isModuleGate).map(({ digest }) => digest)).toEqual([null]);
    const text = rulesetText({ gates: `gates: [${plain}]`, reasons: '' });
    const fromText = readOwnText(parseRulesetText('a.ruleset.yaml', text));
    expect(fromText.faults.map(({ code, path: key }) => [code, key])).toEqual([['RS34', 'gates.0.module']]);
  });

  test('OC33 a module without samples of a text is a warning, and RS28 and RS29 do not guess about it', () => {
    const path = rulesetFolder(agency, { 'agency.gate.ts': agencyGate.replace(/samples: .*\n/, '') });
    expect(checkOwnFile(path, 'a.ruleset.yaml').faults.map(({ code, severity }) => [code, severity])).toEqual([
      ['RS34', 'warning'],
    ]);
  });

  test('RS29 a gate after a module is compared by its samples', () => {
    const judge = "({ user: { facts: { level } } }) => level > 3 ? met({ level }) : stopped('low', { level })";
    const later = '{ id: G2, summary: A., when: { fact: user.facts.level, above: 1 }, stop: lower }';
    const path = rulesetFolder(
      `${plain}, ${later}`,
      { 'a.gate.js': gateText({ judge }) },
      { reasons: 'reasons: { lower: Lower. }' },
    );
    const { faults } = checkOwnFile(path, 'a.ruleset.yaml');
    expect(faults.map(({ code, path: key }) => [code, key])).toEqual([['RS29', 'gates.1.when']]);
    expect(faults[0]?.message).toContain('F1 stops first');
  });
});
