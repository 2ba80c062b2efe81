/** File of a first suite. */
export interface SuiteFile {
  /** Path relative to the suite folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const config = `import type { NudgeLabConfig } from 'nudgelab';

// Command-line options override these settings. Paths are relative to this file.
export default {
  scenarios: 'scenarios',
  fixtures: 'fixtures',
  // URL of a running server; without it, the http driver uses an embedded server.
  // baseUrl: 'http://localhost:4700',
  reports: { dir: 'nudgelab-report', formats: ['json', 'junit', 'coverage'] },
  // Fields to redact in reports, in addition to passwords, tokens, cookies and codes.
  redaction: { keys: [] },
  // Custom drivers: drivers: { staging: { module: './staging.driver.ts' } }
} satisfies NudgeLabConfig;
`;

const tenant = `# An enabled campaign for the authenticator app: all users, a snooze duration of one day, three snoozes.
campaign:
  state: enabled
  snoozeDurationInDays: 1
  enforceRegistrationAfterAllowedSnoozes: true
  includeTargets:
    - { targetType: group, id: all_users, targetedAuthenticationMethod: vendorAuthenticator }
`;

const user = `# The only second factor is a text message.
methods: [sms]
`;

const scenario = `# yaml-language-server: $schema=../scenario.schema.json
# R5, R6: a skip snoozes for a day and uses one of three snoozes.
name: A skipped prompt is snoozed for a day
covers: [R5, R6]
given:
  tenant: my-tenant
  users: { ada: text-message-user }
steps:
  - signIn: { user: ada, os: windows, browser: chrome }
    expect: { page: prompt, outcome: skippable, snoozesLeft: 3 }
  - skip: {}
    expect: { page: signed-in, snoozes: 1, snoozesLeft: 2, state: snoozed }
  - signIn: { user: ada }
    expect: { page: not-nudged, reason: snoozed }
  - advance: { days: 1 }
  - signIn: { user: ada }
    expect: { page: prompt, snoozesLeft: 2 }
`;

/** Lists the files of a first suite. `scenarioSchema` is the schema text that editors use to complete scenarios. */
export function suiteFiles(scenarioSchema: string): readonly SuiteFile[] {
  return [
    { path: 'nudgelab.config.ts', text: config },
    { path: 'scenarios/first-prompt.yaml', text: scenario },
    { path: 'fixtures/tenants/my-tenant.yaml', text: tenant },
    { path: 'fixtures/users/text-message-user.yaml', text: user },
    { path: 'scenario.schema.json', text: scenarioSchema },
  ];
}
