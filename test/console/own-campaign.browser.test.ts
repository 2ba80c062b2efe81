import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { RulesetRegistry } from '../../src/journal/ruleset-registry.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
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
const registry = new RulesetRegistry();
loadRuleset('lab-nudge.ruleset.yaml', registry, folder);

const stage = setConsoleStage({
  name: 'own-campaign',
  given: {
    ruleset: 'lab-nudge',
    tenant: { settings: { window: '3d' } },
    users: [{ id: 'ada' }, { id: 'eve', facts: { floor: 7 } }],
  },
  serverWith: () => ({ rulesets: readOnlyRulesets(registry) }),
  afterServer: async () => rmSync(folder, { recursive: true, force: true }),
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
});
