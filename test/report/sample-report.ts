import type { RunReport, ScenarioResult } from '../../src/contract/result.schema.ts';

const passed: ScenarioResult = {
  id: 'scenarios/snooze/one.yaml',
  name: 'A user is asked',
  file: 'scenarios/snooze/one.yaml',
  driver: 'model',
  status: 'passed',
  durationMs: 1.25,
  steps: [
    { kind: 'signIn', line: 5, status: 'passed', checked: 1, mismatches: [], page: 'not-nudged', reason: 'snoozed' },
  ],
  unconfirmedClaims: [],
  tags: [],
  command: 'nudgelab run scenarios/snooze/one.yaml --driver model',
};

const failed: ScenarioResult = {
  ...passed,
  id: 'scenarios/snooze/two.yaml#3',
  name: 'Days & <nights>\u0007 (days 3)',
  file: 'scenarios/snooze/two.yaml',
  driver: 'http',
  status: 'failed',
  durationMs: 1_500,
  steps: [
    {
      kind: 'signIn',
      line: 5,
      status: 'passed',
      checked: 1,
      mismatches: [],
      signInScreens: ['name', 'password', 'code'],
      visitedPages: ['account-picker', 'terms-of-use'],
      page: 'prompt',
      method: 'vendorAuthenticator',
    },
    {
      kind: 'patchPolicy',
      line: 8,
      status: 'failed',
      checked: 2,
      mismatches: [
        { key: 'status', expected: 204, actual: 400 },
        {
          key: 'body',
          expected: { error: { code: 'ok', details: [{ target: 'a' }] } },
          actual: { error: { code: 'badRequest', details: [{ target: 'b', code: '1' }] }, access_token: 'tok' },
        },
      ],
      reason: 'snoozed',
      rules: [
        { id: 'C1', outcome: 'met', saw: { state: 'enabled' } },
        { id: 'S3', outcome: 'not-applicable', saw: {} },
        { id: 'R1', outcome: 'met', saw: { completed: true } },
        { id: 'R5', outcome: 'stopped', reason: 'snoozed', saw: { elapsedMs: 0, snoozeDays: 1 } },
      ],
    },
    { kind: 'skip', line: 9, status: 'not-run', checked: 0, mismatches: [] },
  ],
  unconfirmedClaims: ['R6'],
  command: 'nudgelab run scenarios/snooze/two.yaml#3 --driver http',
};

const skipped: ScenarioResult = {
  ...passed,
  driver: 'http',
  status: 'skipped',
  durationMs: 0,
  steps: [],
  message: 'The http driver does not support abandon.',
};

/** Report with one passed, one failed, and one skipped scenario. The failed one has all optional details. */
export const sampleReport: RunReport = {
  summary: { passed: 1, failed: 1, skipped: 1, durationMs: 1_502 },
  results: [passed, failed, skipped],
  coverage: {
    rules: [
      { id: 'R1', summary: 'MFA | completed', kind: 'gate', met: 3, stopped: 0, notApplicable: 1, observed: 0 },
      { id: 'R5', summary: 'The timer', kind: 'gate', met: 0, stopped: 2, notApplicable: 0, observed: 0 },
      { id: 'R10.5', summary: 'Guests', kind: 'permission', met: 1, stopped: 0, notApplicable: 0, observed: 0 },
      { id: 'R6', summary: 'Three snoozes', kind: 'lifecycle', met: 0, stopped: 0, notApplicable: 0, observed: 4 },
      { id: 'R2', summary: 'One method', kind: 'validation', met: 0, stopped: 0, notApplicable: 0, observed: 0 },
    ],
    assumptions: [
      { id: 'A1', question: 'fourth prompt', state: 'confirmed' },
      { id: 'A2', question: 'when', state: 'claimedOnly' },
      { id: 'A3', question: 'resets', state: 'uncovered' },
    ],
    outcomesCovered: 3,
    outcomesTotal: 5,
  },
};
