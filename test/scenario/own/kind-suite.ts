import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { methodKinds } from '../../../machines/own/own-ruleset.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';
import { nonEmpty } from '../../non-empty.ts';

function createRuleset(kind: string): string {
  return `ruleset: kind-${kind}
version: 1.0.0
format: 1
title: A prompt of the kind ${kind}
methods: { it: { label: your ${kind}, kind: ${kind} } }
facts: { user: { doneAt: { type: instant, default: null } } }
gates: []
done: { fact: user.facts.doneAt, present: true }
completion: { set: { user.facts.doneAt: now } }
answers: { later: { label: Later, effect: snooze }, never: { label: Never, effect: never } }
cadence: { kind: fixed, every: 2d }
limit: { of: 2, counts: snoozes, then: required, after: now }
`;
}

function createScenario(kind: string): string {
  return `name: A prompt of the kind ${kind}
ruleset: ./kind-${kind}.ruleset.yaml
given: { users: { ada: {}, ben: {} } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt, answers: [later, never], snoozesLeft: 2 }
  - next: {}
    expect: { page: setup }
  - failRegistration: {}
    expect: { page: error-screen }
  - next: {}
  - register: {}
    expect: { page: signed-in, state: registered }
  - signIn: { user: ada, session: same }
    expect: { page: not-nudged, reason: already-done }
  - signIn: { user: ben }
  - skip: { answer: later }
    expect: { page: signed-in, snoozes: 1, nextPromptAt: '2026-01-07T09:00:00Z' }
  - explain: { user: ben }
    expect: { reason: snoozed }
  - advance: { days: 2 }
  - signIn: { user: ben }
  - skip: {}
    expect: { snoozes: 2, snoozesLeft: 0 }
  - signIn: { user: ben }
    expect: { page: required, answers: [], outcome: required }
  - skip: { answer: never }
    expect: { page: required, status: 409 }
  - register: {}
    expect: { page: signed-in }
`;
}

/** Writes a ruleset and a scenario for each kind of method to a temporary folder. Returns the scenarios. */
export function loadKindScenarios(): readonly Scenario[] {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-kinds-'));
  for (const kind of nonEmpty(methodKinds)) {
    writeFileSync(join(folder, `kind-${kind}.ruleset.yaml`), createRuleset(kind));
    writeFileSync(join(folder, `kind-${kind}.yaml`), createScenario(kind));
  }
  return load([folder]);
}

/** Loads a scenario of a ruleset that changes a built-in one and blocks guests. */
export function loadBlockedScenario(): readonly Scenario[] {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-blocked-'));
  const head = 'ruleset: no-guests\nversion: 1.0.0\nformat: 1\ntitle: No guests\nbase: seed\n';
  writeFileSync(
    join(folder, 'no-guests.ruleset.yaml'),
    `${head}requirement: { blocked: { fact: user.type, is: guest } }\n`,
  );
  writeFileSync(
    join(folder, 'no-guests.yaml'),
    `name: A guest is blocked
ruleset: ./no-guests.ruleset.yaml
given: { tenant: app-enabled, users: { gil: { type: guest, methods: [sms] } } }
steps:
  - signIn: { user: gil }
    expect: { page: blocked, outcome: blocked }
`,
  );
  return load([folder]);
}

/** Loads the shipped examples of own campaigns. */
export function loadExampleScenarios(): readonly Scenario[] {
  return load(['rulesets']);
}

function load(paths: readonly string[]): readonly Scenario[] {
  const { scenarios, problems } = loadScenarios(
    scenarioFiles(paths, process.cwd()),
    new FixtureLibrary(['fixtures']),
    process.cwd(),
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return scenarios;
}
