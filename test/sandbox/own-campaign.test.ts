import { expect, test } from 'vitest';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { toPolicyCaller } from '../../src/contract/policy-caller.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { rebuildState } from '../../src/journal/apply-event.ts';
import type { JournalEntry } from '../../src/journal/journal-event.ts';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox, type SandboxInput, type SignInView } from '../../src/sandbox/sandbox.ts';
import { readOwnText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';

/** Makes a ruleset with other lines than the usual one available. Each has an id of its own. */
function load(id: string, changes: Readonly<Record<string, string>> = {}): OwnRuleset {
  const text = rulesetText({ ruleset: `ruleset: ${id}`, ...changes });
  const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
  if (ruleset === null) throw new Error(`The ruleset has faults: ${JSON.stringify(faults)}`);
  rememberOwnRuleset(ruleset);
  return ruleset;
}

async function open({ id }: OwnRuleset, input: SandboxInput = {}): Promise<Sandbox> {
  const users = [{ id: 'ada' }, { id: 'ben', type: 'guest' }];
  return Sandbox.create('one', planSandbox({ ruleset: id, users, ...input }), inMemory());
}

async function signIn({ signIns }: Sandbox, userId = 'ada'): Promise<SignInView> {
  const { id } = await signIns.start(userId);
  await signIns.acceptPassword(id);
  return signIns.completeMfa(id);
}

async function listProblems(act: () => unknown): Promise<readonly unknown[]> {
  try {
    await act();
  } catch (error) {
    if (error instanceof NudgeLabError) return [error.code, ...error.problems];
    throw error;
  }
  return [];
}

const snoozing = { cadence: 'cadence: { kind: fixed, every: 7d }' };
const answers = "answers: { later: { label: Later, effect: snooze }, never: { label: 'Never <b>', effect: never } }";

test('OC24 a skip gives the first answer, and another one is named by its id', async () => {
  const sandbox = await open(load('answers', { ...snoozing, answers }));
  const prompt = await signIn(sandbox);
  expect(prompt).toMatchObject({ screen: 'prompt', outcome: 'skippable', method: null });
  expect(prompt.own?.answers).toEqual([
    { id: 'later', label: 'Later' },
    { id: 'never', label: 'Never <b>' },
  ]);
  const unknown = await listProblems(() => sandbox.signIns.skip(prompt.id, 'nevr'));
  expect(unknown).toMatchObject(['bad-request', { location: 'answer' }]);
  expect(await sandbox.signIns.skip(prompt.id)).toMatchObject({ screen: 'signedIn' });
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'snoozed', snoozes: 1 });
  await sandbox.clock.advance({ days: 7 });
  const again = await signIn(sandbox);
  await sandbox.signIns.skip(again.id, 'never');
  await sandbox.clock.advance({ days: 70 });
  expect(await signIn(sandbox)).toMatchObject({ screen: 'notNudged', reason: 'answered-never' });
});

test('OC30 a blocked sign-in ends without a way on', async () => {
  const blocked = 'requirement: { blocked: { fact: user.type, is: member } }';
  const sandbox = await open(load('blocking', { requirement: blocked }));
  const view = await signIn(sandbox);
  expect(view).toMatchObject({ screen: 'blocked', outcome: 'blocked', own: { answers: [], skippable: false } });
  expect(await listProblems(() => sandbox.signIns.passInterstitial(view.id))).toEqual(['unexpected-screen']);
  expect(await listProblems(() => sandbox.signIns.skip(view.id))).toEqual(['unexpected-screen']);
  expect(await signIn(sandbox, 'ben')).toMatchObject({ screen: 'notNudged', reason: 'not-a-member' });
});

test('OC23 a required prompt refuses its answers with 409 and stays', async () => {
  const required = 'requirement: { required: { fact: user.facts.level, atLeast: 5 } }';
  const sandbox = await open(load('requiring', { requirement: required }), {
    users: [{ id: 'ada', facts: { level: 5 } }],
  });
  const view = await signIn(sandbox);
  expect(view).toMatchObject({ screen: 'required', own: { answers: [], skippable: false } });
  expect(await listProblems(() => sandbox.signIns.skip(view.id))).toEqual(['skip-not-allowed']);
  await sandbox.directory.patchUser('ada', { facts: { level: 4 } });
  expect(sandbox.signIns.view(view.id).screen).toBe('required');
  const done = await sandbox.signIns.selectNext(view.id);
  const passkey = { type: 'security-key', deviceId: 'device-1' } as const;
  expect(await sandbox.signIns.completeSetup(done.id, passkey)).toMatchObject({ screen: 'signedIn' });
  expect(sandbox.directory.user('ada').passkeys).toEqual([passkey]);
  expect(sandbox.directory.nudgeStatus('ada').state).toBe('registered');
});

