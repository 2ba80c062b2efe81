import { describe, expect, it } from 'vitest';
import type { Counterfactual } from '../../src/contract/verdict.schema.ts';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox, type SandboxInput } from '../../src/sandbox/sandbox.ts';
import { readOwn } from '../replay/compare/own-history.ts';

/** Sandboxes start at 2026-01-05T09:00Z. */
async function open(id: string, changes: Readonly<Record<string, string>>, input: SandboxInput = {}): Promise<Sandbox> {
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

const ask = (sandbox: Sandbox, attempt: object = {}): Promise<Counterfactual | null> =>
  sandbox.findCounterfactual('ada', attempt);

const weekly = { cadence: 'cadence: { kind: fixed, every: 7d }', answers: 'answers: { later: { effect: snooze } }' };
const gates = (...conditions: readonly string[]) => ({
  gates: `gates: [${conditions.map((when, index) => `{ id: G${index + 1}, summary: A., when: ${when}, stop: not-a-member }`).join(', ')}]`,
});
const start = '2026-01-05T09:00:00.000Z';

describe('when own campaigns would prompt', () => {
  it('OC47 a sign-in that prompts, and one of a registration campaign, has none', async () => {
    expect(await ask(await open('oc47-prompt', weekly))).toBeNull();
    const built = await Sandbox.create('default', planSandbox({ users: [{ id: 'ada' }] }), inMemory());
    expect(await ask(built)).toBeNull();
  });

  it('OC47 after a snooze, the prompt appears when the cadence is over', async () => {
    const sandbox = await open('oc47-weekly', weekly);
    await sandbox.signIns.skip(await enter(sandbox));
    expect(await ask(sandbox)).toEqual({
      promptedFrom: '2026-01-12T09:00:00.000Z',
      promptedIf: [],
      complete: true,
    });
  });

  it('OC47 an exclusive boundary is one millisecond later', async () => {
    const exclusive = { ...weekly, cadence: 'cadence: { kind: fixed, every: 7d, boundary: exclusive }' };
    const sandbox = await open('oc47-exclusive', exclusive);
    await sandbox.signIns.skip(await enter(sandbox));
    expect((await ask(sandbox))?.promptedFrom).toBe('2026-01-12T09:00:00.001Z');
  });

  it('OC47 a page that was closed counts as it will at the next sign-in, in the verdict, too', async () => {
    const sandbox = await open('oc47-closed', weekly);
    const id = await enter(sandbox);
    await sandbox.clock.advance({ minutes: 1 });
    await sandbox.signIns.leave(id);
    expect(sandbox.explainOwn('ada', {})).toMatchObject({ outcome: 'none', reason: 'snoozed' });
    expect((await ask(sandbox))?.promptedFrom).toBe('2026-01-12T09:01:00.000Z');
  });

  it('OC47 an open prompt without an answer expires first, and its snooze counts from then on', async () => {
    const sandbox = await open(
      'oc47-open',
      { ...weekly, ...gates('{ fact: user.facts.endsAt, inFuture: true }') },
      {
        users: [{ id: 'ada', facts: { endsAt: '2026-01-05T09:20:00Z' } }],
      },
    );
    await enter(sandbox);
    await sandbox.clock.advance({ minutes: 30 });
    expect(await ask(sandbox)).toMatchObject({ promptedFrom: null, promptedIf: [] });
  });

  it('OC47 the time is that at which all gates pass', async () => {
    const early = '{ fact: kept.createdAt, olderThan: 2h }';
    const late = '{ fact: user.facts.endsAt, inPast: true }';
    const sandbox = await open(
      'oc47-both',
      { ...weekly, ...gates(early, late) },
      {
        users: [{ id: 'ada', facts: { endsAt: '2026-01-05T10:00:00Z' } }],
      },
    );
    // Strictly more than two hours after the start, and strictly after the other instant.
    expect((await ask(sandbox))?.promptedFrom).toBe('2026-01-05T11:00:00.001Z');
  });

  it('OC47 editions, the opening of a deadline and steps of a rollout are later times', async () => {
    const edition = 'editions: [{ from: 2026-03-01, set: { gates: [] } }]';
    const dated = await open('oc47-edition', {
      ...weekly,
      ...gates('{ fact: user.type, is: guest }'),
      editions: edition,
    });
    expect(await ask(dated)).toMatchObject({
      promptedFrom: '2026-03-01T00:00:00.000Z',
      promptedIf: [[{ fact: 'user.type', value: 'guest' }]],
    });
    const deadline = 'deadline: { ends: [{ after: 90d, since: created }], opens: 30d }';
    expect((await ask(await open('oc47-deadline', { deadline })))?.promptedFrom).toBe('2026-03-06T09:00:00.000Z');
    const rollout =
      'rollout: { percent: 0, steps: [{ from: 2026-02-01, percent: 0 }, { from: 2026-02-02, percent: 100 }] }';
    expect((await ask(await open('oc47-rollout', { rollout })))?.promptedFrom).toBe('2026-02-02T00:00:00.000Z');
  });

  it('OC47 days of a zone are later times', async () => {
    const daily = { ...weekly, cadence: 'cadence: { kind: daily, measure: calendar, zone: Europe/Berlin }' };
    const sandbox = await open('oc47-daily', daily);
    await sandbox.signIns.skip(await enter(sandbox));
    expect((await ask(sandbox))?.promptedFrom).toBe('2026-01-05T23:00:00.000Z');
  });

  it('OC47 the smallest changes of facts are listed, each with its nearest value', async () => {
    const either = '{ any: [{ fact: user.facts.level, atLeast: 5 }, { fact: user.type, is: guest }] }';
    const sandbox = await open('oc47-either', gates(either, '{ fact: user.facts.level, below: 8 }'), {
      users: [{ id: 'ada', facts: { level: 2 } }],
    });
    expect(await ask(sandbox)).toEqual({
      promptedFrom: null,
      promptedIf: [[{ fact: 'user.facts.level', value: 5 }], [{ fact: 'user.type', value: 'guest' }]],
      complete: true,
    });
  });

  it('OC47 at most five changes are listed, and the answer says that there are more', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const facts = `facts: { user: { ${names.map((name) => `${name}: { type: boolean, default: false }`).join(', ')} } }`;
    const any = `{ any: [${names.map((name) => `{ fact: user.facts.${name}, is: true }`).join(', ')}] }`;
    const found = await ask(await open('oc47-many', { facts, ...gates(any) }));
    expect(found?.promptedIf).toHaveLength(5);
    expect(found?.complete).toBe(false);
  });

  it('OC47 facts that have to change together are one combination', async () => {
    const sandbox = await open(
      'oc47-together',
      gates('{ fact: user.type, is: guest }', '{ fact: attempt.os, in: [ios, android] }'),
    );
    expect(await ask(sandbox)).toEqual({
      promptedFrom: null,
      promptedIf: [
        [
          { fact: 'user.type', value: 'guest' },
          { fact: 'attempt.os', value: expect.stringMatching(/^(ios|android)$/) },
        ],
      ],
      complete: true,
    });
  });

  it('OC47 a fact that is part of a ledger key has another ledger', async () => {
    const perSystem = {
      answers: 'answers: { later: { effect: never } }',
      ledger: 'ledger: { keys: [[user, ecosystem]], ecosystems: { apple: [ios, macos], windows: [windows] } }',
    };
    const sandbox = await open('oc47-system', perSystem);
    await sandbox.signIns.skip(await enter(sandbox));
    expect(sandbox.explainOwn('ada', {})).toMatchObject({ reason: 'answered-never' });
    const found = await ask(sandbox);
    expect(found?.promptedFrom).toBeNull();
    expect(found?.promptedIf.map((facts) => facts.map(({ fact }) => fact))).toEqual([['attempt.os']]);
  });

  it('OC47 a gate that always stops has neither a time nor facts', async () => {
    const sandbox = await open('oc47-never', gates('{ any: [] }'));
    expect(await ask(sandbox)).toEqual({ promptedFrom: null, promptedIf: [], complete: true });
  });

  it('OC47 the snooze of a given user is that of the first sign-in', async () => {
    const sandbox = await open('oc47-given', weekly, {
      users: [{ id: 'ada', snooze: { count: 1, snoozedAtMs: Date.parse(start) - 86_400_000 } }],
    });
    expect(sandbox.explainOwn('ada', {})).toMatchObject({ reason: 'snoozed' });
    expect((await ask(sandbox))?.promptedFrom).toBe('2026-01-11T09:00:00.000Z');
  });
});
