import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-context.ts';
import { userFolder } from '../cli/user-folder.ts';
import { setConsoleStage } from './console-stage.ts';

const stage = setConsoleStage({ name: 'results', given: {} });
const { open, card, findsNothing } = stage;
let page: Page;
beforeEach(() => {
  ({ page } = stage);
});

/** Runs a command, and returns the file with its JSON. */
async function saveResult(folder: string, words: readonly string[]): Promise<string> {
  const { stdout } = await runHere([...words, '--json'], { cwd: folder });
  const file = join(folder, 'result.json');
  writeFileSync(file, stdout);
  return file;
}

/** Machine with two states; `next` leads from the second one. */
function machineText(next: string): string {
  return `import { createMachine } from 'xstate';
export const machine = createMachine({ id: 'door', initial: 'closed', states: {
  closed: { on: { open: 'ajar' } },
  ajar: { on: { shut: '${next}' } },
  locked: {},
} });
export const events = [{ type: 'open' }, { type: 'shut' }];
`;
}

describe('result files in the console', { timeout: 240_000 }, () => {
  it('24.5: shows the misfits of a log by ruleset', async () => {
    const example = (file: string) => resolve('docs/examples', file);
    const words = ['conform', example('prompts-march.csv'), '--mapping', example('prompts.mapping.yaml')];
    await open('results');
    await page.getByLabel(/^Output of conform/).setInputFiles(await saveResult(userFolder(), words));
    await card('Ruleset seed')
      .getByText(/users fit \(/)
      .waitFor();
    const rows = card('Ruleset seed')
      .getByRole('region', { name: /^First impossible events/ })
      .getByRole('row');
    expect(await rows.count()).toBeGreaterThan(1);
    await findsNothing();
  });

  it('24.5: shows a learned machine beside the specification, with the transitions that differ', async () => {
    const folder = userFolder();
    const [actual, agreed] = ['closed', 'locked'].map((next) => {
      const file = join(folder, `${next}.machine.ts`);
      writeFileSync(file, machineText(next));
      return file;
    }) as [string, string];
    await open('results');
    const file = await saveResult(folder, ['learn', actual, '--specification', agreed]);
    await page.getByLabel(/^Output of conform/).setInputFiles(file);
    await page.getByText(/^1 state, 1 difference from the specification/).waitFor();
    for (const title of ['Learned machine', 'Specification']) {
      await card(title)
        .getByRole('img', { name: `Statechart of ${title}` })
        .waitFor();
      expect(await card(title).getByRole('cell', { name: 'yes', exact: true }).count()).toBe(1);
    }
    await findsNothing();
  });

  it('24.5: a file of another kind is rejected with its name', async () => {
    const file = join(userFolder(), 'other.json');
    writeFileSync(file, '{"summary":{}}');
    await open('results');
    await page.getByLabel(/^Output of conform/).setInputFiles(file);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('other.json: The file is not a result of nudgelab');
  });
});
