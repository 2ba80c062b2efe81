import { afterEach, describe, expect, it } from 'vitest';
import type { Artefact } from '../../../src/generate/write/artefact.ts';
import { playwrightSpecs } from '../../../src/generate/write/playwright-spec.ts';
import { vitestSpecs } from '../../../src/generate/write/vitest-spec.ts';
import { listBlocks, pageAt } from '../../docs/markdown.ts';
import { FreshProject } from './fresh-project.ts';
import { fixtures, heading, sampleScenarios } from './sample-journeys.ts';

const projects: FreshProject[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function freshProject(): FreshProject {
  const project = new FreshProject();
  projects.push(project);
  return project;
}

/** Changes the first expected snooze count of each file. */
function bent(files: readonly Artefact[]): readonly Artefact[] {
  return files.map(({ path, text }) => ({ path, text: text.replace('snoozes: 3', 'snoozes: 9') }));
}

const playwrightConfig = {
  path: 'playwright.config.js',
  text: "export default { reporter: [['json']], workers: 2, fullyParallel: true, timeout: 60_000 };\n",
};

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

describe('specs of journeys', () => {
  it('Vitest: a written spec runs unchanged in a project with the package, and a changed expectation fails', async () => {
    const files = vitestSpecs(await sampleScenarios(), heading, fixtures);
    const project = freshProject();
    project.write(files);
    const options = ['run', '--reporter=json', '--outputFile=report.json'];
    const sound = await project.run('vitest/vitest.mjs', options);
    expect(sound.code, sound.stderr).toBe(0);
    expect(project.json<VitestReport>('report.json')).toMatchObject({ numPassedTests: 8, numFailedTests: 0 });
    project.write(bent(files));
    expect((await project.run('vitest/vitest.mjs', options)).code).toBe(1);
    expect(project.json<VitestReport>('report.json')).toMatchObject({ numPassedTests: 7, numFailedTests: 1 });
  }, 60_000);

  it('Playwright: written specs run unchanged, in parallel and in shards, and a failure has journal and verdicts', async () => {
    const files = playwrightSpecs(await sampleScenarios(), heading, fixtures);
    const project = freshProject();
    project.write([...files, playwrightConfig]);
    const shards: PlaywrightReport['stats'][] = [];
    for (const shard of ['1/2', '2/2']) {
      const ended = await project.run('@playwright/test/cli.js', ['test', `--shard=${shard}`]);
      const { stats } = JSON.parse(ended.stdout) as PlaywrightReport;
      expect({ code: ended.code, unexpected: stats.unexpected }).toEqual({ code: 0, unexpected: 0 });
      shards.push(stats);
    }
    expect(shards.reduce((sum, { expected }) => sum + expected, 0)).toBe(8);
    expect(Math.min(...shards.map(({ expected }) => expected))).toBeGreaterThan(0);
    project.write(bent(files));
    const broken = await project.run('@playwright/test/cli.js', ['test', '--grep', 'Three skips', '--retries=0']);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain('nudgelab-journal.json');
    expect(broken.stdout).toContain('nudgelab-explain.json');
  }, 180_000);

  it.each([
    [15, 'no time of its own', ''],
    [16, 'three times the time', 'test.slow();'],
    [31, 'three seconds a step', 'test.setTimeout(100_000);'],
    [150, 'three seconds a step', 'test.setTimeout(450_000);'],
  ])('Playwright: a test of %i steps has the timeout: %s', (count, _what, line) => {
    const steps = Array.from({ length: count }, () => ({ advance: { days: 1 } }));
    const scenario = {
      name: 'Days pass',
      covers: [],
      given: { tenant: 'app-enabled', users: { ada: 'sms-user' } },
      steps,
    };
    const text = playwrightSpecs([scenario], heading, fixtures)
      .map((file) => file.text)
      .join('');
    expect(/test\.(?:slow|setTimeout)\(.*/.exec(text)?.[0] ?? '').toBe(line);
  });

  it('docs: the specs on the pages run unchanged', async () => {
    const blocks = listBlocks(pageAt('docs/how-to/generate.md').text).map(({ text }) => text);
    const createSpec = (module: string) => blocks.find((text) => text.includes(`from '${module}'`)) ?? '';
    const project = freshProject();
    project.write([
      { path: 'e2e/printed.spec.ts', text: createSpec('nudgelab/playwright') },
      { path: 'unit/printed.test.ts', text: createSpec('nudgelab/vitest') },
      { path: 'playwright.config.js', text: "export default { testDir: 'e2e', timeout: 60_000 };\n" },
    ]);
    const atPages = await project.run('@playwright/test/cli.js', ['test', '--reporter=line']);
    expect({ code: atPages.code, passed: /1 passed/.test(atPages.stdout) }).toEqual({ code: 0, passed: true });
    const inProcess = await project.run('vitest/vitest.mjs', ['run', '--dir', 'unit']);
    expect(inProcess.code, inProcess.stdout).toBe(0);
  }, 90_000);

  it('the same scenarios have the same bytes', async () => {
    const [one, other] = [await sampleScenarios(), await sampleScenarios()];
    expect(playwrightSpecs(one, heading, fixtures)).toEqual(playwrightSpecs(other, heading, fixtures));
    expect(vitestSpecs(one, heading, fixtures)).toEqual(vitestSpecs(other, heading, fixtures));
  });
});
