import { execFile } from 'node:child_process';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddedServer } from '../../src/cli/run/embedded-server.ts';
import { listCacheFiles, outcomes } from './cached-suite.ts';
import { passing, suiteFolder } from './suite-folder.ts';

describe('scenario cache: file system', () => {
  it('the oldest entries beyond 4,096 are deleted', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const folder = join(cwd, '.nudgelab', 'scenarios');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < 4_100; index += 1) {
      const path = join(folder, `${index}.json`);
      writeFileSync(path, '');
      utimesSync(path, index, index);
    }
    await outcomes(cwd);
    const left = listCacheFiles(cwd);
    expect(left).toHaveLength(4_096);
    expect(left).not.toContain(join(folder, '4.json'));
    expect(left).toContain(join(folder, '5.json'));
    expect(left.filter((path) => statSync(path).size > 0)).toHaveLength(1);
  });

  it('a cached run against a running server loads neither the YAML parser nor any schema', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const server = await startEmbeddedServer();
    onTestFinished(() => server.close());
    const list =
      "import{registerHooks as r}from'node:module';const l=[];r({load(u,c,n){l.push(u);return n(u,c)}});" +
      "process.on('exit',()=>process.stderr.write(l.join(' ')))";
    const hook = `--import=data:text/javascript,${encodeURIComponent(list)}`;
    const main = join(process.cwd(), 'src', 'cli', 'main.ts');
    const run = async (): Promise<string> => {
      const argv = [hook, main, 'run', '--url', server.baseUrl];
      return (await promisify(execFile)(process.execPath, argv, { cwd })).stderr;
    };
    expect(await run()).toContain('/node_modules/yaml/');
    const second = await run();
    expect(second).toContain('/http.driver.ts');
    for (const unwanted of ['/node_modules/yaml/', '/node_modules/zod/', '/scenario/load.ts', '/sandbox/sandbox.ts']) {
      expect(second).not.toContain(unwanted);
    }
  });
});