test('OC30 registering in one tab resolves the other, also on the security information page (A27, A43)', async () => {
  const sandbox = await open(load('two-tabs'));
  const [one, two] = [await signIn(sandbox), await signIn(sandbox)];
  expect(sandbox.directory.nudgeStatus('ada').openPrompts.map(({ id }) => id)).toEqual([one.id, two.id]);
  const { passkeys, ...ada } = sandbox.directory.user('ada');
  expect(passkeys).toEqual([]);
  await sandbox.directory.putUser('ada', { ...ada, passkeys: [{ type: 'security-key' }] });
  expect([one, two].map(({ id }) => sandbox.signIns.view(id).screen)).toEqual(['resolved', 'resolved']);
  expect(await sandbox.signIns.skip(two.id)).toMatchObject({ screen: 'signedIn' });
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'registered', snoozes: 0, openPrompts: [] });
});

test('OC30 a closed page counts from the time of closing, and coming back withdraws it (A41)', async () => {
  const sandbox = await open(load('leaving', snoozing));
  const { id } = await signIn(sandbox);
  await sandbox.signIns.leave(id);
  await sandbox.signIns.comeBack(id);
  await sandbox.clock.advance({ minutes: 5 });
  await sandbox.signIns.leave(id);
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'prompted', snoozes: 0 });
  await sandbox.clock.advance({ minutes: 5 });
  expect(await signIn(sandbox)).toMatchObject({ screen: 'notNudged', reason: 'snoozed' });
  expect(sandbox.signIns.view(id).screen).toBe('expired');
  const { nextPromptAt, snoozes } = sandbox.directory.nudgeStatus('ada');
  expect({ nextPromptAt, snoozes }).toEqual({ nextPromptAt: '2026-01-12T09:05:00.000Z', snoozes: 1 });
});

test('OC25 the ledger of a user is the snooze of the facts, and can be set and reset', async () => {
  const sandbox = await open(load('ledgers', snoozing));
  await sandbox.directory.setSnooze('ada', { count: 2, snoozedAtMs: sandbox.clock.nowMs() });
  expect(await signIn(sandbox)).toMatchObject({ screen: 'notNudged', reason: 'snoozed' });
  expect(sandbox.directory.nudgeStatus('ada')).toMatchObject({ state: 'snoozed', snoozes: 2 });
  await sandbox.directory.resetLedger('ada');
  expect(sandbox.directory.user('ada').snooze).toEqual({ count: 0, snoozedAtMs: null });
  expect(await signIn(sandbox)).toMatchObject({ screen: 'prompt' });
});

test('OC29 resets on `control` name what a reset of the ledger clears, in the edition of its time', async () => {
  const sandbox = await open(
    load('stated-resets', {
      ...snoozing,
      resets: 'resets: [{ on: control, clears: [timer] }]',
      editions:
        'editions: [{ from: 2026-02-01, source: [later], set: { resets: [{ on: control, clears: [count] }] } }]',
    }),
  );
  await sandbox.signIns.skip((await signIn(sandbox)).id);
  expect(await sandbox.directory.resetLedger('ada')).toMatchObject({ state: 'notPrompted', snoozes: 1 });
  const prompt = await signIn(sandbox);
  expect(prompt).toMatchObject({ screen: 'prompt' });
  await sandbox.clock.advance({ days: 27 });
  await sandbox.signIns.skip((await signIn(sandbox)).id);
  expect(await sandbox.directory.resetLedger('ada')).toMatchObject({ state: 'snoozed', snoozes: 0 });
  expect(await signIn(sandbox)).toMatchObject({ screen: 'notNudged', reason: 'snoozed' });
});

test('OC27 a prompt that is open when a deadline blocks can be set up, but not turned down (A79)', async () => {
  const deadline = 'deadline: { ends: [{ at: 2026-01-05T09:10:00Z }], then: blocked }';
  const sandbox = await open(load('blocking-deadline', { ...snoozing, deadline }));
  const { id } = await signIn(sandbox);
  await sandbox.clock.advance({ minutes: 10 });
  expect(await listProblems(() => sandbox.signIns.skip(id))).toMatchObject(['skip-not-allowed']);
  expect(await sandbox.signIns.selectNext(id)).toMatchObject({ screen: 'setup' });
  expect(await signIn(sandbox)).toMatchObject({ screen: 'blocked' });
});

test('OC25 the snooze of given facts is the ledger at the start', async () => {
  const snooze = { count: 1, snoozedAtMs: 1_767_603_600_000 };
  const sandbox = await open(load('started', snoozing), { users: [{ id: 'ada', snooze }] });
  expect(sandbox.explain('ada', {})).toMatchObject({ outcome: 'none', reason: 'snoozed' });
});

