import { readFileSync, statSync } from 'node:fs';
import { corrupt } from './sqlite-errors.ts';

/**
 * SQLite reads its write-ahead log up to the first damaged frame and treats the rest as an incomplete commit after a
 * power failure. This store syncs every commit before the next one, so at most the last commit can be incomplete.
 * Complete commits after a damaged frame were acknowledged, and SQLite would silently discard them.
 */

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Maximum size in bytes of a log that is checked; only the copy of a huge journal in one commit creates a larger one.
 */
const checkedBytesMax = 1_073_741_824;

/** First word of a log with little-endian checksums; with big-endian ones it is one higher. */
const magicLittleEndian = 0x377f0682;

interface Log {
  readonly bytes: DataView;
  readonly littleEndian: boolean;
  readonly frameBytes: number;
  readonly frames: number;
}

/** Two running sums of the log's checksum. */
type Sums = readonly [number, number];

/**
 * Rejects a write-ahead log that is damaged before its end.
 * @param path - path of the store
 * @throws `store-corrupt` if the log is damaged
 */
export function refuseDamagedLog(path: string): void {
  const logPath = `${path}-wal`;
  const size = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > checkedBytesMax) return;
  const file = readFileSync(logPath);
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.byteLength < headerBytes + frameHeaderBytes) return;
  const magic = bytes.getUint32(0);
  const frameBytes = frameHeaderBytes + bytes.getUint32(8);
  const frames = Math.floor((bytes.byteLength - headerBytes) / frameBytes);
  const log: Log = { bytes, littleEndian: magic === magicLittleEndian, frameBytes, frames };
  const sums = computeSums(log, 0, headerBytes - 8, [0, 0]);
  const known = magic === magicLittleEndian || magic === magicLittleEndian + 1;
  if (!known || !agrees(log, headerBytes - 8, sums))
    throw corrupt(logPath, 'the header of the write-ahead log is damaged');
  const damaged = firstDamagedFrame(log, sums);
  if (wholeCommitFollows(log, damaged)) throw corrupt(logPath, `frame ${damaged + 1} of ${frames} is damaged`);
}

/**
 * Returns the index of the first frame that is damaged or not part of the log; the number of frames if there is none.
 */
function firstDamagedFrame(log: Log, headerSums: Sums): number {
  let sums = headerSums;
  for (let frame = 0; frame < log.frames; frame += 1) {
    const offset = computeOffset(log, frame);
    sums = computeSums(log, offset, 8, sums);
    sums = computeSums(log, offset + frameHeaderBytes, log.frameBytes - frameHeaderBytes, sums);
    if (!isOfThisLog(log, offset) || !agrees(log, offset + 16, sums)) return frame;
  }
  return log.frames;
}

/**
 * Checks whether a commit ends and another one starts after a frame. Frames from an earlier use of the file have other
 * salts.
 */
function wholeCommitFollows(log: Log, from: number): boolean {
  let commitEnded = false;
  for (let frame = from; frame < log.frames; frame += 1) {
    const offset = computeOffset(log, frame);
    if (!isOfThisLog(log, offset)) continue;
    if (commitEnded) return true;
    commitEnded = log.bytes.getUint32(offset + 4) !== 0;
  }
  return false;
}

function computeOffset({ frameBytes }: Log, frame: number): number {
  return headerBytes + frame * frameBytes;
}

/** Checks whether a frame has both salts of the header. */
function isOfThisLog({ bytes }: Log, offset: number): boolean {
  return bytes.getUint32(offset + 8) === bytes.getUint32(16) && bytes.getUint32(offset + 12) === bytes.getUint32(20);
}

function agrees({ bytes }: Log, offset: number, [first, second]: Sums): boolean {
  return bytes.getUint32(offset) === first && bytes.getUint32(offset + 4) === second;
}

function computeSums({ bytes, littleEndian }: Log, offset: number, length: number, before: Sums): Sums {
  let [first, second] = before;
  for (let at = offset; at < offset + length; at += 8) {
    first = (first + bytes.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + bytes.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}
