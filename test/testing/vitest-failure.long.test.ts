import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const top = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const spec = `
import { createSandbox, expect, test } from '../../src/testing/vitest.ts';

const given = { tenant: 'app-enabled', users: { ada: 'sms-user' } };
const it = test.extend({ given });

it('by a fixture', async ({ signIn }) => {
  await expect(await signIn('ada')).toBeRequired();
});

test('by itself, two', async () => {
  const [one, other] = [await createSandbox(given), await createSandbox(given)];
  await one.signIn('ada');
  await expect(await other.signIn('ada')).toBeRequired();
});

it('passes', async ({ signIn }) => {
  await expect(await signIn('ada')).toBePrompted();
});
`;

interface ReportedTest {
  readonly title: string;
  readonly failureMessages: readonly string[];
  readonly meta: {
    readonly nudgelab?: readonly {
      readonly journal: readonly { readonly event: { readonly type: string } }[];
      readonly explained: readonly { readonly user: string; readonly page: string; readonly verdict: object }[];
    }[];
  };
}

describe('a failure in nudgelab/vitest', () => {
  const made: string[] = [];

  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
  });

  it('is reported once, with the journal and the verdicts of each sandbox', { timeout: 240_000 }, async () => {
    mkdirSync(join(top, '.nudgelab'), { recursive: true });
    const folder = mkdtempSync(join(top, '.nudgelab/vitest-'));
    made.push(folder);
    writeFileSync(join(folder, 'failing.test.ts'), spec);
    const vitest = join(top, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--root', folder, '--reporter=json', '--outputFile=told.json'];
    await new Promise<void>((done) => execFile(process.execPath, args, { cwd: folder }, () => done()));

    const { testResults } = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8')) as {
      readonly testResults: readonly { readonly assertionResults: readonly ReportedTest[] }[];
    };
    const reportedTests = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(
      reportedTests.map(({ title, failureMessages, meta }) => [title, failureMessages.length, meta.nudgelab?.length]),
    ).toEqual([
      ['by a fixture', 1, 1],
      ['by itself, two', 1, 2],
      ['passes', 0, undefined],
    ]);
    const [evidence] = reportedTests[0]?.meta.nudgelab ?? [];
    expect(evidence?.explained).toEqual([
      expect.objectContaining({
        user: 'ada',
        page: 'prompt',
        verdict: expect.objectContaining({ outcome: 'skippable' }),
      }),
    ]);
    expect(evidence?.journal.length).toBeGreaterThan(0);
    expect(JSON.stringify(evidence)).not.toContain('correct horse');
  });
});