test('OC19 facts are checked against their types, and nothing changes', async () => {
  const ruleset = load('typed');
  const wrong = [{ id: 'ada', facts: { level: 12 } }];
  const ofPlan = await listProblems(() => planSandbox({ ruleset: ruleset.id, users: wrong }));
  expect(ofPlan).toEqual([
    'bad-request',
    { location: 'users.0.facts.level', message: '12 is above the maximum (ruleset typed)' },
  ]);
  const sandbox = await open(ruleset);
  const before = sandbox.entryCount;
  const ofUser = await listProblems(() => sandbox.directory.patchUser('ada', { facts: { lvel: 1 } }));
  expect(ofUser).toMatchObject(['bad-request', { location: 'user.facts' }]);
  const ofTenant = await listProblems(() =>
    sandbox.directory.patchTenant({ settings: { window: '7' } }, 'control-api'),
  );
  expect(ofTenant).toMatchObject(['bad-request', { location: 'tenant.settings.window' }]);
  const ofAttempt = await listProblems(() => sandbox.signIns.start('ada', { facts: { other: true } }));
  expect(ofAttempt).toMatchObject(['bad-request', { location: 'attempt.facts' }]);
  expect(sandbox.entryCount).toBe(before);
});

test('OC19 facts that no registration campaign declares are rejected, as are parts of own sign-ins', async () => {
  const plan = (facts: object) =>
    listProblems(() => planSandbox({ ruleset: 'announced', users: [{ id: 'ada', facts }] }));
  expect(await plan({ external: true })).toEqual([]);
  expect(await plan({ external: 'yes' })).toMatchObject(['bad-request', { location: 'users.0.facts.external' }]);
  expect(await plan({ extrnal: true })).toMatchObject(['bad-request', { location: 'users.0.facts' }]);
  const sandbox = await Sandbox.create('one', planSandbox({ users: [{ id: 'ada' }] }), inMemory());
  const started = await listProblems(() => sandbox.signIns.start('ada', { session: 'same' }));
  expect(started).toMatchObject(['bad-request', { location: 'attempt.session' }]);
  expect(await listProblems(() => sandbox.directory.resetLedger('ada'))).toEqual(['bad-request']);
  expect(await listProblems(() => sandbox.directory.clearBrowser('ada'))).toEqual(['bad-request']);
});

test('OC56 the registration campaign beside an own one is disabled', async () => {
  const sandbox = await open(load('beside'), { tenant: { campaign: { state: 'enabled' } } });
  expect(sandbox.directory.campaign().state).toBe('disabled');
  await sandbox.directory.patchTenant({ campaign: { state: 'enabled' } }, 'control-api');
  expect(sandbox.directory.tenant().campaign.state).toBe('disabled');
  expect(sandbox.explain('ada', {})).toMatchObject({ ruleset: 'beside', outcome: 'skippable', method: 'passkey' });
});

test('OC56 bad-request: the policy API rejects another state of the campaign, and accepts all other changes', async () => {
  const ruleset = load('beside-policy');
  const sandbox = await open(ruleset);
  const administrator = toPolicyCaller('administrator');
  const update = (campaign: object) =>
    sandbox.policy.update(administrator, {
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign },
    });
  for (const state of ['enabled', 'default']) {
    await expect(update({ state })).rejects.toMatchObject({
      code: 'bad-request',
      status: 400,
      problems: [
        {
          location: 'registrationEnforcement.authenticationMethodsRegistrationCampaign.state',
          message: `"${state}" is not "disabled", the only state while the ruleset "beside-policy" has the base own; its own campaign takes the place of this one`,
        },
      ],
    });
  }
  expect(sandbox.directory.campaign().state).toBe('disabled');
  const { status, body } = await update({ state: 'disabled', snoozeDurationInDays: 3 });
  expect(status).toBe(200);
  expect(body?.registrationEnforcement.authenticationMethodsRegistrationCampaign).toMatchObject({
    state: 'disabled',
    snoozeDurationInDays: 3,
  });
});

test('OC35 a journal names its ruleset: missing is an error, another version a notice', async () => {
  const ruleset = load('versions', snoozing);
  const sandbox = await open(ruleset);
  await sandbox.signIns.skip((await signIn(sandbox)).id);
  const entries = await sandbox.journal({ after: 0, limit: 100 });
  const [first, ...rest] = entries as readonly [JournalEntry, ...JournalEntry[]];
  expect(first.event).toMatchObject({ ruleset: 'versions', rulesetDigest: ruleset.digest });
  const renamed = { ...first, event: { ...first.event, ruleset: 'gone' } } as JournalEntry;
  const missing = await listProblems(() => rebuildState([renamed, ...rest]));
  expect(missing).toEqual(['ruleset-missing']);
  expect(sandbox.directory.warnings()).toEqual([]);
  const other = { ...first, event: { ...first.event, rulesetDigest: 'another' } } as JournalEntry;
  expect(rebuildState([other, ...rest])?.rulesetDigests).toEqual({ recorded: 'another', loaded: ruleset.digest });
});
