import type { JourneyOutcome } from '../contract/journey.schema.ts';
import type { Expectation, Step } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { parseInstant, toInstant } from '../core/clock.ts';
import type { EventOf, EventType, JournalEvent } from '../journal/journal-event.ts';
import type { JourneyState } from '../journal/journeys/journey-writer.ts';
import { planSandbox, type SandboxPlan } from '../sandbox/sandbox.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { mergeDifference } from './merge-patch-diff.ts';
import { applied } from './migrate-journey.ts';
import type { OpenedJourney } from './read-journey.ts';
import { foldOfJourney, toJournalEvent } from './replay-journey.ts';

/** Journey converted to a scenario for drivers. */
export interface JourneyScenario {
  readonly scenario: Scenario;
  /** Number of events by type that no driver can repeat. */
  readonly notRepeatable: Readonly<Record<string, number>>;
}

/**
 * Timeout per step in milliseconds, generous because a journey can take long in a real browser and its steps have no
 * timeout of their own.
 */
const timeoutPerStepMs = 5_000;

/**
 * Converts an opened journey to a scenario: actions of users and administrators become steps, and their results become
 * expectations. Events that no driver can repeat are counted.
 * @param file - name of the journey file
 */
export async function scenarioOfJourney(journey: OpenedJourney, file: string): Promise<JourneyScenario> {
  const fold = foldOfJourney(journey);
  const writer = new StepWriter(fold);
  for await (const { number, line } of journey.rest) {
    if (line.kind !== 'event') continue;
    const entry = toJournalEvent(line);
    writer.before(entry.event, entry.atMs, number);
    const outcome = applied(fold, entry, number);
    writer.after(entry.event, outcome);
  }
  const { line: head } = journey.head;
  const plan = createPlan(journey, writer.newUsers);
  const steps = writer.steps;
  return {
    scenario: {
      id: file,
      file,
      rows: 1,
      name: `Journey of sandbox ${head.sandbox}, entries ${head.slice.from} to ${head.slice.to}`,
      covers: [],
      tags: [],
      timeoutMs: timeoutPerStepMs * (steps.length + 1),
      plan,
      steps,
    },
    notRepeatable: writer.notRepeatable,
  };
}

/**
 * Creates the sandbox plan of a journey. Users who were added later exist from the start, because they have no effect
 * before their first event.
 */
function createPlan({ head, standing }: OpenedJourney, later: ReadonlyMap<string, unknown>): SandboxPlan {
  const users = standing.flatMap(({ line }) => (line.kind === 'user' ? [line.user] : []));
  const tenant = standing.flatMap(({ line }) => (line.kind === 'tenant' ? [line] : []))[0];
  const sandboxState = standing.flatMap(({ line }) => (line.kind === 'sandboxState' ? [line] : []))[0];
  const known = new Set(users.map(({ id }) => id));
  const added = [...later].filter(([id]) => !known.has(id)).map(([, user]) => user);
  return planSandbox({
    tenant: tenant?.tenant,
    settings: tenant?.settings,
    users: [...users, ...added],
    clock: { nowMs: parseInstant(head.line.at) ?? 0, running: false },
    seed: head.line.seed,
    ruleset: head.line.ruleset,
    ...(sandboxState === undefined ? {} : { faults: sandboxState.faults }),
  });
}

/** Event types that are part of a sign-in step, or that the explicit facts of the attempt make unnecessary. */
const impliedTypes: readonly EventType[] = [
  'password.accepted',
  'mfa.methodListOpened',
  'mfa.methodChosen',
  'code.sent',
  'push.sent',
  'push.answered',
  'mfa.completed',
  'interstitial.passed',
  'nextSignIn.set',
  'passkey.created',
  'passkey.renamed',
  'clock.set',
  'signIn.started',
];

class StepWriter {
  readonly steps: Step[] = [];
  readonly newUsers = new Map<string, unknown>();
  readonly notRepeatable: Record<string, number> = {};
  readonly #fold: JourneyState;
  readonly #opened = new Set<string>();
  readonly #stuck = new Set<string>();
  #clockMs: number;
  #tenant: JourneyState['state']['tenant'];
  #settings: JourneyState['state']['settings'];
  #atMs = 0;
  #line = 0;

  constructor(fold: JourneyState) {
    this.#fold = fold;
    this.#clockMs = fold.state.lastAtMs;
    this.#tenant = fold.state.tenant;
    this.#settings = fold.state.settings;
  }

  before(event: JournalEvent, atMs: number, line: number): void {
    this.#atMs = atMs;
    this.#line = line;
    if (event.type === 'user.saved') this.newUsers.set(event.user.id, this.newUsers.get(event.user.id) ?? event.user);
  }

