import { describe, expect, it } from 'vitest';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../non-empty.ts';
import { readOwn } from '../replay/compare/own-history.ts';

type Changes = Readonly<Record<string, string>>;

/** Sandboxes start at 2026-01-05T09:00Z. */
async function open(id: string, changes: Changes, input: SandboxInput = {}): Promise<Sandbox> {
  const ruleset = readOwn(id, changes);
  rememberOwnRuleset(ruleset);
  const plan = planSandbox({ ruleset: ruleset.id, users: [{ id: 'ada' }], ...input });
  return Sandbox.create('default', plan, inMemory());
}

async function enter(sandbox: Sandbox): Promise<string> {
  const { id } = await sandbox.signIns.start('ada', {});
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  return id;
}

const weekly = { cadence: 'cadence: { kind: fixed, every: 7d }', answers: 'answers: { later: { effect: snooze } }' };
const deadline = (text: string): Changes => ({ ...weekly, deadline: `deadline: { ${text} }` });

/** Rulesets with the time of the next prompt after one snooze at 2026-01-05T09:00Z. */
const waits: readonly (readonly [claim: string, changes: Changes, nextPromptAt: string | null])[] = [
  ['the cadence ends', weekly, '2026-01-12T09:00:00.000Z'],
  [
    'a variant of the rollout has another duration',
    {
      ...weekly,
      cadence: 'cadence: { kind: fixed, every: { setting: window } }',
      rollout: 'rollout: { variants: [{ id: long, share: 100, settings: { window: 9d } }] }',
    },
    '2026-01-14T09:00:00.000Z',
  ],
  [
    'a deadline requires the setup earlier',
    deadline("ends: [{ at: '2026-01-08T10:00:00Z' }]"),
    '2026-01-08T10:00:00.000Z',
  ],
  [
    'an exclusive deadline is over one millisecond later',
    deadline("ends: [{ at: '2026-01-08T10:00:00Z' }], boundary: exclusive"),
    '2026-01-08T10:00:00.001Z',
  ],
  [
    'a deadline of whole days begins its day',
    deadline("ends: [{ at: '2026-01-08T10:00:00Z' }], measure: date, zone: Europe/Berlin"),
    '2026-01-07T23:00:00.000Z',
  ],
  [
    'an exclusive deadline of whole days ends its day',
    deadline("ends: [{ at: '2026-01-08T10:00:00Z' }], measure: date, boundary: exclusive"),
    '2026-01-09T00:00:00.000Z',
  ],
  ['a later deadline does not matter', deadline("ends: [{ at: '2026-02-01' }]"), '2026-01-12T09:00:00.000Z'],
  ['a deadline closes the campaign first', deadline("ends: [{ at: '2026-01-08' }], then: none"), null],
  ['a deadline blocks the sign-in first', deadline("ends: [{ at: '2026-01-08' }], then: blocked"), null],
  [
    'a permanent answer does not count against a deadline',
    { ...deadline("ends: [{ at: '2026-01-08' }]"), answers: 'answers: { no: { effect: never } }' },
    '2026-01-08T00:00:00.000Z',
  ],
  [
    'what is shown once is required from the deadline on',
    { ...deadline("ends: [{ at: '2026-01-08' }]"), cadence: 'cadence: { kind: once }' },
    '2026-01-08T00:00:00.000Z',
  ],
  [
    'a limit of snoozes ends the campaign',
    { ...weekly, limit: 'limit: { of: 1, counts: snoozes, then: never, after: wait }' },
    null,
  ],
  [
    'a limit of snoozes applies at once',
    { ...weekly, limit: 'limit: { of: 1, counts: snoozes, then: required, after: now }' },
    null,
  ],
];

describe('nudge status of own campaigns', () => {
  it.each(nonEmpty(waits))('OC26 the next prompt: %s', async (claim, changes, nextPromptAt) => {
    const sandbox = await open(`wait-${claim.replaceAll(/[^a-z]+/g, '-')}`, changes);
    await sandbox.signIns.skip(await enter(sandbox));
    expect(sandbox.directory.nudgeStatus('ada').nextPromptAt).toBe(nextPromptAt);
    const counterfactual = await sandbox.findCounterfactual('ada', {});
    expect(counterfactual?.promptedFrom ?? null).toBe(nextPromptAt);
  });

  it('OC26 after the time of every n-th sign-in, no time is known', async () => {
    const cadence = 'cadence: { kind: signIns, signIns: 3 }';
    const sandbox = await open('wait-sign-ins', { ...deadline("ends: [{ at: '2026-02-01' }]"), cadence });
    await sandbox.signIns.skip(await enter(sandbox));
    expect(sandbox.directory.nudgeStatus('ada').nextPromptAt).toBeNull();
  });

  it.each(
    nonEmpty([
      ['a constant', 'of: 3', 3],
      ['a setting', 'of: { setting: count }', 2],
      ['a fact', 'of: { fact: user.facts.level }', null],
      ['a condition on the user', 'of: 3, when: { fact: user.facts.level, is: 5 }', null],
    ] as const),
  )('OC7 snoozes left of a limit with %s, before the first sign-in and after a snooze', async (kind, text, before) => {
    const limit = `limit: { ${text}, counts: snoozes, then: required, after: wait }`;
    const users = [{ id: 'ada', facts: { level: 5 } }];
    const tenant = { settings: { count: 2 } };
    const sandbox = await open(`left-${kind.replaceAll(' ', '-')}`, { ...weekly, limit }, { users, tenant });
    expect(sandbox.directory.nudgeStatus('ada').snoozesLeft).toBe(before);
    await sandbox.signIns.skip(await enter(sandbox));
    const most = { 'a constant': 3, 'a setting': 2, 'a fact': 5, 'a condition on the user': 3 }[kind];
    expect(sandbox.directory.nudgeStatus('ada').snoozesLeft).toBe(most - 1);
  });

  it('OC7 a limit whose condition does not hold leaves no number of snoozes', async () => {
    const limit =
      'limit: { of: 3, counts: snoozes, then: required, after: wait, when: { fact: user.type, is: guest } }';
    const sandbox = await open('left-of-members', { ...weekly, limit });
    await sandbox.signIns.skip(await enter(sandbox));
    expect(sandbox.directory.nudgeStatus('ada').snoozesLeft).toBeNull();
  });

  it('OC14 a prompt states the days of the answer that snoozes', async () => {
    const sandbox = await open('own-days', { answers: 'answers: { later: { effect: snooze, for: 3d } }' });
    const { own } = sandbox.signIns.view(await enter(sandbox));
    expect(own?.waitMs).toBe(3 * 86_400_000);
  });
});

