import type { TenantFacts } from '../../../machines/vocabulary.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import type { JourneyEvent, JourneyLine } from '../../contract/journey.schema.ts';
import { parseInstant } from '../../core/clock.ts';
import type { OpenedJourney } from '../../replay/read-journey.ts';
import { type LogEntry, noFacts } from '../model/log-event.ts';
import { PolicyTimeline } from '../model/policy-timeline.ts';
import { plainVariant } from '../model/verdict-table.ts';

/** Journey as a log: the timeline of its policy, and its entries in batches. */
export interface JourneyLog {
  readonly ruleset: string;
  readonly timeline: PolicyTimeline;
  readonly batches: AsyncIterable<readonly LogEntry[]>;
}

/** Kinds of the events of a prompt. An event of a prompt that has ended has no effect (A27, A40, A43). */
const promptKinds: Readonly<Record<string, readonly LogEventKind[]>> = {
  'prompt.nextSelected': ['next-selected', 'skip-ignored'],
  'prompt.skipped': ['skipped', 'skip-rejected', 'skip-ignored'],
  'prompt.resumed': ['resumed', 'skip-ignored'],
  'browser.closed': ['closed', 'skip-ignored'],
  'setup.completed': ['registered', 'skip-ignored'],
  'setup.failed': ['setup-failed', 'skip-ignored'],
  'errorScreen.skipped': ['error-skipped', 'skip-ignored'],
};

/** Events after which a user is registered, or no longer, according to the state that the journey states. */
const methodEvents: ReadonlySet<string> = new Set([
  'method.added',
  'passkey.added',
  'method.removed',
  'passkey.removed',
]);

/** Reads a journey as a log. Its prompts, counts and states are those that the recording sandbox observed. */
export function readJourneyLog(journey: OpenedJourney): JourneyLog {
  const tenant = journey.standing.find(({ line }) => line.kind === 'tenant')?.line as Extract<
    JourneyLine,
    { kind: 'tenant' }
  >;
  const timeline = new PolicyTimeline(tenant.tenant as TenantFacts, true, true);
  return { ruleset: journey.head.line.ruleset, timeline, batches: batches(journey) };
}

async function* batches({ standing, rest }: OpenedJourney): AsyncGenerator<readonly LogEntry[], void> {
  const known = new Set<string>();
  yield standing.flatMap(({ line }): readonly LogEntry[] => {
    if (line.kind !== 'user') return [];
    known.add(line.user.id);
    return [toState(line)];
  });
  let latestMs = Number.NEGATIVE_INFINITY;
  for await (const { line } of rest) {
    if (line.kind !== 'event') continue;
    const atMs = parseInstant(line.at) ?? 0;
    const isBack = atMs < latestMs;
    if (isBack) yield [{ type: 'clock', lo: latestMs }];
    latestMs = atMs;
    yield toEntries(line, known);
  }
}

function toState({ user, lifecycle }: Pick<Extract<JourneyLine, { kind: 'user' }>, 'user' | 'lifecycle'>): LogEntry {
  return {
    type: 'state',
    user: user.id,
    state: {
      ...user.snooze,
      registered: lifecycle?.state === 'registered',
      required: lifecycle?.state === 'registrationRequired',
      prompts: lifecycle?.openPrompts ?? [],
    },
  };
}

function toEntries({ event: written, at, step, outcome }: JourneyEvent, known: Set<string>): readonly LogEntry[] {
  const event = written as { readonly type: string } & Readonly<Record<string, unknown>>;
  const atMs = parseInstant(at) ?? 0;
  const user = outcome.user ?? null;
  const signInId = typeof event['signInId'] === 'string' ? event['signInId'] : null;
  const count = outcome.nudgeStatus?.count ?? null;
  const create = (
    kinds: readonly LogEventKind[],
    sets: { count: number; snoozedAtMs: number | null } | null = null,
  ): readonly LogEntry[] =>
    user === null
      ? []
      : [
          {
            type: 'user',
            user,
            line: step,
            lo: atMs,
            hi: atMs,
            kinds,
            prompt: signInId,
            facts: { ...noFacts, count },
            variant: plainVariant,
            sets,
          },
        ];
  if (event.type === 'tenant.changed') {
    return [
      {
        type: 'policy',
        lo: atMs,
        hi: atMs,
        change: (tenant) => ({ ...tenant, ...(event['facts'] as Partial<TenantFacts>) }),
      },
    ];
  }
  if (event.type === 'user.removed' && user !== null) {
    known.delete(user);
    return [{ type: 'removed', user, lo: atMs }];
  }
  if (event.type === 'user.saved' && user !== null) return saved(user, outcome.nudgeStatus ?? null, known);
  if (event.type === 'snooze.set') {
    return create(['reset'], { count: event['count'] as number, snoozedAtMs: event['snoozedAtMs'] as number | null });
  }
  const status = outcome.nudgeStatus ?? null;
  if (methodEvents.has(event.type)) return user === null || status === null ? [] : [{ type: 'changed', user, status }];
  if (event.type === 'pendingClose.settled') return create(['signed-in']);
  const kinds = promptKinds[event.type];
  if (kinds !== undefined) return create(kinds);
  // The start of a sign-in settles what was closed before (A41), and its evaluation can follow later.
  const begins = event.type === 'signIn.started' ? create(['signed-in']) : [];
  const shown = signInKinds(outcome);
  return shown === null ? begins : [...begins.map(withoutCount), ...create(shown)];
}

function withoutCount(entry: LogEntry): LogEntry {
  return entry.type === 'user' ? { ...entry, facts: noFacts } : entry;
}

function signInKinds({ outcome, reason }: JourneyEvent['outcome']): readonly LogEventKind[] | null {
  if (outcome === undefined) return null;
  if (outcome === 'skippable') return ['prompt-skippable'];
  if (outcome === 'required') return ['prompt-required'];
  return reason === 'snoozed' ? ['not-prompted'] : ['signed-in'];
}

/** A new user begins as the journey states it; a changed one may have been changed in any way. */
function saved(
  user: string,
  status: JourneyEvent['outcome']['nudgeStatus'] | null,
  known: Set<string>,
): readonly LogEntry[] {
  if (status === null || status === undefined) return [];
  if (known.has(user)) return [{ type: 'changed', user, status }];
  known.add(user);
  const { count, snoozedAtMs } = status;
  return [
    {
      type: 'state',
      user,
      state: { count, snoozedAtMs, registered: status.state === 'registered', required: false, prompts: [] },
    },
  ];
}
