import { describe, expect, it } from 'vitest';
import { showError } from '../../src/cli/show-error.ts';
import { type ErrorCode, errorTable, NudgeLabError } from '../../src/core/errors.ts';
import { nonEmpty } from '../non-empty.ts';
import { testContext } from './command-context.ts';

const quiet = { json: false, verbose: false };

function runShowError(error: unknown, options = quiet) {
  const context = testContext();
  const code = showError(error, context, options);
  return { code, stdout: context.stdout.text, lines: context.stderr.text.trimEnd().split('\n') };
}

function withProblems(count: number): NudgeLabError {
  const problems = Array.from({ length: count }, (_, index) => ({
    location: `a.yaml:${index + 1}`,
    message: 'is wrong',
  }));
  return new NudgeLabError('scenario-invalid', { problems });
}

describe('program errors', () => {
  it.each([
    [1, 1, null],
    [200, 200, null],
    [201, 200, 'and 1 more'],
    [1_000, 200, 'and 800 more'],
  ])('scenario-invalid: of %i problems, %i are listed and the others are counted', (count, problems, more) => {
    const { lines } = runShowError(withProblems(count));
    expect(lines.filter((line) => line.startsWith('a.yaml:'))).toHaveLength(problems);
    expect(lines.find((line) => line.startsWith('and ')) ?? null).toBe(more);
    expect(lines.at(-1)).toBe(errorTable['scenario-invalid'].action);
  });

  it('scenario-invalid: --json lists all problems', () => {
    const { stdout } = runShowError(withProblems(201), { json: true, verbose: false });
    const { error } = JSON.parse(stdout) as { error: { code: string; problems: readonly unknown[] } };
    expect([error.code, error.problems.length]).toEqual(['scenario-invalid', 201]);
  });

  it.each(nonEmpty(Object.keys(errorTable) as ErrorCode[]))('%s: exits with the code from the error table', (code) => {
    const { code: exitCode, lines, stdout } = runShowError(new NudgeLabError(code));
    expect([exitCode, stdout]).toEqual([errorTable[code].exitCode, '']);
    expect(lines[0]).toContain(`error ${code}: `);
  });

  it('suggested commands begin with the command that starts the program here', () => {
    const context = { ...testContext(), program: 'npm run nudgelab --' };
    showError(new NudgeLabError('server-unreachable', { message: 'Run `nudgelab serve`.' }), context, quiet);
    expect(context.stderr.text).toContain(
      'Run `npm run nudgelab -- serve`.\nStart it with `npm run nudgelab -- serve`,',
    );
  });

  it.each([
    ['internal-error', new TypeError('x is undefined'), 3],
    ['internal-error', 'a text', 3],
    ['file-unreadable', Object.assign(new Error('denied'), { syscall: 'open', path: 'a.yaml' }), 2],
  ])('%s: an unexpected error exits with its code, and --verbose shows its stack trace', (code, error, exitCode) => {
    const { code: ended, lines } = runShowError(error);
    expect([ended, lines[0]?.startsWith(`error ${code}: `)]).toEqual([exitCode, true]);
    const verbose = runShowError(error, { json: false, verbose: true });
    expect(verbose.lines.some((line) => line.includes('show-error.test.ts'))).toBe(error instanceof Error);
    // Only an internal error is to be repeated, and only if its stack trace is missing.
    const repeats = [lines, verbose.lines].map((one) => one.at(-1)?.includes('--verbose'));
    expect(repeats).toEqual([code === 'internal-error', false]);
  });
});
