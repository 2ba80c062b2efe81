import { isUtf8 } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { NudgeLabError } from '../../core/errors.ts';
import { type CsvFile, csvFile } from './csv-file.ts';
import { Faults, type FileFault } from './file-faults.ts';
import { JsonObjects } from './json-objects.ts';

/** File prepared for the database, with its faults. */
export interface SourceFile {
  /** Original name of the file. */
  readonly name: string;
  readonly path: string;
  readonly kind: 'parquet' | 'json' | 'csv';
  readonly bytes: number;
  readonly encoding: string;
  readonly faults: readonly FileFault[];
  /** Path of the UTF-8 text before its rows are rewritten; locations refer to its lines. */
  readonly text: string;
  /** Format of a CSV file; `null` if the file is not CSV. */
  readonly csv: CsvFile | null;
}

const sniffedBytes = 65_536;
const chunkBytes = 1_048_576;

/**
 * Prepares a file: other encodings are converted to UTF-8, and pages and lists to one row per line.
 * @param name - display name
 * @param folder - output folder for converted files
 * @throws `file-unreadable` for a file that is not Parquet, JSON or CSV
 */
export async function sourceFile(path: string, name: string, folder: string, number: number): Promise<SourceFile> {
  const { size } = await readStat(path, name);
  const head = await readHead(path);
  refuseCompressed(head, name);
  if (head.subarray(0, 4).toString('latin1') === parquetMark) {
    await refuseCut(path, name, size);
    return { name, path, kind: 'parquet', bytes: size, encoding: 'binary', faults: [], text: path, csv: null };
  }
  if (size === 0) throw new NudgeLabError('file-unreadable', { message: `${name} is empty.` });
  const faults = new Faults(name);
  const encoding = detectEncoding(head);
  const plain = encoding === 'utf-8' && !hasMark(head) && (await isUtf8File(path));
  const readable = plain ? path : join(folder, `utf8-${number}`);
  if (!plain) await transcode(path, encoding, readable, faults);
  const kind = detectKind(plain ? head : await readHead(readable), name);
  const csv = kind === 'csv' ? await csvFile(readable, folder, number, faults) : null;
  const ready = csv === null ? await jsonLines(readable, folder, number, faults) : csv.path;
  return { name, path: ready, kind, bytes: size, encoding, faults: faults.found, text: readable, csv };
}

const parquetMark = 'PAR1';

/** First bytes of compressed files: ZIP, gzip, Zstandard. */
const compressed = ['504b0304', '1f8b', '28b52ffd'];

/** Throws `file-unreadable` for a compressed file. */
function refuseCompressed(head: Buffer, name: string): void {
  if (!compressed.some((mark) => head.toString('hex', 0, mark.length / 2) === mark)) return;
  throw new NudgeLabError('file-unreadable', {
    message: `${name} is compressed. Decompress it and specify the resulting file.`,
  });
}

/**
 * Throws `file-unreadable` for a truncated Parquet file: a complete one ends with its row index and the same bytes with
 * which it starts.
 */
async function refuseCut(path: string, name: string, size: number): Promise<void> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(
      Buffer.alloc(parquetMark.length),
      0,
      parquetMark.length,
      size - parquetMark.length,
    );
    if (size >= 2 * parquetMark.length && buffer.toString('latin1') === parquetMark) return;
  } finally {
    await file.close();
  }
  throw new NudgeLabError('file-unreadable', {
    message: `${name} is truncated: a Parquet file must end with ${parquetMark} and cannot be read without its end.`,
  });
}

async function readStat(path: string, name: string): Promise<{ readonly size: number }> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) return found;
  throw new NudgeLabError('file-unreadable', { message: `The file ${name} does not exist.` });
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function hasMark(head: Buffer): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

/** Detects the encoding by the byte order mark or by the zero bytes of UTF-16. */
export function detectEncoding(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.length >= 4 && head[1] === 0 && head[3] === 0) return 'utf-16le';
  return head.length >= 4 && head[0] === 0 && head[2] === 0 ? 'utf-16be' : 'utf-8';
}

