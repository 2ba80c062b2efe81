import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Faults } from './file-faults.ts';
import { JsonObjects } from './json-objects.ts';
import type { SourceFile } from './source-file.ts';
import type { Tally } from './tally.ts';

/**
 * Counts the rows of a JSON file that the database could not read, which it has as rows without any value. Takes the file and how many
 * such rows there are. Returns how many of them are objects all the same, which say nothing.
 */
export async function recordMalformedRow(file: SourceFile, empty: number, tally: Tally): Promise<number> {
  if (file.kind !== 'json' || empty === 0) return empty;
  const { found } = await brokenLines(file);
  tally.faults(found);
  return Math.max(0, empty - found.reduce((sum, { count }) => sum + count, 0));
}

/**
 * The rows of a JSON file that are none to a reader of JSON, each with its line in the file as it was given. It reads the whole file,
 * so it is asked only when some are. Takes the file.
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
