import { beforeAll, describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/journal/journal-event.ts';
import { exportJourney, type JourneySlice } from '../../src/journal/journeys/export-journey.ts';
import { isJourneyEventType, isPartOfJourney, withoutSecrets } from '../../src/journal/journeys/journey-events.ts';
import { createStateFromLines } from '../../src/journal/journeys/journey-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { appCampaign, signIn, startMs } from './signing-in.ts';

const store = new MemoryStore();
let sandbox: Sandbox;
let journal: readonly JournalEntry[];

/**
 * Records a journal: Ada has an open prompt, Ben is at the password page, and Cleo has a prepared sign-in. Then the
 * clock advances, a token is revoked, and Dora is added.
 */
beforeAll(async () => {
  const plan = planSandbox({
    tenant: appCampaign,
    users: [{ id: 'ada' }, { id: 'ben', snooze: { count: 1, snoozedAtMs: startMs } }, { id: 'cleo' }],
    clock: { nowMs: startMs, running: false },
    seed: 5,
  });
  sandbox = await Sandbox.create('default', plan, store);
  await signIn(sandbox, 'ada');
  await sandbox.signIns.start('ben');
  await sandbox.directory.setNextSignIn('cleo', { os: 'linux' });
  await sandbox.clock.advance({ minutes: 1 });
  await sandbox.documents.addSeries(1, 1, 1);
  await sandbox.directory.putUser('dora', { methods: ['voice'] });
  await sandbox.directory.putUser('cleo', { methods: ['voice'] });
  journal = await sandbox.journal({ after: 0, limit: 100 });
});

interface Line {
  readonly kind: string;
  readonly [key: string]: unknown;
}

async function exportLines(slice: JourneySlice, sandboxId = 'default'): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of await exportJourney({ store, sandboxId, digest: '' }, slice)) lines.push(JSON.parse(line));
  return lines;
}

const places = (lines: readonly Line[]) => lines.filter(({ kind }) => kind === 'event').map(({ place }) => place);
const of = (lines: readonly Line[], kind: string) => lines.filter((line) => line.kind === kind);
const getPlace = (type: string) => journal.find(({ event }) => event.type === type)?.seq ?? expect.fail(type);

