import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { passing, suiteFolder } from './suite-folder.ts';

const program = fileURLToPath(new URL('../../tooling/nudgelab.js', import.meta.url));

function runIn(cwd: string) {
  return spawnSync(process.execPath, [program, 'run', '--config', 'nudgelab.config.ts'], { cwd, encoding: 'utf8' });
}

describe('configuration module', () => {
  it.each(['{}', '{"type":"commonjs"}', '{"type":"module"}'])('loads beside a package.json of %s', (manifest) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    writeFileSync(join(cwd, 'package.json'), manifest);
    writeFileSync(join(cwd, 'place.ts'), "export const place: string = 'scenarios';\n");
    const text = "import { place } from './place.ts';\nexport default { scenarios: place };\n";
    writeFileSync(join(cwd, 'nudgelab.config.ts'), text);
    const { status, stderr } = runIn(cwd);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('config-invalid: a syntax error is reported once with its location', () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    writeFileSync(join(cwd, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(cwd, 'nudgelab.config.ts'), 'export default { scenarios: (');
    const { status, stderr } = runIn(cwd);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error config-invalid/);
  });
});