/** Checks whether every line is UTF-8. It processes whole lines because a character can continue in the next chunk. */
async function isUtf8File(path: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(0x0a);
    const whole = end < 0 ? null : Buffer.concat([rest, chunk.subarray(0, end + 1)]);
    if (whole !== null && !isUtf8(whole)) return false;
    rest = whole === null ? Buffer.concat([rest, chunk]) : chunk.subarray(end + 1);
  }
  return isUtf8(rest);
}

/** Converts a file to UTF-8. Invalid lines are read as Windows-1252, in which every byte is valid, and counted. */
async function transcode(path: string, encoding: string, to: string, faults: Faults): Promise<void> {
  const out = createWriteStream(to);
  const write = async (text: string | Uint8Array): Promise<void> => {
    if (!out.write(text)) await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  };
  if (encoding === 'utf-8') {
    for await (const text of mixedLines(path, faults)) await write(text);
  } else {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      await write(decoder.decode(chunk, { stream: true }));
    }
    await write(decoder.decode());
  }
  out.end();
  await finished(out);
}

async function* mixedLines(path: string, faults: Faults): AsyncGenerator<string, void> {
  const latin = new TextDecoder('windows-1252');
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  const text = (bytes: Buffer): string => {
    line += 1;
    if (isUtf8(bytes)) return bytes.toString('utf8');
    faults.add('not-utf8', `line ${line}`);
    return latin.decode(bytes);
  };
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    let whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (line === 0 && hasMark(whole)) whole = whole.subarray(3);
    let from = 0;
    for (let end = whole.indexOf(0x0a); end >= 0; end = whole.indexOf(0x0a, from)) {
      yield text(whole.subarray(from, end + 1));
      from = end + 1;
    }
    rest = whole.subarray(from);
  }
  if (rest.length > 0) yield text(rest);
}

function detectKind(head: Buffer, name: string): 'json' | 'csv' {
  const first = head.toString('utf8').trimStart().charAt(0);
  if (first === '{' || first === '[') return 'json';
  if (extname(name).toLowerCase() === '.json') {
    throw new NudgeLabError('file-unreadable', {
      message: `${name} is not JSON: it starts with ${JSON.stringify(first)}.`,
    });
  }
  return 'csv';
}

/** Converts a file to one row per line. A file that already has this format is only checked for invalid lines. */
async function jsonLines(path: string, folder: string, number: number, faults: Faults): Promise<string> {
  if (await isLineByLine(path)) return path;
  const to = join(folder, `rows-${number}.ndjson`);
  const out = createWriteStream(to);
  const objects = new JsonObjects();
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>) {
    const lines: Uint8Array[] = [];
    for (const { line, bytes, problem } of objects.push(chunk)) {
      if (bytes === null) faults.add(problem ?? 'too-large', `line ${line}`);
      else lines.push(bytes, lineEnd);
    }
    if (lines.length > 0 && !out.write(Buffer.concat(lines))) {
      await new Promise<void>((resolve) => out.once('drain', () => resolve()));
    }
  }
  for (const { line, problem } of objects.end()) {
    faults.add(problem ?? 'cut-off', `line ${line} to the end`);
  }
  if (objects.moreFollow) faults.add('more-follow', 'the end of a page');
  out.end();
  await finished(out);
  return to;
}

const lineEnd = Buffer.from('\n');

/** Number of lines examined to detect whether each line is a row. */
const linesLookedAt = 20;

/** Checks whether most of the first lines are rows, which are objects without a list of rows; some can be invalid. */
async function isLineByLine(path: string): Promise<boolean> {
  const bytes = await readHead(path);
  const head = bytes.toString('utf8').trimStart();
  const whole = bytes.length < sniffedBytes ? head.split('\n') : head.split('\n').slice(0, -1);
  const lines = whole.filter((line) => line.trim() !== '').slice(0, linesLookedAt);
  const rows = lines.filter(isRow).length;
  return head.startsWith('{') && rows > 0 && rows * 2 >= lines.length;
}

function isRow(line: string): boolean {
  try {
    const value = JSON.parse(line) as Record<string, unknown> | null;
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !Array.isArray(value['value']);
  } catch {
    return false;
  }
}
