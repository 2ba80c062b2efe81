import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '../../src/core/clock.ts';
import type { JournalEntry } from '../../src/journal/journal-event.ts';
import { JourneyWalk } from '../../src/replay/journey-walk.ts';
import { replayJourney } from '../../src/replay/replay-journey.ts';
import { inMemory, planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { journeyText, openText, resealed } from './journey-text.ts';

const campaign = {
  state: 'enabled',
  includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
};
const dayMs = 86_400_000;

let entries: readonly JournalEntry[];

/**
 * Records a journal of two users. Ada skips, is snoozed, and registers a day later, and Ben closes the browser. A
 * password is set, and a token is revoked.
 */
beforeAll(async () => {
  const sandbox = await Sandbox.create(
    'default',
    planSandbox({ tenant: { campaign }, users: [{ id: 'ada' }, { id: 'ben' }] }),
    inMemory(),
  );
  const { signIns, clock, directory } = sandbox;
  const prompted = async (user: string): Promise<string> => {
    const { id } = await signIns.start(user);
    await signIns.acceptPassword(id);
    await signIns.completeMfa(id);
    return id;
  };
  await signIns.skip(await prompted('ada'));
  await signIns.leave(await prompted('ben'));
  await prompted('ada');
  await clock.advance({ days: 1 });
  const second = await prompted('ada');
  await signIns.selectNext(second);
  await signIns.completeSetup(second, null);
  await directory.putUser('cleo', { userPrincipalName: 'cleo@example.test', password: 'open sesame' });
  const journal = await sandbox.journal({ after: 0, limit: 1_000 });
  const atMs = sandbox.clock.nowMs();
  const revoked: JournalEntry = { seq: journal.length + 1, atMs, event: { type: 'token.revoked', tokenId: 'secret' } };
  entries = [...journal, revoked];
});

/** Replaces one line of a text. */
function withLine(text: string, number: number, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line, index) => (index === number - 1 ? change(line) : line))
    .join('\n');
}

async function getCode(text: string | Uint8Array): Promise<unknown> {
  try {
    await replayJourney(await openText(text));
    return 'replayed';
  } catch (error) {
    const { code, problems } = error as { code: string; problems: readonly { location: string }[] };
    return [code, problems[0]?.location];
  }
}

