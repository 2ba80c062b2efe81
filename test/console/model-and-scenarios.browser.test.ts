import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { nothingConfigured } from '../../src/cli/config.ts';
import { createSuiteService } from '../../src/cli/serve/suite/suite-service.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { shippedFixturesFolder } from '../../src/scenario/shipped.ts';
import type { SuiteService } from '../../src/server/suite-service.ts';
import { testContext } from '../cli/command-context.ts';
import { nonEmpty } from '../non-empty.ts';
import { setConsoleStage } from './console-stage.ts';

const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
const tenant = { campaign: { state: 'enabled', includeTargets: [target] } };
const users = [
  { id: 'ada', displayName: 'Ada Lovelace' },
  { id: 'bob', displayName: 'Bob' },
];
const passing = `name: A user is asked and skips
covers: [R5]
given:
  tenant: app-enabled
  users: { ada: sms-user }
steps:
  - signIn: { user: ada }
    expect: { outcome: skippable, page: prompt }
  - skip: {}
    expect: { snoozes: 1, state: snoozed }
`;
const failing = passing.replace('outcome: skippable', 'outcome: required').replace('asked and skips', 'required');

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-suite-'));
let service: SuiteService;

function suiteService(): SuiteService {
  mkdirSync(join(folder, 'suite/deep'), { recursive: true });
  writeFileSync(join(folder, 'suite/asked.yaml'), passing);
  writeFileSync(join(folder, 'suite/deep/required.yaml'), failing);
  const config = { ...nothingConfigured, file: null, scenarios: [], fixtures: [shippedFixturesFolder] };
  const context = { ...testContext({ cwd: folder }), env: process.env };
  return createSuiteService({ root: join(folder, 'suite'), editable: true, config, context });
}

const stage = setConsoleStage({
  name: 'model',
  given: { tenant, users },
  serverWith: () => {
    service = suiteService();
    return { suite: service };
  },
  afterServer: async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  },
});
const { open, card } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

/** Runs the whole suite from the page and returns the id of the run. */
async function runAll(): Promise<string> {
  await open('scenarios');
  await page.getByRole('button', { name: /^Run all/ }).click();
  await card('Progress').getByText('Finished', { exact: true }).waitFor();
  return /runs\/(r\d+)/.exec(page.url())?.[1] ?? '';
}

async function editorText(): Promise<string> {
  return page.getByRole('textbox', { name: 'Scenario text' }).innerText();
}

