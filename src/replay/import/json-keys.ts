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
const lineFeed = 0x0a;

/** Multiplier and beginning of the 32-bit FNV-1a hash, by which a name that was met before is known without being read. */
const hashPrime = 16_777_619;
const hashBegin = -2_128_831_035;

/** What a file of one JSON object a line holds. */
export interface JsonShape {
  /** The names of all columns, whichever row they come in first. */
  readonly keys: readonly string[];
  /** Whether some line ends before its brackets are closed. */
  readonly hasCutLines: boolean;
}

/** Looks at every line of a file of one JSON object a line. Takes its path. */
export async function jsonShape(path: string): Promise<JsonShape> {
  let hasCutLines = false;
  const names = new Map<number, string>();
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = text.lastIndexOf(lineFeed) + 1;
    hasCutLines = noteKeys(text, end, names) || hasCutLines;
    // A line beyond all bounds is no row; it is counted where rows are read.
    rest = text.length - end > objectBytesMax ? Buffer.alloc(0) : text.subarray(end);
  }
  noteKeys(rest, rest.length, names);
  const found = [...new Set(names.values())];
  return { keys: found.length === 0 ? ['id'] : found, hasCutLines };
}

/**
 * Notes the names at the first level of the objects of whole lines. Every byte of an export passes here, so this is one loop over
 * numbers, and a name is read only when its hash was not met before. Returns whether a line ends before its brackets are closed.
 */
function noteKeys(text: Buffer, end: number, names: Map<number, string>): boolean {
  let depth = 0;
  let isCut = false;
  let isNameNext = false;
  for (let index = 0; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte === quote) {
      const from = index + 1;
      index = isNameNext ? endOfName(text, from, end, names) : endOfText(text, from, end);
      isNameNext = false;
      if (text[index] === lineFeed) {
        isCut = true;
        depth = 0;
      }
    } else if (byte === openBrace) {
      depth += 1;
      isNameNext = depth === 1;
    } else if (byte === comma) isNameNext = depth === 1;
    else if (byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    else if (byte === lineFeed) {
      isCut ||= depth !== 0;
      depth = 0;
    }
  }
  return isCut;
}

/** Where a text ends: its quote, or the end of the line in one that was cut short. */
function endOfText(text: Buffer, from: number, end: number): number {
  let index = from;
  for (; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte === quote || byte === lineFeed) return index;
    if (byte === backslash) index += 1;
  }
  return index;
}

/** Where a name ends; one that was not met before is noted. */
function endOfName(text: Buffer, from: number, end: number, names: Map<number, string>): number {
  let hash = hashBegin;
  let index = from;
  for (; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte === quote) {
      if (!names.has(hash)) names.set(hash, nameOf(text.toString('utf8', from, index)));
      return index;
    }
    if (byte === lineFeed) return index;
    hash = Math.imul(hash ^ byte, hashPrime);
    if (byte === backslash) index += 1;
  }
  return index;
}

/** A name as JSON writes it. */
function nameOf(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