describe('part of a journal as a journey', () => {
  it('a journey is the whole journal by default, without unrelated events, which are counted', async () => {
    const lines = await exportLines({});
    const document = getPlace('document.syntheticAdded');
    expect(places(lines)).toEqual(journal.map(({ seq }) => seq).filter((seq) => seq > 1 && seq !== document));
    expect(lines[0]).toMatchObject({ kind: 'journey', seed: 5, slice: { from: 2, to: journal.length, user: null } });
    expect(lines.at(-1)).toMatchObject({ kind: 'end', omitted: { 'document.syntheticAdded': 1 }, otherUsersEvents: 0 });
    expect(of(lines, 'user').map(({ user }) => (user as { id: string }).id)).toEqual(['ada', 'ben', 'cleo']);
    expect(of(lines, 'sandboxState')).toEqual([]);
  });

  it('a journey from a later entry starts with the open prompts, unfinished sign-ins and prepared sign-ins', async () => {
    const from = getPlace('clock.set');
    const lines = await exportLines({ from });
    expect(lines[0]).toMatchObject({ at: '2026-01-05T09:00:00.000Z', slice: { from, to: journal.length } });
    expect(of(lines, 'sandboxState')).toMatchObject([
      { faults: [], acceptedTerms: [], nextSignIns: { cleo: { os: 'linux' } } },
    ]);
    expect(of(lines, 'signIn').map(({ userId, screen }) => [userId, screen])).toEqual([
      ['ada', 'prompt'],
      ['ben', 'password'],
    ]);
    const [ada, ben, cleo] = of(lines, 'user');
    expect(ada).toMatchObject({
      lifecycle: { state: 'prompted', registered: null, openPrompts: [{ shownAtMs: startMs, required: false }] },
    });
    expect([ben, cleo].map((user) => user?.['lifecycle'])).toEqual([undefined, undefined]);
    expect(JSON.stringify(lines.filter(({ kind }) => kind !== 'event'))).not.toMatch(/"(password|code)":/);
    const begun = createStateFromLines(
      lines[0] as never,
      lines.slice(1, -1).filter(({ kind }) => kind !== 'event') as never,
    );
    expect(begun.promptEnds.size).toBe(1);
    expect([...begun.promptEnds.values()]).toEqual([{ userId: 'ada', endsAtMs: startMs + 900_000 }]);
  });

  it('a journey of one user contains that user and general events, and counts the others', async () => {
    const from = getPlace('clock.set');
    const [all, alone] = [await exportLines({ from }), await exportLines({ from, user: 'cleo' })];
    expect(of(alone, 'user').map(({ user }) => (user as { id: string }).id)).toEqual(['cleo']);
    expect(of(alone, 'signIn')).toEqual([]);
    expect(of(alone, 'sandboxState')).toMatchObject([{ nextSignIns: { cleo: { os: 'linux' } } }]);
    expect(of(await exportLines({ from, user: 'ben' }), 'sandboxState')).toEqual([]);
    expect(places(all).length - places(alone).length).toBe(1);
    expect(alone.at(-1)).toMatchObject({ otherUsersEvents: 1 });
    expect(alone[0]).toMatchObject({ slice: { user: 'cleo' } });
  });

  it('a journey ends at the last entry of its range, and an empty range has no events', async () => {
    const to = getPlace('clock.set');
    expect(places(await exportLines({ from: to, to }))).toEqual([to]);
    expect(places(await exportLines({ from: to + 1, to }))).toEqual([]);
    expect(places(await exportLines({ from: 1, to: 3 }))).toEqual([2, 3]);
  });

  it('bad-request: a range outside the journal is rejected', async () => {
    const last = journal.length;
    for (const slice of [{ to: last + 1 }, { from: last + 2 }, { from: 0 }, { from: 1, to: 0 }, { from: 5, to: 3 }]) {
      await expect(exportLines(slice)).rejects.toMatchObject({ code: 'bad-request', problems: [{ location: 'from' }] });
    }
  });

  it('sandbox-not-found, user-not-found: an unknown sandbox and an unknown user are rejected', async () => {
    await expect(exportLines({}, 'other')).rejects.toMatchObject({ code: 'sandbox-not-found' });
    const to = 3;
    await expect(exportLines({ from: to + 1, to, user: 'eve' })).rejects.toMatchObject({ code: 'user-not-found' });
    expect(of(await exportLines({ from: to + 1, to, user: 'ben' }), 'user')).toHaveLength(1);
    // A user may be added in the course of a journey.
    expect(places(await exportLines({ user: 'dora' }))).toContain(getPlace('user.saved'));
  });

  it('a journey omits the entries that a restore abandoned', async () => {
    const own = new MemoryStore();
    const restored: JournalEntry = {
      seq: 5,
      atMs: startMs,
      event: { type: 'state.restored', toSeq: 2, clock: { running: false, nowMs: startMs } },
    };
    for (const entry of [...journal.slice(0, 4), restored]) own.append('default', entry);
    const lines: Line[] = [];
    for await (const line of await exportJourney({ store: own, sandboxId: 'default', digest: '' }))
      lines.push(JSON.parse(line));
    expect(places(lines)).toEqual([2, 5]);
  });

  it('a state without a tenant is rejected as the start of a journey', () => {
    expect(() => createStateFromLines({} as never, [])).toThrow(TypeError);
  });
});

describe('events of a journey', () => {
  it.for([
    ['signIn.started', true],
    ['state.restored', true],
    ['passkey.added', true],
    ['sandbox.created', false],
    ['token.revoked', false],
    ['lookup.charged', false],
    ['document.added', false],
  ] as const)('%s is an event type of journeys: %s', ([type, isPart]) => {
    expect([isPartOfJourney({ type }), isJourneyEventType(type)]).toEqual([isPart, isPart]);
  });

  it.for(['toString', '', 'prompt'])('"%s" is not an event type of journeys', (type) => {
    expect(isJourneyEventType(type)).toBe(false);
  });

  it('events contain no password, no code and no text that a test key is derived from', () => {
    const credential = { id: 'a', seededBy: 'secret' };
    const user = { id: 'ada', password: 'own', code: '999999' };
    const clean = (event: object) => withoutSecrets(event as never);
    expect(clean({ type: 'user.saved', user })).toEqual({
      type: 'user.saved',
      user: { id: 'ada', password: 'correct horse', code: '123456' },
    });
    for (const type of ['passkey.added', 'passkey.created', 'setup.completed']) {
      expect(clean({ type, credential, passkey: { type: 'x' } })).toEqual({
        type,
        credential: { id: 'a' },
        passkey: { type: 'x' },
      });
    }
    expect(clean({ type: 'setup.completed', passkey: null })).toEqual({ type: 'setup.completed', passkey: null });
    expect(clean({ type: 'user.removed', userId: 'ada' })).toEqual({ type: 'user.removed', userId: 'ada' });
  });
});
