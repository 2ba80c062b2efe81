import { describe, expect, test } from 'vitest';
import { startEmbeddedServer } from '../../src/cli/run/embedded-server.ts';
import { failureHeadline } from '../../src/report/failure-text.ts';
import type { Driver } from '../../src/scenario/driver.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import { runSuite } from '../../src/scenario/run-suite.ts';

/** Runs a sign-in of a user and returns the messages of its mismatches, and the headline of the failure. */
async function listMessages(
  user: string,
  expected: string,
  driver: Driver = new ModelDriver(),
  tenant = 'app-enabled',
) {
  const text = `name: A claim\ngiven: { tenant: ${tenant}, users: { ada: ${user} } }\nsteps:\n  - signIn: { user: ada }\n    expect: ${expected}\n`;
  const { scenarios, problems } = loadText('one.yaml', text, new FixtureLibrary(['fixtures']));
  expect(problems).toEqual([]);
  const options = { workers: 1, bail: false, repeat: 1, coverage: true };
  const { results } = await runSuite(scenarios, [driver], options);
  const [result] = results;
  if (result === undefined) throw new Error('The suite has no result.');
  const messages = result.steps.flatMap(({ mismatches }) => mismatches.map(({ message }) => message ?? null));
  return { messages, headline: failureHeadline(result) };
}

const cases = [
  [
    'sms-user',
    '{ page: required }',
    ['Expected a required prompt. The user may skip the prompt: 0 of 3 snoozes used; 3 left.'],
  ],
  [
    'sms-user',
    '{ outcome: required, page: required }',
    ['Expected a required prompt. The user may skip the prompt: 0 of 3 snoozes used; 3 left.', null],
  ],
  [
    'out-of-snoozes',
    '{ page: prompt }',
    [
      'Expected a prompt that the user may skip. Registration is required: 3 of 3 snoozes used, so the prompt has no skip button and registration is required.',
    ],
  ],
  [
    'push-user',
    '{ page: prompt, reason: null }',
    [
      'Expected a prompt that the user may skip. Not prompted: the authenticator app is already set up for push notifications.',
      null,
    ],
  ],
  [
    'sms-user',
    '{ reason: snoozed }',
    [
      'Expected no prompt because of snoozed. The user may skip the prompt: 0 of 3 snoozes used; 3 left. R5: The user has never snoozed.',
    ],
  ],
  ['twice-snoozed', '{ snoozes: 1 }', ['2 of 3 snoozes used; 1 left.']],
] as const;

describe('failures in the words of the rules', () => {
  test.each(cases)('R6: %s, which expects %s, is explained', async (user, expected, messages) => {
    const failed = await listMessages(user, expected);
    expect(failed.messages).toEqual(messages);
    expect(failed.headline).toContain(messages[0]);
  });

  test('R6: an unlimited campaign is called unlimited', async () => {
    const { messages } = await listMessages('heavy-snoozer', '{ page: required }', new ModelDriver(), 'app-unlimited');
    expect(messages).toEqual([
      expect.stringMatching(/^Expected a required prompt\. .*Snoozes are unlimited in this campaign \(\d+ used\)\.$/),
    ]);
  });

  test('R6: the http driver explains failures as the model does', async () => {
    const server = await startEmbeddedServer();
    const driver = new HttpDriver(server);
    try {
      for (const [user, expected, messages] of cases) {
        expect((await listMessages(user, expected, driver)).messages).toEqual(messages);
      }
    } finally {
      await driver.close();
      await server.close();
    }
  });

  test('R6: other mismatches and passed steps have no sentence', async () => {
    expect((await listMessages('sms-user', '{ page: prompt }')).messages).toEqual([]);
    expect((await listMessages('sms-user', '{ page: terms-of-use }')).messages).toEqual([null]);
  });
});
