import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nonEmpty } from '../../../non-empty.ts';
import { agencyGate, rulesetFolder } from './module-folder.ts';

/** Type-checks a gate as in a user's project. Returns the messages of the compiler. */
function compile(text: string): string {
  const folder = dirname(rulesetFolder('', { 'agency.gate.ts': text }));
  const top = resolve('.');
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, types: [] },
    paths: { 'nudgelab/gate': [join(top, 'src/contract/gate.ts')], zod: [join(top, 'node_modules/zod')] },
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['agency.gate.ts'] }));
  const { stdout, status } = spawnSync('npx', ['tsc', '-p', folder], { cwd: top, encoding: 'utf8' });
  return status === 0 ? '' : stdout;
}

/** Faults that the types of a gate find: the text that replaces another, and part of the message. */
const faulty: readonly (readonly [before: string, after: string, message: string])[] = [
  [
    "reads: ['user.facts.domain']",
    "reads: ['user.facts.domains']",
    'is not assignable to type \'"user.facts.domain"\'',
  ],
  ["samples: { 'user.facts.domain'", "samples: { 'user.facts.other'", 'does not exist in type'],
  ['{ domains }) =>', '{ domain: domains }) =>', "Property 'domain' does not exist"],
  ['met({ domain })', 'true', "Type 'true | OwnGateOutcome' is not assignable"],
  ["id: 'F1', ", '', "Property 'id' is missing"],
];

describe('types of gate modules', () => {
  test('OC31 the gate of the specification compiles under strict', () => {
    expect(compile(agencyGate)).toBe('');
  });

  test('OC31 the gate of the guide compiles under strict', () => {
    const [, rest = ''] = readFileSync('docs/how-to/gate-modules.md', 'utf8').split('```ts\n');
    const [text = ''] = rest.split('\n```\n');
    expect(text).toContain('defineGate');
    expect(compile(text)).toBe('');
  });

  test.each(nonEmpty(faulty))('OC31 %s is not replaced by %s', (before, after, message) => {
    const text = agencyGate.replace(before, after);
    expect(text).not.toBe(agencyGate);
    expect(compile(text)).toContain(message);
  });
});