describe('journey files', () => {
  it('R5: the file contains the recorded states, event by event', async () => {
    const inputs = (await journeyText(entries))
      .split('\n')
      .filter((line) => line.startsWith('{"kind":"event"'))
      .map((line) => JSON.parse(line) as { event: { type: string }; outcome: Record<string, unknown> });
    const evaluated = inputs
      .filter(({ outcome }) => 'outcome' in outcome)
      .map(({ outcome }) => [outcome['user'], outcome['outcome'], outcome['reason'], outcome['nudgeStatus']]);
    const nowMs = 1_767_603_600_000;
    expect(evaluated).toEqual([
      ['ada', 'skippable', null, { state: 'prompted', count: 0, snoozedAtMs: null }],
      ['ben', 'skippable', null, { state: 'prompted', count: 0, snoozedAtMs: null }],
      ['ada', 'none', 'snoozed', { state: 'snoozed', count: 1, snoozedAtMs: nowMs }],
      ['ada', 'skippable', null, { state: 'prompted', count: 1, snoozedAtMs: nowMs }],
    ]);
  });

  it('the file contains no credentials and no events outside of the campaign', async () => {
    const text = await journeyText(entries);
    expect(text).not.toContain('open sesame');
    expect(text).not.toContain('secret');
    const { omitted, same } = await replayJourney(await openText(text));
    expect({ omitted, same }).toEqual({ omitted: { 'token.revoked': 1 }, same: true });
  });

  it('internal-error: a journey that starts right after the clock was resumed starts with its first event', async () => {
    const sandbox = await Sandbox.create('default', planSandbox({ users: [{ id: 'ada' }] }), inMemory());
    await sandbox.clock.set({ running: true });
    await sandbox.signIns.start('ada');
    const journal = await sandbox.journal({ after: 0, limit: 10 });
    const [, set, started] = journal;
    expect([set?.event.type, started?.event.type]).toEqual(['clock.set', 'signIn.started']);
    for (const slice of [{ from: 3 }, { from: 4 }, { from: 3, to: 2 }]) {
      const text = await journeyText(journal, slice);
      const wanted = slice.to === 2 ? set : started;
      expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ at: toInstant(wanted?.atMs ?? 0) });
      expect((await replayJourney(await openText(text))).same).toBe(true);
    }
  });

  it('R9: a journey of one user contains the clock events and no events of other users', async () => {
    const text = await journeyText(entries, { user: 'ben' });
    const report = await replayJourney(await openText(text));
    expect(report).toMatchObject({ same: true, users: 1, steps: 5, slice: { user: 'ben' } });
    expect(text).not.toContain('ada');
    const walk = await JourneyWalk.of(await openText(text));
    expect(walk.goTo(5).event?.type).toBe('clock.set');
  });

  it('R5: a different final state is the only reported difference', async () => {
    const text = await journeyText(entries);
    expect(resealed(text)).toBe(text);
    const last = text.trimEnd().split('\n').length;
    const { state } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { state: string };
    const other = `${state.startsWith('0') ? '1' : '0'}${state.slice(1)}`;
    const report = await replayJourney(await openText(resealed(text.replace(state, other))));
    expect(report).toMatchObject({ same: false, differenceCount: 1 });
    expect(report.differences).toEqual([{ line: last, step: null, key: 'state', expected: other, actual: state }]);
  });

  it('R5: an initial state that would be written differently now is reported with its line', async () => {
    const text = await journeyText(entries);
    const number = text.split('\n').findIndex((line) => line.startsWith('{"kind":"user"')) + 1;
    const plain = { state: 'notPrompted', openPrompts: [], registered: null };
    const longer = withLine(text, number, (line) => JSON.stringify({ ...JSON.parse(line), lifecycle: plain }));
    const { same, differences, differenceCount } = await replayJourney(await openText(resealed(longer)));
    expect([same, differenceCount]).toEqual([false, 1]);
    expect(differences[0]).toMatchObject({ line: number, step: null, key: 'user' });
    expect(String(differences[0]?.expected)).toContain('lifecycle');
    expect(String(differences[0]?.actual)).not.toContain('lifecycle');
  });

  it('R7: of many differences two hundred are listed and all are counted', async () => {
    const users = Array.from({ length: 80 }, (_, index) => ({
      id: `u${index}`,
      snooze: { count: index < 70 ? 0 : 3, snoozedAtMs: null },
    }));
    const sandbox = await Sandbox.create('default', planSandbox({ tenant: { campaign }, users }), inMemory());
    for (const { id: user } of users) {
      const { id } = await sandbox.signIns.start(user);
      await sandbox.signIns.acceptPassword(id);
      await sandbox.signIns.completeMfa(id);
    }
    const text = await journeyText(await sandbox.journal({ after: 0, limit: 1_000 }));
    const changed = (times: number) => {
      let left = times;
      return text
        .split('\n')
        .map((line) =>
          line.startsWith('{"kind":"event"') && left-- > 0 ? line.replace('"count":0', '"count":1') : line,
        )
        .join('\n');
    };
    for (const [times, listed] of [
      [199, 199],
      [200, 200],
      [201, 200],
      [210, 200],
    ] as const) {
      const report = await replayJourney(await openText(resealed(changed(times))));
      expect([report.differenceCount, report.differences.length, report.same]).toEqual([times, listed, false]);
      expect(report).toMatchObject({ steps: 240, verdicts: 80 });
    }
  });

  it('journey-damaged: every changed, missing or duplicate line is detected with its location', async () => {
    const text = await journeyText(entries);
    const lines = text.trimEnd().split('\n');
    for (let number = 1; number <= lines.length; number += 1) {
      const changed = withLine(text, number, (line) =>
        line.replace(/"seed":1|"ada"|"ben"|"state":"[0-9a-f]|"settings"|2026-01/, (match) => `${match.slice(0, -1)}x`),
      );
      expect([number, changed === text]).toEqual([number, false]);
      expect([number, await getCode(changed)]).toEqual([number, ['journey-damaged', `line ${number}`]]);
      const doubled = lines.toSpliced(number, 0, lines[number - 1] ?? '').join('\n');
      expect(await getCode(doubled)).toEqual(['journey-damaged', `line ${number + 1}`]);
      if (number === 1) continue;
      const dropped = lines.toSpliced(number - 1, 1).join('\n');
      expect(await getCode(dropped)).toEqual([
        'journey-damaged',
        number === lines.length ? `line ${number - 1}` : `line ${number}`,
      ]);
    }
  });

  it('journey-damaged: a file that is truncated at any position is detected', async () => {
    const text = (await journeyText(entries)).trimEnd();
    const bytes = new TextEncoder().encode(text);
    for (let length = 1; length < bytes.length; length += 131) {
      const code = await getCode(bytes.subarray(0, length));
      expect([length, Array.isArray(code) ? code[0] : code]).toEqual([
        length,
        length < text.indexOf('\n') ? 'journey-unrecognized' : 'journey-damaged',
      ]);
    }
  });

  it.each([
    ['', 'journey-unrecognized'],
    ['{"value":[]}', 'journey-unrecognized'],
    ['hello', 'journey-unrecognized'],
    ['{"format":"nudgelab-journey"}', 'journey-unrecognized'],
    ['{"kind":"journey","format":"nudgelab-journey","version":2}', 'journey-version'],
    ['{"format":"nudgelab-journey","version":0}', 'journey-damaged'],
  ])('a file that begins with %j is rejected with %s', async (text, code) => {
    expect(await getCode(text)).toEqual([code, code === 'journey-damaged' ? 'line 1' : undefined]);
  });

  it('a journey of version 0 is migrated, and its verdicts are still compared with the rules', async () => {
    const old = readFileSync(join(import.meta.dirname, 'fixtures/journey-v0.ndjson'), 'utf8');
    const report = await replayJourney(await openText(old));
    expect(report).toMatchObject({ version: 0, same: true, steps: 9, verdicts: 2, users: 1 });
    const other = await replayJourney(
      await openText(old.replace('"outcome":"none","reason":"snoozed"', '"outcome":"skippable","reason":null')),
    );
    expect(other.differences.map(({ step, key, expected, actual }) => [step, key, expected, actual])).toEqual([
      [8, 'outcome', 'skippable', 'none'],
      [8, 'reason', null, 'snoozed'],
    ]);
    expect(await getCode(old.trimEnd().split('\n').slice(0, -1).join('\n'))).toEqual(['journey-damaged', 'line 9']);
  });

  it('R5, A6: stepping back and forth shows the same states as stepping forward', async () => {
    const walk = await JourneyWalk.of(await openText(await journeyText(entries)));
    const forward = Array.from({ length: walk.length + 1 }, (_, step) => walk.goTo(step));
    const places = [7, 3, walk.length, 0, 1, walk.length - 1, 12, 2];
    for (const step of places) expect(walk.goTo(step)).toEqual(forward[step]);
    expect(walk.goTo(10_000).step).toBe(walk.length);
    expect(forward.filter(({ verdict }) => verdict !== null)).toHaveLength(4);
    const third = forward.find(({ verdict }) => verdict?.reason === 'snoozed');
    expect(third?.verdict?.rules.find(({ id }) => id === 'R5')).toMatchObject({
      outcome: 'stopped',
      saw: { elapsedMs: 0, snoozeDays: 1 },
    });
    expect(Date.parse(forward.at(-1)?.at ?? '') - Date.parse(forward[0]?.at ?? '')).toBe(dayMs);
  });
});
