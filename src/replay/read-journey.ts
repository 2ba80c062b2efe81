import {
  type JourneyHead,
  type JourneyLine,
  journeyFormat,
  journeyLineSchema,
  journeyVersion,
} from '../contract/journey.schema.ts';
import { listProblems } from '../contract/parse.ts';
import { computeDigest } from '../core/digest.ts';
import { NudgeLabError } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { isJourneyEventType } from '../journal/journeys/journey-events.ts';
import type { StateLine } from '../journal/journeys/journey-state.ts';
import { damaged } from './journey-damage.ts';
import { migrateJourney } from './migrate-journey.ts';
import { textLines } from './text-lines.ts';

/** Line of a journey: its number in the file, its text without the digest, and its content. */
export interface ReadLine<L = JourneyLine> {
  readonly number: number;
  readonly text: string;
  readonly line: L;
}

/** Opened journey: the initial state is loaded, and the events have not been read yet. */
export interface OpenedJourney {
  /** Version of the file; the lines are always in the current version. */
  readonly version: number;
  readonly head: ReadLine<JourneyHead>;
  readonly standing: readonly ReadLine<StateLine>[];
  /** Events followed by the end line, whose presence is verified. */
  readonly rest: AsyncGenerator<ReadLine, void>;
}

/**
 * Opens a journey from its bytes in chunks, and migrates an older version while reading.
 * @throws `journey-unrecognized` for another type of file, `journey-version` for a later version, and `journey-damaged`
 * for a truncated or changed file, at the latest at its last line
 */
export async function openJourney(chunks: AsyncIterable<Uint8Array>): Promise<OpenedJourney> {
  const source = textLines(chunks);
  const first = (await source.next()).value ?? '';
  const version = parseVersion(first);
  const lines = version === journeyVersion ? after(first, source) : migrateJourney(first, source);
  const read = readLines(lines);
  const head = (await read.next()).value;
  if (head?.line.kind !== 'journey') throw damaged(1, 'the first line is missing');
  const standing: ReadLine<StateLine>[] = [];
  for (;;) {
    const next = (await read.next()).value;
    if (next === undefined) throw cutShort(standing.length + 1);
    if (next.line.kind === 'event' || next.line.kind === 'end') {
      if (!standing.some(({ line }) => line.kind === 'tenant')) throw damaged(2, 'the line with the tenant is missing');
      return { version, head: head as ReadLine<JourneyHead>, standing, rest: untilEnd(next, read) };
    }
    if (next.line.kind === 'journey') throw damaged(next.number, 'the first line of a journey is repeated');
    standing.push(next as ReadLine<StateLine>);
  }
}

async function* after(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}

/** Returns the version of a journey. Throws `journey-unrecognized` and `journey-version`. */
function parseVersion(first: string): number {
  const head = parseJson(first);
  if (!isPlainObject(head) || head['format'] !== journeyFormat) {
    const message = `The first line is not that of a journey; it must contain "format":"${journeyFormat}".`;
    throw new NudgeLabError('journey-unrecognized', { message });
  }
  const version = head['version'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0) {
    throw new NudgeLabError('journey-unrecognized', { message: 'The first line does not contain the format version.' });
  }
  if (version > journeyVersion) {
    throw new NudgeLabError('journey-version', {
      message: `The journey has version ${version}; this program supports versions 0 to ${journeyVersion}.`,
    });
  }
  return version;
}

async function* readLines(texts: AsyncGenerator<string, void>): AsyncGenerator<ReadLine, void> {
  let digest = '';
  let number = 0;
  for await (const text of texts) {
    number += 1;
    const { bare, lineDigest } = unsealed(text, number);
    digest = computeDigest(digest + bare);
    if (lineDigest !== digest)
      throw damaged(number, 'the digest does not match the lines so far; the file was changed');
    yield { number, text: bare, line: parsedLine(text, number) };
  }
}

const sealed = /^(.*),"digest":"([0-9a-f]{16})"\}$/s;

function unsealed(text: string, number: number): { readonly bare: string; readonly lineDigest: string } {
  const [, body, lineDigest] = sealed.exec(text) ?? [];
  if (body === undefined || lineDigest === undefined) throw damaged(number, 'the line does not end with its digest');
  return { bare: `${body}}`, lineDigest };
}

function parsedLine(text: string, number: number): JourneyLine {
  const value = parseJson(text);
  const parsed = journeyLineSchema.safeParse(value);
  if (!parsed.success) {
    const [problem] = listProblems(journeyLineSchema, parsed.error, value, `line ${number}`);
    throw damaged(
      number,
      problem === undefined ? 'the line is not a journey line' : `${problem.location}: ${problem.message}`,
    );
  }
  const line = parsed.data;
  if (line.kind === 'event' && !isJourneyEventType(line.event.type)) {
    throw damaged(number, `"${line.event.type}" is not a journey event type`);
  }
  return line;
}

async function* untilEnd(first: ReadLine, rest: AsyncGenerator<ReadLine, void>): AsyncGenerator<ReadLine, void> {
  let last = first;
  yield first;
  for await (const next of rest) {
    if (last.line.kind === 'end') throw damaged(next.number, 'no line may follow the end line');
    if (next.line.kind !== 'event' && next.line.kind !== 'end')
      throw damaged(next.number, 'only events and the end line may follow an event');
    last = next;
    yield next;
  }
  if (last.line.kind !== 'end') throw cutShort(last.number);
}

function cutShort(number: number): NudgeLabError {
  return damaged(number, 'the file is truncated: the end line of the journey is missing');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
