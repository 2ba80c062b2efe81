import { createReadStream } from 'node:fs';
import { objectBytesMax } from './json-objects.ts';

const chunkBytes = 1_048_576;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** Change of the nesting level for each byte outside of text. */
const levelsOf = new Int8Array(256);
for (const bracket of [openBrace, openBracket]) levelsOf[bracket] = 1;
for (const bracket of [closeBrace, closeBracket]) levelsOf[bracket] = -1;

const lineFeed = 0x0a;

/** Prime and offset of the 32-bit FNV-1a hash, by which known names are recognized without decoding. */
const hashPrime = 16_777_619;
const hashBegin = -2_128_831_035;

/** Structure of a file with one JSON object per line. */
export interface JsonShape {
  /** Names of all columns in any row. */
  readonly keys: readonly string[];
  /** `true` if a line ends before its brackets are closed. */
  readonly hasCutLines: boolean;
  /** First line whose nesting exceeds the limit of the database; `null` if there is none. */
  readonly deepLine: number | null;
}

/**
 * Maximum nesting level of a row, over twenty times that of real exports. At about ten thousand levels, the database
 * would crash the process.
 */
export const rowLevelsMax = 1_000;

/** Scans every line of a file with one JSON object per line. */
export async function jsonShape(path: string): Promise<JsonShape> {
  let hasCutLines = false;
  let begin = 0;
  const names = new Map<number, string>();
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = text.lastIndexOf(lineFeed) + 1;
    const { isCut, deepAt } = noteKeys(text, end, names);
    if (deepAt !== null) return { keys: [], hasCutLines: true, deepLine: await findLine(path, begin + deepAt) };
    hasCutLines ||= isCut;
    begin += end;
    // A line above the size limit is not a row; it is counted when rows are read.
    const isEndless = text.length - end > objectBytesMax;
    rest = isEndless ? Buffer.alloc(0) : text.subarray(end);
    if (isEndless) begin += text.length - end;
  }
  const { deepAt } = noteKeys(rest, rest.length, names);
  const found = [...new Set(names.values())];
  const deepLine = deepAt === null ? null : await findLine(path, begin + deepAt);
  return { keys: found.length === 0 ? ['id'] : found, hasCutLines, deepLine };
}

/** Returns the line number, from 1, of an offset in a file. */
async function findLine(path: string, offset: number): Promise<number> {
  let line = 1;
  let left = offset;
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    for (const byte of chunk.subarray(0, left)) if (byte === lineFeed) line += 1;
    left -= chunk.length;
    if (left <= 0) break;
  }
  return line;
}

/**
 * Collects the top-level names of the objects in complete lines. Every byte of an export passes through it, so it is a
 * single loop over numbers that decodes a name only if its hash is unknown. Returns whether a line ends before its
 * brackets are closed, and the position of a line that is nested too deeply, where it stops.
 */
function noteKeys(
  text: Buffer,
  end: number,
  names: Map<number, string>,
): { readonly isCut: boolean; readonly deepAt: number | null } {
  let depth = 0;
  let isCut = false;
  let isNameNext = false;
  for (let index = 0; index < end; index += 1) {
    const byte = text[index] as number;
    depth += levelsOf[byte] as number;
    if (byte === quote) {
      const from = index + 1;
      index = isNameNext ? endOfName(text, from, end, names) : endOfText(text, from, end);
      isNameNext = false;
      if (text[index] === lineFeed) {
        isCut = true;
        depth = 0;
      }
    } else if (byte === openBrace || byte === comma) isNameNext = depth === 1;
    else if (byte === lineFeed) {
      isCut ||= depth !== 0;
      depth = 0;
    }
    if (depth > rowLevelsMax) return { isCut, deepAt: index };
  }
  return { isCut, deepAt: null };
}

/** Returns the end of a text: its closing quote, or the end of the line if it is truncated. */
function endOfText(text: Buffer, from: number, end: number): number {
  let index = from;
  for (; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte === quote || byte === lineFeed) return index;
    if (byte === backslash) index += 1;
  }
  return index;
}

/** Returns the end of a name, and stores the name if it is unknown. */
function endOfName(text: Buffer, from: number, end: number, names: Map<number, string>): number {
  let hash = hashBegin;
  let index = from;
  for (; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte === quote) {
      if (!names.has(hash)) names.set(hash, parseName(text.toString('utf8', from, index)));
      return index;
    }
    if (byte === lineFeed) return index;
    hash = Math.imul(hash ^ byte, hashPrime);
    if (byte === backslash) index += 1;
  }
  return index;
}

/** Decodes a name from JSON. */
function parseName(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
