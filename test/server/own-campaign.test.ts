import { expect, test } from 'vitest';
import { rememberOwnRuleset } from '../../src/journal/ruleset-registry.ts';
import { readAnyFile } from '../../src/scenario/rulesets/read-ruleset-file.ts';
import { serveControl } from './control-client.ts';

const { read } = readAnyFile('rulesets/passkey-week.ruleset.yaml', 'passkey-week');
if (read?.base === 'own') rememberOwnRuleset(read.ruleset);

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