describe('machine views in a browser', { timeout: 240_000 }, () => {
  it('R5: the state of a user is highlighted and updated after each event', async () => {
    const { id } = await sandbox.signIns.start('ada', {});
    await open('model/nudge?user=ada');
    await page.getByRole('status').getByText('notPrompted').waitFor();
    await page.getByRole('img', { name: 'Statechart of Nudge lifecycle' }).waitFor();
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await page.getByRole('status').getByText('notPrompted → prompted').waitFor();
    await sandbox.signIns.skip(id);
    await page.getByRole('status').getByText('notPrompted → prompted → snoozed').waitFor();
    const row = card('States').getByRole('row', { name: /^snoozed/ });
    expect(await row.innerText()).toContain('now');
    expect(await page.locator('.state-box.here').innerText()).toContain('snoozed');
    expect(await page.locator('.arrow.moved').count()).toBe(1);
  });

  it('every machine is drawn with all its states, and the tables list all states and transitions', async () => {
    const { machines } = (await (await fetch(`${stage.server.controlUrl}/machines`)).json()) as {
      machines: { id: string; title: string; states: { id: string }[]; transitions: object[] }[];
    };
    await open('model');
    for (const { title, states, transitions } of nonEmpty(machines)) {
      await page.getByRole('navigation', { name: 'Machines' }).getByRole('link', { name: title }).click();
      await page.getByRole('img', { name: `Statechart of ${title}` }).waitFor();
      await expect
        .poll(async () =>
          (await page.locator('.state-box').allInnerTexts()).map((text) => /[A-Za-z]+$/m.exec(text)?.[0]),
        )
        .toEqual(expect.arrayContaining(states.map(({ id }) => id)));
      expect(await card('States').getByRole('row').count()).toBe(states.length + 1);
      expect(await card('Transitions').getByRole('row').count()).toBe(transitions.length + 1);
    }
  });

  it('R5: a transition links to its rules, its source and its scenarios, and the URL identifies it', async () => {
    await runAll();
    await open('model/nudge');
    const row = card('Transitions').getByRole('row', { name: /prompt\.skipped any state snoozed/ });
    await expect.poll(() => row.innerText()).toContain('✓ 1');
    await row.getByRole('button', { name: 'prompt.skipped' }).press('Enter');
    const transition = card('any state → snoozed');
    await transition.getByText('machines/nudge.machine.ts').waitFor();
    await transition.getByText('skip snoozes; nudged again').waitFor();
    await transition.getByText('Taken 1 time by 1 scenario in the last run.').waitFor();
    expect(page.url()).toMatch(/at=transition/);
    await transition.getByRole('link', { name: 'suite/asked.yaml' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'asked.yaml' }).waitFor();
  });

  it('a click in the chart selects a state, and coverage can be hidden', async () => {
    await runAll();
    await open('model/nudge');
    await page.locator('.state-box.covered-none').filter({ hasText: 'registered' }).click();
    await card('State registered').getByText('No scenario in the last run took this transition.').waitFor();
    await page.getByRole('checkbox', { name: /^Color transitions of run/ }).uncheck();
    await expect.poll(() => page.locator('.covered-none').count()).toBe(0);
  });

  it('keyboard: the command palette opens the model and the scenarios', async () => {
    for (const title of ['Model', 'Scenarios']) {
      await open('overview');
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('A view, a user, a sandbox').fill(title);
      await page.getByRole('option', { name: title, exact: true, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(page.url()).toContain(`/${title.toLowerCase()}`);
    }
  });
});

describe('scenario views in a browser', { timeout: 240_000 }, () => {
  it('a suite shows its progress, and a failure shows its trace and the command that repeats it', async () => {
    await runAll();
    await card('Progress').getByText('1 passed').waitFor();
    await card('Results')
      .getByRole('row', { name: /✗ failed/ })
      .getByRole('link')
      .click();
    const detail = card('Scenario');
    await detail.getByText('Failed step: signIn in line 7').waitFor();
    const row = detail.getByRole('row', { name: /^outcome/ });
    expect(await row.innerText()).toMatch(/"required"\s+"skippable"/);
    expect(await detail.getByText('nudgelab run suite/deep/required.yaml --driver model').isVisible()).toBe(true);
    expect(await detail.locator('ol.path > li').count()).toBeGreaterThan(10);
    await card('Rule coverage').getByRole('row', { name: /✓ R5/ }).waitFor();
    await page.getByRole('checkbox', { name: 'Only gaps' }).check();
    await expect.poll(() => card('Rule coverage').getByRole('row', { name: /✓ R5/ }).count()).toBe(0);
  });

  it('a part of the suite can be found and run separately', async () => {
    await open('scenarios');
    await page.getByLabel('Find by name, path, tag or rule').fill('required');
    await page.getByRole('button', { name: 'Run deep/required.yaml' }).waitFor();
    await page.getByRole('button', { name: /^Run these 1 scenario/ }).click();
    await card('Progress').getByText('1 of 1 scenario on model').waitFor();
    const { pathname } = new URL(page.url());
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.pathname !== pathname);
    await page.getByRole('link', { name: 'All scenarios' }).click();
    const row = card('Runs').getByRole('row', { name: /deep\/required\.yaml on model/ });
    await expect.poll(() => row.count()).toBeGreaterThan(1);
  });

  it('the editor offers the keys and values that the schema allows', async () => {
    await open('scenarios/file?path=asked.yaml');
    const text = page.getByRole('textbox', { name: 'Scenario text' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - clo', { delay: 40 });
    await page.getByRole('option', { name: 'closeBrowser', exact: true }).click();
    await expect.poll(editorText).toContain('- closeBrowser: ');
    await page.keyboard.type('{}\n');
    await page.keyboard.type('expect: { outc', { delay: 40 });
    await page.getByRole('option', { name: 'outcome', exact: true }).click();
    await expect.poll(editorText).toContain('outcome: ');
    await page.keyboard.type('req', { delay: 100 });
    await page.getByRole('option', { name: 'required', exact: true }).click();
    await expect.poll(editorText).toContain('outcome: required');
  });

  it('scenario-invalid: the editor shows problems with line and column while the user types', async () => {
    await open('scenarios/file');
    const text = page.getByRole('textbox', { name: 'Scenario text' });
    await text.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(passing.replace('  - skip: {}', '  - skipp: {}'));
    await card('Problems').getByRole('button', { name: 'Line 9, column 5' }).waitFor();
    await page.locator('.cm-lintRange-error').first().waitFor();
    expect(await card('Problems').getByRole('listitem').count()).toBe(1);
  });

  it('a dry run shows the results of a text, and nothing is written until the text is saved', async () => {
    await open('scenarios/file');
    await page.getByLabel('Path relative to the folder').fill('new/made.yaml');
    await page.getByRole('textbox', { name: 'Scenario text' }).waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await card('Dry run').getByText('1 passed').waitFor();
    expect(() => readFileSync(join(folder, 'suite/new/made.yaml'))).toThrow('ENOENT');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await card('Text').getByText('saved', { exact: true }).waitFor();
    expect(readFileSync(join(folder, 'suite/new/made.yaml'), 'utf8')).toContain('A prompted user skips once');
    await page.getByRole('button', { name: 'Run saved file' }).click();
    await card('Progress').getByText('1 of 1 scenario on model').waitFor();
    rmSync(join(folder, 'suite/new'), { recursive: true });
  });

  it('R5: a sign-in is saved as a scenario that passes', async () => {
    const { id } = await sandbox.signIns.start('ada', { os: 'macos' });
    await sandbox.signIns.acceptPassword(id);
    await sandbox.signIns.completeMfa(id);
    await sandbox.signIns.skip(id);
    await open(`journeys/${id}`);
    await page.getByRole('link', { name: 'Save as a scenario' }).click();
    await expect.poll(() => page.getByLabel('Path relative to the folder').inputValue()).toMatch(/^journeys\//);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await card('Dry run').getByText('1 passed').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await card('Text').getByText('saved', { exact: true }).waitFor();
    const saved = readFileSync(join(folder, `suite/journeys/${sandbox.id}-${id}.yaml`), 'utf8');
    expect(saved).toContain('os: macos');
    rmSync(join(folder, 'suite/journeys'), { recursive: true });
  });

  it('precondition-failed: a file that was changed by another client is not overwritten', async () => {
    writeFileSync(join(folder, 'suite/shared.yaml'), passing);
    await open('scenarios/file?path=shared.yaml');
    await page.getByRole('textbox', { name: 'Scenario text' }).click();
    await page.keyboard.type('# mine\n');
    writeFileSync(join(folder, 'suite/shared.yaml'), failing);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('was changed since it was read').waitFor();
    expect(readFileSync(join(folder, 'suite/shared.yaml'), 'utf8')).toBe(failing);
    rmSync(join(folder, 'suite/shared.yaml'));
  });

  it('a failure in a browser has a screenshot of the page', async () => {
    await open('scenarios');
    await page.getByLabel('Driver').selectOption('browser');
    await page.getByLabel('Find by name, path, tag or rule').fill('deep');
    await page.getByRole('button', { name: /^Run these/ }).click();
    await card('Progress').getByText('Finished', { exact: true }).waitFor({ timeout: 30_000 });
    await card('Results')
      .getByRole('row', { name: /✗ failed/ })
      .getByRole('link')
      .click();
    const picture = page.getByRole('img', { name: 'Page 1 when the step failed' });
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { readonly naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(100);
  });

  it.each([
    'scenarios',
    'scenarios/runs/LAST',
    'scenarios/runs/LAST/1',
    'scenarios/file?path=asked.yaml',
    'model/nudge?user=ada&at=state%20snoozed',
    'model/signIn',
    'model/campaign',
    'model/document',
  ])('axe: %s has no findings in light and dark, wide and narrow', async (view) => {
    await sandbox.signIns.start('ada', {});
    const last = await runAll();
    await open(view.replace('LAST', last));
    await stage.findsNothing();
  });
});
