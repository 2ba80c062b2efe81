import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const sound = `ruleset: sound
version: 1.0.0
format: 1
title: Sound campaign
methods: { totp: { label: authenticator app, kind: totp } }
gates: []
`;

describe('folders of ruleset files', () => {
  it('OC29 check reads every ruleset file in a folder, and nothing else', async () => {
    const cwd = suiteFolder({
      'rules/sound.ruleset.yaml': sound,
      'rules/deep/broken.ruleset.yaml': sound.replace('title: Sound campaign\n', ''),
      'rules/scenario.yaml': 'name: Not a ruleset\n',
    });
    const { code, stdout } = await runHere(['ruleset', 'check', 'rules', '--json'], { cwd });
    const { rulesets, faults } = JSON.parse(stdout) as Readonly<Record<'rulesets' | 'faults', readonly object[]>>;
    expect(rulesets).toMatchObject([
      { file: 'rules/deep/broken.ruleset.yaml', ruleset: null },
      { file: 'rules/sound.ruleset.yaml', ruleset: 'sound' },
    ]);
    expect(faults).toMatchObject([{ location: expect.stringMatching(/^rules\/deep\/broken\.ruleset\.yaml/) }]);
    expect(code).toBe(1);
  });

  it('explain and list take a folder', async () => {
    const cwd = suiteFolder({ 'rules/sound.ruleset.yaml': sound });
    expect((await runHere(['ruleset', 'explain', 'rules'], { cwd })).stdout).toMatch(/^Sound campaign/);
    expect((await runHere(['ruleset', 'list', '.'], { cwd })).stdout).toContain('rules/sound.ruleset.yaml');
  });

  it.each(['check', 'explain', 'list'])('file-unreadable: %s names a path that does not exist', async (action) => {
    const { code, stderr } = await runHere(['ruleset', action, 'rules/none'], { cwd: suiteFolder({}) });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error file-unreadable: The path rules\/none does not exist\./);
  });

  it('usage-invalid: a folder without ruleset files is named', async () => {
    const cwd = suiteFolder({});
    // A folder with the name of a ruleset is no file.
    mkdirSync(join(cwd, 'empty', 'a.ruleset.yaml'), { recursive: true });
    const { code, stderr } = await runHere(['ruleset', 'check', 'empty'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error usage-invalid: The folder empty contains no file that ends with \.ruleset\.yaml/);
  });
});
