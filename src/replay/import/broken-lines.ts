import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Faults } from './file-faults.ts';
import { JsonObjects } from './json-objects.ts';
import type { SourceFile } from './source-file.ts';
import type { Tally } from './tally.ts';

/**
 * Counts the rows of a JSON file that the database could not read and therefore returns without any value.
 * @param empty - number of such rows
 * @returns the number of valid but empty objects among them
 */
export async function recordMalformedRow(file: SourceFile, empty: number, tally: Tally): Promise<number> {
  if (file.kind !== 'json' || empty === 0) return empty;
  const { found } = await brokenLines(file);
  tally.faults(found);
  return Math.max(0, empty - found.reduce((sum, { count }) => sum + count, 0));
}

/**
 * Finds the invalid rows of a JSON file, with their line numbers in the original file. It reads the whole file, so it
 * is called only if there are any.
 */
async function brokenLines(file: SourceFile): Promise<Faults> {
  const faults = new Faults(file.name);
  if (file.text !== file.path) {
    const objects = new JsonObjects();
    for await (const chunk of createReadStream(file.text) as AsyncIterable<Buffer>) {
      for (const { line, bytes } of objects.push(chunk)) {
        if (bytes !== null && !isObject(Buffer.from(bytes).toString('utf8'))) faults.add('not-json', `line ${line}`);
      }
    }
    return faults;
  }
  let number = 0;
  const lines = createInterface({ input: createReadStream(file.path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== '' && !isObject(line)) faults.add('not-json', `line ${number}`);
  }
  return faults;
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
