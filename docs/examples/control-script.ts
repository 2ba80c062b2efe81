/** Script for a running server. In another repository, import the client from 'nudgelab/client'. */
import { env, stdout } from 'node:process';
import { ControlError, controlClient } from '../../src/client/control-client.ts';

const api = controlClient({
  url: env['NUDGELAB_CONTROL_URL'] ?? 'http://localhost:4700',
  controlKey: env['NUDGELAB_CONTROL_KEY'],
});
const sandbox = 'script';

await api.createSandbox({ body: { id: sandbox, clock: '2026-01-05T09:00:00Z', users: { ada: {} } } });
await api.putSnooze({
  sandbox,
  user: 'ada',
  body: { count: 2, snoozedAtMs: Date.parse('2026-01-05T08:00:00Z') },
});
const { nudgeStatus } = await api.getUser({ sandbox, user: 'ada' });
stdout.write(
  `ada: ${nudgeStatus.state}, ${nudgeStatus.snoozes} snoozes used, next prompt at ${nudgeStatus.nextPromptAt}\n`,
);

try {
  await api.getUser({ sandbox, user: 'nobody' });
} catch (error) {
  if (!(error instanceof ControlError)) throw error;
  stdout.write(`${error.code} (${error.status})\n`);
}
await api.deleteSandbox({ sandbox });