describe('answers of the prompt at which a count is reached', () => {
  it.each(
    nonEmpty([
      ['OC7 showings', { limit: 'limit: { of: 2, counts: shown, then: required, after: now }' }],
      ['OC20 sign-ins', { requirement: 'requirement: { required: { fact: kept.signIns, atLeast: 3 } }' }],
      ['OC20 kept showings', { requirement: 'requirement: { required: { fact: kept.shown, atLeast: 2 } }' }],
      [
        'OC21 sign-ins in a window',
        { requirement: 'requirement: { required: { signIns: { within: 1d }, atLeast: 3 } }' },
      ],
    ] as const),
  )('%s do not count the prompt itself again', async (what, changes) => {
    const answers = 'answers: { later: { effect: nothing } }';
    const sandbox = await open(`count-${what.toLowerCase().replaceAll(' ', '-')}`, { answers, ...changes });
    for (const _ of [1, 2]) {
      const id = await enter(sandbox);
      expect(sandbox.signIns.view(id)).toMatchObject({ outcome: 'skippable', own: { skippable: true } });
      expect(await sandbox.signIns.skip(id)).toMatchObject({ screen: 'signedIn' });
    }
    expect(sandbox.signIns.view(await enter(sandbox))).toMatchObject({
      outcome: 'required',
      own: { skippable: false },
    });
  });

  it.each(
    nonEmpty([
      [
        'an earlier sign-in',
        { requirement: 'requirement: { required: { fact: kept.previousSignInAt, present: true } }' },
      ],
      ['a first showing', { requirement: 'requirement: { required: { fact: kept.firstShownAt, present: true } }' }],
      ['a recent showing', { requirement: 'requirement: { required: { fact: kept.lastShownAt, youngerThan: 1h } }' }],
    ] as const),
  )('OC20 %s is not that of the prompt itself', async (what, changes) => {
    const answers = 'answers: { later: { effect: nothing } }';
    const sandbox = await open(`before-${what.replaceAll(' ', '-')}`, { answers, ...changes });
    const first = await enter(sandbox);
    expect(sandbox.signIns.view(first)).toMatchObject({ outcome: 'skippable', own: { skippable: true } });
    expect(await sandbox.signIns.skip(first)).toMatchObject({ screen: 'signedIn' });
    expect(sandbox.signIns.view(await enter(sandbox))).toMatchObject({
      outcome: 'required',
      own: { skippable: false },
    });
  });

  it('OC20 showings that were cleared while a prompt is open are forgotten', async () => {
    const sandbox = await open(
      'before-cleared',
      {
        answers: 'answers: { later: { effect: nothing } }',
        requirement:
          'requirement: { required: { all: [{ fact: kept.lastShownAt, present: true }, { fact: user.facts.level, atLeast: 5 }] } }',
        resets: 'resets: [{ on: { newVersion: user.facts.level }, clears: [shown] }]',
      },
      { users: [{ id: 'ada', facts: { level: 1 } }] },
    );
    await sandbox.signIns.skip(await enter(sandbox));
    const second = await enter(sandbox);
    await sandbox.directory.patchUser('ada', { facts: { level: 5 } });
    expect(sandbox.signIns.view(second)).toMatchObject({ own: { skippable: true } });
  });

  it('OC27 a deadline since the first showing counts from the open prompt', async () => {
    const end = 'deadline: { ends: [{ after: 10m, since: firstShown }] }';
    const sandbox = await open('deadline-of-prompt', {
      answers: 'answers: { later: { effect: nothing } }',
      deadline: end,
    });
    const id = await enter(sandbox);
    expect(sandbox.signIns.view(id)).toMatchObject({ own: { skippable: true } });
    await sandbox.clock.advance({ minutes: 10 });
    expect(sandbox.signIns.view(id)).toMatchObject({ own: { skippable: false } });
  });

  it('OC7 a prompt of another tab that is shown later counts', async () => {
    const limit = 'limit: { of: 2, counts: shown, then: required, after: now }';
    const sandbox = await open('count-two-tabs', { answers: 'answers: { later: { effect: nothing } }', limit });
    const [first] = [await enter(sandbox), await enter(sandbox)];
    expect(sandbox.signIns.view(first ?? '')).toMatchObject({ own: { skippable: true } });
    await enter(sandbox);
    expect(sandbox.signIns.view(first ?? '')).toMatchObject({ own: { skippable: false } });
  });
});
