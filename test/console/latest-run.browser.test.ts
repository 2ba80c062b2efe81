import { expect, test } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { testContext } from '../cli/command-context.ts';
import { failing, passing, suiteFolder, writeIn } from '../cli/suite-folder.ts';
import { sharedBrowser } from '../shared-browser.ts';
import { findsNothing } from './console-stage.ts';

test('run --ui: a saved file runs again, and the open page shows the steps with page and verdict', {
  timeout: 60_000,
}, async () => {
  const cwd = suiteFolder({ 'scenarios/a.yaml': failing });
  const context = testContext({ cwd });
  const ended = runProgram(['run', '--ui', '--json'], context);
  await context.stdout.until((text) => text.includes('\n'));
  const { url } = JSON.parse(context.stdout.text) as { readonly url: string };
  const page = await (await sharedBrowser()).newPage({ colorScheme: 'light' });
  try {
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: 'Latest run' }).waitFor();
    const scenario = page.getByRole('region', { name: 'Scenario', exact: true });
    const steps = scenario.getByRole('region', { name: 'Steps of the scenario' }).getByRole('row');
    await scenario.getByRole('heading', { name: 'Failed step: signIn in line 7' }).waitFor();
    const last = await steps.last().innerText();
    expect(last.split(/\s*\t\s*/)).toEqual(['7', 'signIn', 'Not nudged', 'Not prompted: snoozed', '✗ failed', '2']);
    await scenario.getByText('Expected a prompt that the user may skip. Not prompted: snoozed').waitFor();
    await findsNothing(page);

    writeIn(cwd, 'scenarios/a.yaml', passing);
    await scenario.getByText('✓ passed on model: A user is asked').waitFor();
    const only = await steps.last().innerText();
    expect(only.split(/\s*\t\s*/)).toEqual(['5', 'signIn', 'Prompt', 'Prompted', '✓ passed', '1']);

    writeIn(cwd, 'scenarios/b.yaml', failing);
    await scenario.getByRole('heading', { name: 'Failed step: signIn in line 7' }).waitFor();
    const results = page.getByRole('region', { name: 'Results', exact: true });
    await results.getByRole('link', { name: 'A user is asked', exact: true }).click();
    await scenario.getByText('✓ passed on model: A user is asked').waitFor();
    expect(new URL(page.url()).searchParams.get('scenario')).toBe('scenarios/a.yaml');
    writeIn(cwd, 'scenarios/a.yaml', passing.replace('page: prompt', 'page: required'));
    await scenario.getByText('Expected a required prompt. The user may skip the prompt: 0 of 3 snoozes used').waitFor();
  } finally {
    await page.close();
    context.stop();
  }
  expect(await ended).toBe(0);
});
