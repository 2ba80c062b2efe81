import type { ConformanceReport, RulesetFit } from '../../src/contract/conformance-report.ts';

const misfit = {
  user: 'c.lind & <co>',
  line: 9,
  at: '2026-03-03T08:55:00.000Z',
  until: '2026-03-03T08:55:59.999Z',
  event: ['prompt-skippable'],
  rule: 'R5',
  code: 'prompt-suppressed',
  sentence: 'prompt-skippable: a rule suppresses the prompt.',
  possible: ['snoozed, 1 of 3 snoozes used'],
  allowed: ['not-prompted'],
  nearest: [{ edit: 'another-event', kind: 'not-prompted' }, { edit: 'dropped' }],
} as const;

const bad: RulesetFit = {
  ruleset: 'seed',
  fits: false,
  users: 3,
  fittingUsers: 2,
  share: 2 / 3,
  misfits: 1,
  clusters: [
    { rule: 'R5', code: 'prompt-suppressed', pattern: 'a prompt while snoozed', events: 1, users: 1, example: misfit },
  ],
  examples: [misfit],
  unstated: [],
};

const good: RulesetFit = {
  ...bad,
  ruleset: 'own-team',
  fits: true,
  fittingUsers: 3,
  share: 1,
  misfits: 0,
  clusters: [],
  examples: [],
  unstated: ['attempt.country', 'user.facts.plan'],
};

/** Result of checking a log against two rulesets. */
export const sampleConformance: ConformanceReport = {
  events: 12,
  absentColumns: [],
  unmapped: { lunch: 2 },
  ignored: 1,
  rulesets: [good, bad],
};