  after(event: JournalEvent, outcome: JourneyOutcome): void {
    if (outcome.outcome !== undefined && 'signInId' in event) this.#signIn(event.signInId, outcome);
    if (event.type === 'password.accepted') this.#noteStuck(event.signInId);
    switch (event.type) {
      case 'prompt.nextSelected':
        return this.#answer('next', event.signInId, outcome);
      case 'prompt.skipped':
        return this.#answer('skip', event.signInId, outcome);
      case 'prompt.resumed':
        return this.#answer('reload', event.signInId, outcome);
      case 'browser.closed':
        return this.#answer('closeBrowser', event.signInId, outcome);
      case 'setup.failed':
        return this.#answer('failRegistration', event.signInId, outcome);
      case 'errorScreen.skipped':
        return this.#answer('skipError', event.signInId, outcome);
      case 'setup.completed':
        return this.#register(event, outcome);
      case 'tenant.changed':
        return this.#tenantChanged();
      case 'faults.set':
        return this.#add('setFaults', event.faults, null);
      case 'method.removed':
        return this.#add('removeMethod', { user: event.userId, method: event.method }, getNudgeStatus(outcome));
      case 'user.saved':
      case 'snooze.set':
      case 'method.added':
      case 'passkey.added':
      case 'passkey.removed':
        return this.#userChanged(event.type === 'user.saved' ? event.user.id : event.userId, outcome);
      default:
        if (!impliedTypes.includes(event.type)) this.#leaveOut(event.type);
    }
  }

  /**
   * Adds a sign-in that ends at the MFA page if its code or push notification was lost or denied: neither a driver nor
   * the user can continue it.
   */
  #noteStuck(signInId: string): void {
    const signIn = this.#fold.state.signIns.get(signInId);
    const { push, codeLost } = signIn?.factors ?? { push: null };
    const isStuck = codeLost === true || push?.lost === true || push?.answer === 'denied';
    if (signIn === undefined || !isStuck) return;
    this.#stuck.add(signInId);
    this.#add('signIn', { user: signIn.userId, as: signInId, ...signIn.patch }, { page: 'mfa' });
  }

  #signIn(signInId: string, eventOutcome: JourneyOutcome): void {
    if (this.#stuck.has(signInId)) return this.#leaveOut('mfa.completed');
    const evaluated = this.#fold.state.signIns.get(signInId)?.evaluation ?? null;
    if (evaluated === null) return this.#leaveOut('signIn.started');
    const { nowMs: _clockSays, ...attempt } = evaluated.facts.attempt;
    this.#opened.add(signInId);
    const { outcome, reason } = eventOutcome;
    const expected = { ...(outcome === undefined ? {} : { outcome }), ...(reason === undefined ? {} : { reason }) };
    this.#add(
      'signIn',
      { user: evaluated.facts.user.id, as: signInId, ...attempt },
      { ...expected, ...getNudgeStatus(eventOutcome) },
    );
  }

  #answer(kind: StepKind, signInId: string, outcome: JourneyOutcome): void {
    if (!this.#opened.has(signInId)) return this.#leaveOut(kind);
    const refused = kind === 'skip' && (outcome.screen === 'required' || outcome.screen === 'expired');
    const counted = kind === 'closeBrowser' ? {} : getNudgeStatus(outcome);
    this.#add(kind, { prompt: signInId }, { ...counted, ...(refused ? { status: 409 } : {}) });
  }

  #register({ signInId, passkey }: EventOf<'setup.completed'>, outcome: JourneyOutcome): void {
    if (!this.#opened.has(signInId)) return this.#leaveOut('register');
    const made = passkey === null ? {} : { passkey: { type: passkey.type, deviceId: passkey.deviceId } };
    this.#add('register', { prompt: signInId, ...made }, getNudgeStatus(outcome));
  }

  #tenantChanged(): void {
    const { tenant, settings } = this.#fold.state;
    const facts = mergeDifference({ ...this.#tenant }, { ...tenant });
    const changed = mergeDifference({ ...this.#settings }, { ...settings });
    this.#tenant = tenant;
    this.#settings = settings;
    if (Object.keys(facts).length > 0) this.#add('setTenant', facts, null);
    if (Object.keys(changed).length > 0) this.#add('setTenant', { settings: changed }, null);
  }

  #userChanged(userId: string, outcome: JourneyOutcome): void {
    const user = this.#fold.state.users.get(userId);
    if (user === undefined) return this.#leaveOut('user');
    const { id, ...facts } = user.facts;
    this.#add('setUser', { user: id, ...facts }, getNudgeStatus(outcome));
  }

  #add(kind: StepKind, say: unknown, expect: Expectation | null): void {
    if (this.#atMs !== this.#clockMs) {
      this.#clockMs = this.#atMs;
      this.#push('setClock', toInstant(this.#atMs), null);
    }
    this.#push(kind, say, expect === null || Object.keys(expect).length === 0 ? null : expect);
  }

  #push(kind: StepKind, say: unknown, expect: Expectation | null): void {
    this.steps.push({ kind, say, expect, index: this.steps.length, line: this.#line } as unknown as Step);
  }

  #leaveOut(type: string): void {
    this.notRepeatable[type] = (this.notRepeatable[type] ?? 0) + 1;
  }
}

function getNudgeStatus({ nudgeStatus }: JourneyOutcome): Expectation {
  return nudgeStatus === undefined || nudgeStatus === null
    ? {}
    : { snoozes: nudgeStatus.count, state: nudgeStatus.state };
}
