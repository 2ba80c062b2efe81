import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../non-empty.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const alphabet = readFileSync('docs/examples/short.alphabet.yaml', 'utf8');

const basket = `import { createMachine } from 'xstate';
export const machine = createMachine({ id: 'basket', initial: 'empty', states: {
  empty: { on: { add: 'one' } }, one: { on: { add: 'full', pay: 'paid' } }, full: { on: { pay: 'PAID' } }, paid: {} } });
export const events = [{ type: 'add' }, { type: 'pay' }];
`;

/** Folder with modules that can import xstate. */
function moduleFolder(files: Readonly<Record<string, string>>): string {
  const folder = suiteFolder(files);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

describe('nudgelab learn', () => {
  it('LN20: a driver that equals the specification is isomorphic to it, and the exit code is 0', async () => {
    const cwd = suiteFolder({ 'short.alphabet.yaml': alphabet });
    const { code, stdout } = await runHere(['learn', '--alphabet', 'short.alphabet.yaml', '--tests', '10'], { cwd });
    expect(stdout).toMatch(/^model: 15 states, 4 inputs, [\d,]+ ms\n/);
    expect(stdout).toContain('Isomorphic to the specification, 15 states\n');
    expect(code).toBe(0);
  });

  it('LN26: a machine with a delayed transition is refused, because events alone cannot explore it', async () => {
    const delayed = basket.replace("'PAID'", "'paid'").replace('paid: {} }', "paid: { after: { 100: 'empty' } } }");
    expect(delayed).not.toBe(basket);
    const ran = await runHere(['learn', './basket.ts'], { cwd: moduleFolder({ 'basket.ts': delayed }) });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/machine-not-explorable[\s\S]*basket\.paid.*has a delayed transition \(100\)/);
  });

  it('LN21: a planted fault exits with 1, and its scenarios pass on the model', async () => {
    const cwd = suiteFolder({ 'short.alphabet.yaml': alphabet });
    const fault = 'nudge action countSkip: count is raised twice';
    const args = ['learn', '--alphabet', 'short.alphabet.yaml', '--fault', fault, '--tests', '10', '--out', 'found'];
    const ran = await runHere([...args, '--json'], { cwd });
    expect(ran.code).toBe(1);
    const report = parseOutput(ran) as { readonly differences: readonly { readonly scenario: string }[] };
    expect(report).toMatchObject({ end: 'tests-passed', isIsomorphic: false, specificationStates: 15 });
    expect(report.differences[0]).toMatchObject({ inputs: ['signIn', 'skip'] });
    expect(readdirSync(join(cwd, 'found')).toSorted()).toEqual([
      'differences',
      'learned.dot',
      'learned.machine.ts',
      'learned.mmd',
      'learned.svg',
    ]);
    expect(readFileSync(join(cwd, 'found', 'learned.mmd'), 'utf8')).toMatch(
      /^stateDiagram-v2\n {2}\[\*\] --> s0\n[\s\S]*≠ skip/,
    );
    for (const { scenario } of nonEmpty(report.differences)) expect(existsSync(join(cwd, scenario))).toBe(true);
    const replayed = await runHere(['run', 'found/differences', '--json'], { cwd });
    expect(parseOutput(replayed)).toMatchObject({ summary: { failed: 0, skipped: 0 } });
    const text = await runHere(args.slice(0, 7), { cwd });
    expect(text.stdout).toContain('  1. signIn, skip\n     shows signed-in, 1 left instead of signed-in, 2 left\n');
  });

  it('LN22: a learned module is explored with the same states, and learned again it is isomorphic', async () => {
    const cwd = moduleFolder({ 'basket.machine.ts': basket.replace("'PAID'", "'paid'") });
    const first = await runHere(['learn', './basket.machine.ts', '--out', 'found', '--json'], { cwd });
    expect(first.code).toBe(0);
    expect(parseOutput(first)).toMatchObject({ states: 3, isIsomorphic: null, differences: [] });
    const explored = await runHere(['explore', './found/learned.machine.ts', '--json'], { cwd });
    expect(parseOutput(explored)).toMatchObject({ machines: [{ states: 3, events: 2 }] });
    const again = ['learn', './found/learned.machine.ts', '--specification', './found/learned.machine.ts', '--json'];
    expect(parseOutput(await runHere(again, { cwd }))).toMatchObject({ states: 3, isIsomorphic: true });
  });

  it('LN23: two modules that differ show the shortest events', async () => {
    const cwd = moduleFolder({
      'agreed.machine.ts': basket.replace("'PAID'", "'paid'"),
      'basket.machine.ts': basket.replace("'PAID'", "'one'"),
    });
    const args = ['learn', './basket.machine.ts', '--specification', './agreed.machine.ts', '--json'];
    const ran = await runHere(args, { cwd });
    expect(ran.code).toBe(1);
    expect(parseOutput(ran)).toMatchObject({
      differences: [{ inputs: ['add', 'add', 'pay'], expected: '"paid"', actual: '"one"', scenario: null }],
    });
  });

  it('LN24: a budget ends with exit code 1 and what is known', async () => {
    const ran = await runHere(['learn', '--max-queries', '3', '--json']);
    expect(ran.code).toBe(1);
    expect(parseOutput(ran)).toMatchObject({ end: 'budget-ended', resets: 3, isIsomorphic: false, differences: [] });
    const text = await runHere(['learn', '--max-queries', '3']);
    expect(text.stdout).toContain('The budget ended before all tests passed');
  });

  it.for<readonly [string, readonly string[], RegExp]>([
    ['usage-invalid', ['basket'], /"basket" is not one of nudge/],
    ['usage-invalid', ['nudge', 'campaign'], /Too many arguments/],
    ['usage-invalid', ['nudge', '--fault', 'x'], /--fault applies to a driver/],
    ['usage-invalid', ['--specification', 'nudge'], /needs a machine/],
    ['usage-invalid', ['--driver', 'http', '--fault', 'x'], /the driver is http/],
    ['usage-invalid', ['--fault', 'countSkip: count'], /Similar ids: /],
    ['driver-not-found', ['--driver', 'other'], /"other" is not one of/],
    ['file-unreadable', ['--alphabet', 'none.alphabet.yaml'], /none\.alphabet\.yaml cannot be read/],
  ])('%s: learn %j is rejected with exit code 2', async ([code, args, message]) => {
    const ran = await runHere(['learn', ...args]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`error ${code}`);
    expect(ran.stderr).toMatch(message);
  });

  it.for<readonly [string, string, RegExp]>([
    [
      'two users',
      alphabet.replace('users: { ada:', 'users: { bob: { methods: [sms] }, ada:'),
      /a\.yaml:\d+:\d+.*exactly one user/s,
    ],
    [
      'an unknown step',
      alphabet.replace('{ skip: {} }', '{ skips: {} }'),
      /a\.yaml:13:\d+.*"skips" is not one of .*skip/s,
    ],
    ['two equal names', alphabet.replace('name: skip', 'name: day'), /is the name of another input/],
    [
      'a step outside the learned state',
      alphabet.replace('{ advance: { days: 1 } }', '{ setTenant: { name: x } }'),
      /setTenant\.name cannot be learned/,
    ],
    [
      'no sign-in',
      alphabet.replace('{ signIn: { user: ada } }', '{ advance: { days: 2 } }'),
      /must have an input with a signIn/,
    ],
    ['an unknown value', alphabet.replace('[outcome, snoozesLeft]', '[mood]'), /a\.yaml:10:\d+.*observe/s],
    ['an unknown user', alphabet.replace('signIn: { user: ada }', 'signIn: { user: eve }'), /eve/],
  ])('learning-alphabet-invalid: %s is rejected with its location', async ([, text, message]) => {
    expect(text).not.toBe(alphabet);
    const cwd = suiteFolder({ 'a.yaml': text });
    const ran = await runHere(['learn', '--alphabet', 'a.yaml'], { cwd });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('error learning-alphabet-invalid');
    expect(ran.stderr).toMatch(message);
  });
});
