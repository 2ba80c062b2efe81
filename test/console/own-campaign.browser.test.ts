import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { AnalysisThreads } from '../../src/cli/serve/analysis-threads.ts';
import { RulesetRegistry } from '../../src/journal/ruleset-registry.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { loadRuleset } from '../../src/scenario/rulesets/load-rulesets.ts';
import { readOnlyRulesets } from '../../src/server/ruleset-service.ts';
import { setConsoleStage } from './console-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'nudgelab-console-own-'));
writeFileSync(
  join(folder, 'lab-nudge.ruleset.yaml'),
  `ruleset: lab-nudge
version: 1.2.0
format: 1
title: A passkey for the lab
methods: { passkey: { label: lab key, kind: passkey } }
settings: { window: { type: duration, default: 7d, min: 1h, max: 90d }, pilot: { type: boolean, default: true } }
facts: { user: { floor: { type: integer, min: 0, max: 9, default: 1 } } }
gates:
  - { id: L1, summary: The user works on a floor of the lab., when: { fact: user.facts.floor, atMost: 5 }, stop: not-in-the-lab }
reasons: { not-in-the-lab: 'Floor {saw.floor} is not part of the lab.' }
answers:
  later: { label: Remind me later, effect: snooze }
  never: { label: Stop asking, effect: never }
cadence: { kind: fixed, every: { setting: window } }
screens:
  prompt: { heading: 'Get your {method}', text: It opens the doors of the lab., buttons: { next: Get it now } }
editions:
  - { from: 2026-02-01, id: spring, source: [lab rules], set: { answers: { never: null } } }
`,
);
writeFileSync(
  join(folder, 'lab-strict.ruleset.yaml'),
  `ruleset: lab-strict
version: 1.0.0
format: 1
title: A passkey without a way out
base: lab-nudge
requirement: { required: { all: [] } }
`,
);
writeFileSync(
  join(folder, 'lab-offices.ruleset.yaml'),
  `ruleset: lab-offices
version: 1.0.0
format: 1
title: Offices of the lab
base: seed
facts: { user: { office: { type: enum, values: [berlin, lima], default: berlin } } }
gates:
  O1: { after: C1, summary: The office takes part., when: { fact: user.facts.office, is: lima }, stop: office-not-in-pilot }
reasons: { office-not-in-pilot: 'The office {saw.office} does not take part.' }
`,
);
const registry = new RulesetRegistry();
for (const name of ['lab-nudge', 'lab-strict', 'lab-offices']) {
  loadRuleset(`${name}.ruleset.yaml`, registry, folder);
}
const analyses = new AnalysisThreads(registry);

const stage = setConsoleStage({
  name: 'own-campaign',
  given: {
    ruleset: 'lab-nudge',
    tenant: { settings: { window: '3d' } },
    users: [{ id: 'ada' }, { id: 'eve', facts: { floor: 7 } }],
  },
  serverWith: () => ({ rulesets: readOnlyRulesets(registry), analyses }),
  afterServer: async () => {
    await analyses.close();
    rmSync(folder, { recursive: true, force: true });
  },
});
const { open, card, findsNothing } = stage;
let page: Page;
let sandbox: Sandbox;
beforeEach(() => {
  ({ page, sandbox } = stage);
});

async function signIn(user: string): Promise<string> {
  const { id } = await sandbox.signIns.start(user, {});
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  return id;
}

