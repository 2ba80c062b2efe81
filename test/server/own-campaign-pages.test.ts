import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { readOwnText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';
import { type Site, startSite } from './site.ts';
import type { Visitor } from './visitor.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Signs Ada in to a sandbox with an own campaign, up to its prompt. */
async function signIn(id: string, changes: Readonly<Record<string, string>>): Promise<Visitor> {
  const text = rulesetText({ ruleset: `ruleset: ${id}`, ...changes });
  const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
  if (ruleset === null) throw new Error(JSON.stringify(faults));
  rememberOwnRuleset(ruleset);
  const visitor = await site.visitor({ ruleset: id, tenant: {} });
  await visitor.signIn();
  return visitor;
}

function texts({ shown }: Visitor): readonly string[] {
  return parse(shown.text)
    .querySelectorAll('h1, main p, main button')
    .map(({ text }) => text.trim());
}

const methods = (kind: string): string => `methods: { it: { label: the <i>thing</i>, kind: ${kind} } }`;
const later = 'answers: { later: { label: "Later <b>", effect: snooze }, never: { label: Never, effect: never } }';

describe('pages of own campaigns', () => {
  it('OC38 a prompt shows the texts of the ruleset as text, with the values of their names', async () => {
    const screens =
      'screens: { prompt: { heading: "<u>{user}</u>", text: "{method} for {product}: {days} days, {left} left, {deadline}", buttons: { next: Start, never: No <b>more</b> } } }';
    const cadence = 'cadence: { kind: fixed, every: { setting: window } }';
    const deadline = 'deadline: { ends: [{ at: 2030-03-01 }] }';
    const limit = 'limit: { of: 2, counts: snoozes, then: required, after: now }';
    const visitor = await signIn('texts', {
      methods: methods('form'),
      answers: later,
      cadence,
      limit,
      deadline,
      screens,
    });
    expect(visitor.seen).toEqual([200, 'prompt']);
    expect(texts(visitor)).toEqual([
      'ada@example.test',
      '<u>ada@example.test</u>',
      'the <i>thing</i> for NudgeLab: 7 days, 2 left, March 1, 2030 at 12:00 AM UTC',
      'Start',
      'Later <b>',
      'No <b>more</b>',
      expect.stringContaining('2 more times'),
      expect.stringContaining('March 1, 2030'),
    ]);
  });

  it('OC24 a required prompt refuses every answer with 409, and an unknown answer is 400', async () => {
    const requirement = 'requirement: { required: { fact: user.type, is: member } }';
    const visitor = await signIn('required-answers', { methods: methods('form'), answers: later, requirement });
    expect(visitor.seen).toEqual([200, 'required']);
    await visitor.send({ action: 'answer-later' });
    expect(visitor.seen).toEqual([409, 'required']);
    await visitor.send({ action: 'answer-sometime' });
    expect(visitor.shown.status).toBe(400);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 0 });
  });

  it('OC45 a blocked sign-in has a page without a form or a link', async () => {
    const requirement = 'requirement: { blocked: { fact: user.type, is: member } }';
    const screens = 'screens: { blocked: { heading: Stop, text: "Ask for {method}." } }';
    const visitor = await signIn('blocked-page', { methods: methods('totp'), requirement, screens });
    expect(visitor.seen).toEqual([200, 'blocked']);
    expect(texts(visitor)).toEqual(['ada@example.test', 'Stop', 'Ask for the <i>thing</i>.']);
    expect(parse(visitor.shown.text).querySelectorAll('main form, main a, main button')).toEqual([]);
  });

  it('OC10 a campaign whose failure cannot be skipped has no skip button on its error screen, and refuses it', async () => {
    const visitor = await signIn('no-error-skip', { methods: methods('form'), failure: 'failure: { skip: refused }' });
    await visitor.press('Next');
    await visitor.press('It did not work');
    expect([...visitor.seen, texts(visitor).includes('Skip')]).toEqual([200, 'error-screen', false]);
    await visitor.send({ action: 'skip-error' });
    expect(visitor.seen).toEqual([409, 'error-screen']);
  });

  it('OC45 a code is shown on the simulated phone; a wrong one is refused, and guesses are limited', async () => {
    const visitor = await signIn('code-setup', { methods: methods('email') });
    await visitor.press('Next');
    expect(visitor.seen).toEqual([200, 'setup']);
    await visitor.press('Done', { Code: '000000' });
    expect(visitor.seen).toEqual([401, 'setup']);
    const phone = site.createVisitor(visitor.sandbox);
    await phone.load('/phone/ada@example.test');
    expect(phone.shown.text).toContain('123456');
    await visitor.press('Done', { Code: '123456' });
    expect(visitor.seen).toEqual([200, 'signed-in']);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'registered' });
  });

  it('OC45 a password is entered twice, and is that of the user from then on', async () => {
    const visitor = await signIn('password-setup', { methods: methods('password') });
    await visitor.press('Next');
    await visitor.press('Done', { 'New password': 'new one', 'New password again': 'other one' });
    expect(visitor.seen).toEqual([400, 'setup']);
    expect(visitor.sandbox.directory.user('ada').password).toBe('correct horse');
    await visitor.press('Done', { 'New password': 'new one', 'New password again': 'new one' });
    expect(visitor.seen).toEqual([200, 'signed-in']);
    expect(visitor.sandbox.directory.user('ada').password).toBe('new one');
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'registered' });
  });

  it('OC45 terms are refused until their box is checked', async () => {
    const visitor = await signIn('terms-setup', { methods: methods('terms') });
    await visitor.press('Next');
    await visitor.send({ action: 'complete-setup' });
    expect(visitor.seen).toEqual([400, 'setup']);
    await visitor.send({ action: 'complete-setup', accepted: 'yes' });
    expect(visitor.seen).toEqual([200, 'signed-in']);
  });

  it('OC45 the form of another kind completes no setup', async () => {
    const visitor = await signIn('passkey-setup', {});
    await visitor.press('Next');
    await visitor.send({ action: 'complete-setup' });
    expect(visitor.seen).toEqual([200, 'setup']);
    expect(visitor.sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'prompted' });
  });
});
