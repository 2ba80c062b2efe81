import { z } from 'zod';
import { allOutcomes } from '../../machines/vocabulary.ts';
import { journeyFormat } from '../contract/journey.schema.ts';
import { listProblems } from '../contract/parse.ts';
import { withoutCredentials } from '../contract/sandbox.schema.ts';
import { reasonSchema } from '../contract/verdict.schema.ts';
import { parseInstant, toInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { JournalEvent } from '../journal/journal-event.ts';
import { isJourneyEventType, isPartOfJourney, withoutSecrets } from '../journal/journeys/journey-events.ts';
import {
  type BareLine,
  createJourneyHead,
  createStateFromLines,
  listStateLines,
  type StateLine,
} from '../journal/journeys/journey-state.ts';
import { JourneySeal, JourneyState, stateDigest } from '../journal/journeys/journey-writer.ts';
import { planSandbox } from '../sandbox/sandbox.ts';
import { damaged } from './journey-damage.ts';

/**
 * Schema of version 0. The first line had the tenant, the users and the number of events. One line per event with its
 * time, and with outcome and reason if the rules were evaluated. There were no digests and no end line, and the first
 * event was that of the journal.
 */
const headSchema = z.strictObject({
  format: z.literal(journeyFormat),
  version: z.literal(0),
  sandbox: z.string().default('default'),
  ruleset: z.string().default('seed'),
  seed: z.int().min(0).default(1),
  clock: z.string().refine((text) => parseInstant(text) !== null, { message: 'must be an ISO 8601 instant' }),
  tenant: z.unknown(),
  users: z.array(z.unknown()),
  inputs: z.int().min(0),
});

const inputSchema = z.strictObject({
  atMs: z.int(),
  input: z.looseObject({ type: z.string() }),
  outcome: z.enum(allOutcomes).optional(),
  reason: reasonSchema.nullable().optional(),
});

/**
 * Converts the lines of a version 0 journey to the current version. Recorded verdicts are unchanged, so a replay finds
 * every verdict that differs now.
 * @throws `journey-damaged` if a line is invalid
 */
export async function* migrateJourney(first: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  const old = parsed(headSchema, first, 1);
  const nowMs = parseInstant(old.clock) ?? 0;
  const { tenant, users, seed, ruleset } = old;
  const plan = planSandbox({ tenant, users, seed, ruleset, clock: { nowMs, running: false } });
  const clock = { running: false, nowMs } as const;
  const slice = { from: 2, to: old.inputs + 1, user: null };
  const bareHead = {
    kind: 'journey',
    format: journeyFormat,
    version: 1,
    sandbox: old.sandbox,
    ruleset: plan.ruleset,
    seed,
    at: toInstant(nowMs),
    clock,
    slice,
  } as const;
  const standing = [
    { kind: 'tenant', tenant: plan.tenant, settings: plan.settings },
    ...plan.users.map((user) => ({ kind: 'user', user: withoutCredentials(user) })),
  ] as unknown as readonly StateLine[];
  const state = createStateFromLines(bareHead, standing);
  const seal = new JourneySeal();
  yield seal.line(createJourneyHead(state, old.sandbox, slice, nowMs));
  for (const line of listStateLines(state, null)) yield seal.line(line);
  const fold = new JourneyState(state);
  const omitted: Record<string, number> = {};
  let count = 0;
  for await (const text of rest) {
    if (text.trim() === '') continue;
    count += 1;
    const { atMs, input: given, ...otherFields } = parsed(inputSchema, text, count + 1);
    const input = given as unknown as JournalEvent;
    if (!isJourneyEventType(input.type)) throw damaged(count + 1, `"${input.type}" is not a journey event type`);
    if (!isPartOfJourney(input)) continue;
    const kept = withoutSecrets(input);
    const outcome = { ...applied(fold, { atMs, event: kept }, count + 1), ...otherFields };
    const line = { kind: 'event', step: fold.step, place: count + 1, at: toInstant(atMs), event: kept, outcome };
    yield seal.line(line as unknown as BareLine);
  }
  if (count !== old.inputs)
    throw damaged(count + 1, `the header announces ${old.inputs} events, but the file has ${count}`);
  yield seal.line({ kind: 'end', steps: fold.step, omitted, otherUsersEvents: 0, state: stateDigest(state, null) });
}

/**
 * Applies an event to the journey state, and reports an event that cannot be applied as a fault of its line. Throws
 * `journey-damaged`.
 */
export function applied(
  fold: JourneyState,
  entry: Parameters<JourneyState['apply']>[0],
  number: number,
): ReturnType<JourneyState['apply']> {
  try {
    return fold.apply(entry);
  } catch (cause) {
    if (cause instanceof NudgeLabError && cause.code === 'internal-error') throw cause;
    const message = `the event cannot be applied: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new NudgeLabError('journey-damaged', { problems: [{ location: `line ${number}`, message }], cause });
  }
}

function parsed<S extends z.ZodType>(schema: S, text: string, number: number): z.output<S> {
  const value = parseJson(text);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [problem] = listProblems(schema, result.error, value, `line ${number}`);
  throw damaged(number, problem === undefined ? 'the line is not valid' : `${problem.location}: ${problem.message}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
