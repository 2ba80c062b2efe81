import { expect, test } from 'vitest';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox, type SignInView } from '../../src/sandbox/sandbox.ts';
import { readOwnText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../non-empty.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';

/** Opens a sandbox with a ruleset that has further lines. */
async function open(id: string, changes: Readonly<Record<string, string>>): Promise<Sandbox> {
  const text = rulesetText({ ruleset: `ruleset: ${id}`, ...changes });
  const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
  if (ruleset === null) throw new Error(`The ruleset has faults: ${JSON.stringify(faults)}`);
  rememberOwnRuleset(ruleset);
  return Sandbox.create('one', planSandbox({ ruleset: id, users: [{ id: 'ada' }] }), inMemory());
}

async function signIn({ signIns }: Sandbox): Promise<SignInView> {
  const { id } = await signIns.start('ada');
  await signIns.acceptPassword(id);
  return signIns.completeMfa(id);
}

/** Reasons of a sign-in after a snooze, as docs/how-to/own-campaigns.md lists them. */
const reasons: readonly (readonly [reason: string, cadence: string, answers: string])[] = [
  ['snoozed', '{ kind: fixed, every: 7d }', '{ skip: { effect: snooze } }'],
  ['snoozed', '{ kind: fixed, every: 7d, anchor: lastShown }', '{ skip: { effect: snooze, for: 2d } }'],
  ['already-shown', '{ kind: fixed, every: 7d, anchor: lastShown }', '{ skip: { effect: snooze } }'],
  ['already-shown', '{ kind: daily, anchor: firstShown }', '{ skip: { effect: nothing } }'],
  ['already-shown', '{ kind: once }', '{ skip: { effect: nothing } }'],
];

test.each(nonEmpty(reasons))('OC22 X.cadence stops with %s for %s and %s', async (reason, cadence, answers) => {
  const id = `reason-${reasons.findIndex((one) => one[1] === cadence && one[2] === answers)}`;
  const sandbox = await open(id, { cadence: `cadence: ${cadence}`, answers: `answers: ${answers}` });
  const prompt = await signIn(sandbox);
  await sandbox.signIns.skip(prompt.id);
  expect(await signIn(sandbox)).toMatchObject({ screen: 'notNudged', reason });
});

test('A26 choosing the setup in two tabs counts twice if next snoozes', async () => {
  const answers = 'answers: { skip: { effect: snooze }, next: { effect: snooze } }';
  const sandbox = await open('two-tabs', { cadence: 'cadence: { kind: fixed, every: 7d }', answers });
  const [first, second] = [await signIn(sandbox), await signIn(sandbox)];
  await sandbox.signIns.selectNext(first.id);
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 1 });
  await sandbox.signIns.selectNext(second.id);
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ snoozes: 2 });
});