describe('own campaigns in the console', { timeout: 240_000 }, () => {
  it('OC47: the trace of a sign-in has the sentences of the ruleset, also for generated gates', async () => {
    const answered = await signIn('ada');
    await sandbox.signIns.skip(answered, 'later');
    const stopped = await signIn('ada');
    const excluded = await signIn('eve');
    await open(`journeys/${excluded}`);
    const trace = card('Verdict');
    await trace.getByText('Not prompted: floor 7 is not part of the lab.').waitFor();
    await trace.getByRole('listitem').filter({ hasText: 'L1' }).getByText('Floor 7 is not part of the lab.').waitFor();
    expect(await trace.innerText()).not.toMatch(/passed \(|stopped the prompt \(/);
    await findsNothing();
    await open(`journeys/${stopped}`);
    await trace.getByText('The user works on a floor of the lab.').waitFor();
    await trace
      .getByRole('listitem')
      .filter({ hasText: 'X.cadence' })
      .getByText('The prompt is snoozed; the user is prompted again from 2026-01-08T09:00:00.000Z.')
      .waitFor();
  });

  it('OC47: a sign-in of an earlier edition keeps its words, and its verdict is that of explain', async () => {
    const excluded = await signIn('eve');
    await sandbox.clock.set({ nowMs: Date.parse('2026-02-02T09:00:00Z') });
    await open(`journeys/${excluded}`);
    await card('Verdict').getByText('Not prompted: floor 7 is not part of the lab.').waitFor();
    await open('users/eve');
    await card('Explain verdict').getByText('Not prompted: floor 7 is not part of the lab.').waitFor();
    const sentences = card('Explain verdict').locator('.path .summary');
    expect(await sentences.allInnerTexts()).toEqual([
      'The campaign prompts at this kind of sign-in and after these factors.',
      'Floor 7 is not part of the lab.',
      ...(await sentences.allInnerTexts()).slice(2),
    ]);
    expect(await card('Explain verdict').getByLabel('Ruleset').locator('option').allInnerTexts()).toEqual([
      'lab-nudge (sandbox)',
    ]);
  });

  it('OC47: explain says when and under which other facts the user would be prompted', async () => {
    await open('users/eve');
    const heading = card('Explain verdict').getByRole('region', { name: 'What would prompt the user' });
    await heading.getByText('Prompted if user.facts.floor is 5.').waitFor();
    await findsNothing();
    await sandbox.signIns.skip(await signIn('ada'), 'later');
    await open('users/ada');
    await heading.getByText('Prompted from 2026-01-08T09:00:00.000Z on, if only the time changes.').waitFor();
    await sandbox.clock.advance({ days: 3 });
    await open('users/ada');
    await card('Explain verdict').getByText('Prompted; may skip').waitFor();
    expect(await heading.count()).toBe(0);
  });

  it('OC47: users are filtered by the reasons of the ruleset in force', async () => {
    await open('users');
    const filter = page.getByLabel('At the next sign-in');
    await expect
      .poll(() => filter.locator('option').allInnerTexts())
      .toEqual([
        'Any verdict',
        'Would be prompted',
        'Would be blocked',
        'Not prompted: not this moment',
        'Not prompted: not in the lab',
        'Not prompted: answered never',
        'Not prompted: limit reached',
        'Not prompted: snoozed',
        'Not prompted: already shown',
      ]);
    await filter.selectOption({ label: 'Not prompted: not in the lab' });
    await page.getByText(/^1 user;/).waitFor();
    await page.getByRole('link', { name: 'eve' }).waitFor();
    await filter.selectOption({ label: 'Would be prompted' });
    await page.getByRole('link', { name: 'ada' }).waitFor();
    expect(await page.getByRole('link', { name: 'eve' }).count()).toBe(0);
    await findsNothing();
  });

  it('OC56: the campaign says its base, its edition and its settings, and shows the texts of its prompt', async () => {
    await open('campaign');
    await page.getByText(/The registration campaign of the tenant.s policy is disabled/).waitFor();
    const ruleset = card('Ruleset');
    await ruleset.getByText('A passkey for the lab').waitFor();
    expect(await ruleset.innerText()).toMatch(/Base\s+Own campaign/);
    expect(await ruleset.innerText()).toMatch(/Edition in force\s+Before the first edition/);
    const rows = ruleset.getByRole('row');
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        expect.stringMatching(/Setting\s+Value/),
        expect.stringMatching(/window\s+3d\s+duration\s+tenant/),
        expect.stringMatching(/pilot\s+true\s+boolean\s+ruleset/),
      ]);
    const texts = card('Texts of the prompt');
    for (const text of ['Get your {method}', 'It opens the doors of the lab.', 'Remind me later', 'Stop asking']) {
      await texts.getByText(text).waitFor();
    }
    await findsNothing();
    await sandbox.clock.set({ nowMs: Date.parse('2026-02-02T09:00:00Z') });
    await page.reload();
    await ruleset.getByText('spring', { exact: true }).waitFor();
    await texts.getByText('Remind me later').waitFor();
    expect(await texts.getByText('Stop asking').count()).toBe(0);
    await open('overview');
    await card('Campaign').getByText('Own campaign').waitFor();
    await card('Campaign').getByText('lab key').waitFor();
    await findsNothing();
  });

  it('OC45: the screens of a sign-in have the heading and the answers of the ruleset', async () => {
    const id = await signIn('ada');
    await open(`journeys/${id}`);
    const prompt = card('Steps').locator('.screen[data-screen="prompt"]');
    await prompt.getByText('Get your lab key').waitFor();
    expect(await prompt.locator('.screen-buttons span').allInnerTexts()).toEqual([
      'Get it now',
      'Remind me later',
      'Stop asking',
    ]);
  });

  it('OC34: a new sandbox can have any ruleset of the server', async () => {
    await open('settings');
    const form = card('New sandbox');
    await form.getByLabel('Id').fill(`made-${sandbox.id}`);
    await form.getByLabel('Ruleset').selectOption({ label: 'lab-nudge: A passkey for the lab' });
    await findsNothing();
    await form.getByRole('button', { name: 'Create sandbox' }).click();
    await page.waitForURL(`**/s/made-${sandbox.id}/overview`);
    await card('Campaign').getByText('A passkey for the lab').waitFor();
    expect(stage.sandboxes.get(`made-${sandbox.id}`).ruleset).toBe('lab-nudge');
    await open('settings');
    await form.getByLabel('Id').fill('Not An Id');
    await form.getByRole('button', { name: 'Create sandbox' }).click();
    await form.getByRole('alert').waitFor();
  });

  it('OC51: a forecast has the users of the sandbox and the settings of the form', async () => {
    await open('forecast');
    await card('Simulated users').getByText('Every user begins without earlier answers').waitFor();
    const window = card('Settings and days').getByLabel('window', { exact: true });
    expect(await window.inputValue()).toBe('3d');
    await window.fill('1h');
    await card('Settings and days').getByLabel('Forecast days').fill('30');
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await card('Summary').getByText('2 users, 30 days').waitFor({ timeout: 60_000 });
    const reasons = card('Never prompted, by reason');
    expect(await reasons.getByRole('row', { name: /^Not in the lab/ }).innerText()).toMatch(/^Not in the lab\s+1\s+50/);
    await findsNothing();
    await window.fill('seven');
    await page.getByRole('button', { name: 'Forecast', exact: true }).click();
    await page.getByRole('alert').getByText('window').waitFor();
  });

  it('OC50: sign-ins are compared with another ruleset of the same base', async () => {
    await sandbox.signIns.skip(await signIn('ada'), 'later');
    await open('compare');
    const options = page.getByLabel('Ruleset').locator('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['Unchanged', 'lab-strict: A passkey without a way out']);
    expect(await page.getByLabel('Days allowed to snooze').count()).toBe(0);
    await page.getByLabel('Ruleset').selectOption('lab-strict');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('row', { name: /ada/ }).first().waitFor({ timeout: 60_000 });
    await findsNothing();
  });

  it('OC34: a registration campaign can be evaluated and compared by a ruleset file of its base', async () => {
    const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
    const tenant = { campaign: { state: 'enabled', includeTargets: [target] } };
    const { id } = await stage.sandboxes.create(`seed-${sandbox.id}`, planSandbox({ tenant, users: [{ id: 'ada' }] }));
    await page.goto(`${stage.server.baseUrl}/_console/s/${id}/users/ada`);
    const explained = card('Explain verdict');
    await explained.getByLabel('Ruleset').selectOption({ label: 'lab-offices: Offices of the lab' });
    await explained.getByText('Not prompted: the office berlin does not take part.').waitFor();
    await explained
      .getByRole('listitem')
      .filter({ hasText: 'O1' })
      .getByText('The office berlin does not take part.')
      .waitFor();
    const { id: signInId } = await stage.sandboxes.get(id).signIns.start('ada', {});
    await stage.sandboxes.get(id).signIns.acceptPassword(signInId);
    await stage.sandboxes.get(id).signIns.completeMfa(signInId);
    await page.goto(`${stage.server.baseUrl}/_console/s/${id}/compare`);
    await page.getByLabel('Ruleset').selectOption('lab-offices');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const changed = page.getByRole('row', { name: /ada/ }).first();
    await changed.waitFor({ timeout: 60_000 });
    expect(await changed.innerText()).toMatch(/^ada\s/);
  });
});
