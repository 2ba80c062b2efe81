import { expect, test } from 'vitest';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { readAnyFile } from '../../src/scenario/rulesets/read-ruleset-file.ts';
import { serveControl } from './control-client.ts';

for (const id of ['passkey-week', 'second-factor-deadline']) {
  const { read } = readAnyFile(`rulesets/${id}.ruleset.yaml`, id);
  if (read?.base === 'own') rememberOwnRuleset(read.ruleset);
}

test('OC47: explain and sign-ins of a sandbox with an own campaign show every gate, its method and its answers', async () => {
  const given = { ruleset: 'passkey-week', users: [{ id: 'ada' }] };
  const { ask, sandboxes } = await serveControl({ sandbox: given });
  const sandbox = sandboxes.get('default');
  const { status, body } = await ask('POST ./explain', { user: 'ada' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ruleset: 'passkey-week', method: 'passkey', campaign: { state: 'disabled' } });
  expect(Object.keys(body.sentences)).toEqual(body.rules.map(({ id }: { readonly id: string }) => id));
  expect(body.rules.map(({ id }: { readonly id: string }) => id)).toContain('X.trigger');
  expect(body.sentences).toMatchObject({
    W1: 'The feature is on.',
    'X.cadence': 'It is time to prompt the user again.',
  });
  expect(sandbox.entryCount).toBe(1);
  const { id } = await sandbox.signIns.start('ada');
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  const detail = await ask(`GET ./sign-ins/${id}`);
  expect(detail.status).toBe(200);
  await sandbox.signIns.skip(id);
  const snoozed = await ask('POST ./explain', { user: 'ada' });
  expect(snoozed.body.headline).toMatch(
    /^Not prompted: the prompt is snoozed; the user is prompted again from 20\d\d-/,
  );
  const session = await ask('POST ./explain', { user: 'ada', attempt: { session: 'same' } });
  expect(session.body.reason).toBe('answered-this-session');
  expect(detail.body.verdict).toMatchObject({ ruleset: 'passkey-week', method: 'passkey', outcome: body.outcome });
});

test('OC47: users of an own campaign are filtered by its reasons, and those in force are listed in the order of the gates', async () => {
  const users = [
    { id: 'ada' },
    { id: 'eve', facts: { activePasskey: 'yes' } },
    { id: 'ida', facts: { intervention: true } },
  ];
  const { ask, sandboxes } = await serveControl({ sandbox: { ruleset: 'passkey-week', users } });
  const ruleset = await ask('GET ./ruleset');
  expect(ruleset.body.reasons).toEqual([
    'not-this-moment',
    'feature-off',
    'not-rolled-out',
    'no-passkeys-here',
    'has-passkey',
    'answered-this-session',
    'account-too-young',
    'snoozed',
    'already-shown',
    'reauthenticating',
    'password-reset',
    'client-denied',
    'one-factor',
    'intervention',
  ]);
  const found = async (reason: string) => {
    const { status, body } = await ask(`GET ./users?reason=${reason}`);
    expect(status).toBe(200);
    return body.users.map(({ id }: { readonly id: string }) => id);
  };
  expect(await found('has-passkey')).toEqual(['eve']);
  expect(await found('intervention')).toEqual(['ida']);
  expect(await found('none')).toEqual(['ada']);
  expect(await found('blocked')).toEqual([]);
  const sandbox = sandboxes.get('default');
  const { id } = await sandbox.signIns.start('ada');
  await sandbox.signIns.acceptPassword(id);
  await sandbox.signIns.completeMfa(id);
  await sandbox.signIns.skip(id);
  expect(await found('snoozed')).toEqual(['ada']);
  expect((await ask('GET ./users?reason=Not%20a%20code')).status).toBe(400);
});

test('OC9: users whose sign-in would be blocked are neither prompted nor stopped by a reason', async () => {
  const given = { ruleset: 'second-factor-deadline', users: [{ id: 'ada', methods: [] }, { id: 'eve' }] };
  const { ask } = await serveControl({ sandbox: given });
  const found = async (reason: string) => (await ask(`GET ./users?reason=${reason}`)).body.users.length;
  expect([await found('blocked'), await found('none'), await found('already-done')]).toEqual([1, 0, 1]);
});
