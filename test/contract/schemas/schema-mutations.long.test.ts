import { describe, expect, it } from 'vitest';
import { fixtureKinds } from '../../../src/contract/fixture-kinds.ts';
import { isPlainObject } from '../../../src/core/merge-patch.ts';
import { type RandomSource, randomSource } from '../../../src/core/random.ts';
import { nonEmpty } from '../../non-empty.ts';
import { beyondSchema, withoutNulls } from './beyond-schema.ts';
import { lintProblems, rowProblems, type ShippedFile, schemaProblems, shippedFiles } from './schema-answers.ts';

/** Shipped files with their data. */
const shipped: readonly ShippedFile[] = shippedFiles();

/** Values that replace other values. */
const strangeValues = [
  null,
  true,
  -1,
  1.5,
  1e9,
  '',
  'bogus',
  [],
  {},
  ['bogus'],
  { bogus: 1 },
  '2026-13-01',
  'disabled',
];

type Holder = Record<PropertyKey, unknown>;

/** Location of a nested value: its parent and its key. */
function placesIn(value: unknown): readonly (readonly [Holder, PropertyKey])[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[value as Holder, key] as const, ...placesIn((value as Holder)[key])]);
}

/** One item of a list that is not empty. */
function pick<T>(list: readonly T[], random: RandomSource): T {
  return nonEmpty(list)[Math.floor(random() * list.length)] as T;
}

/** A copy of a file with one change: a key removed, renamed or added, or a value replaced. */
function bend(data: unknown, random: RandomSource): { readonly bent: unknown; readonly change: string } {
  const bent = structuredClone(data);
  const places = placesIn(bent);
  const [holder, key] = pick(places, random);
  const value = holder[key];
  switch (Math.floor(random() * 4)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return { bent, change: `without ${String(key)}` };
    case 1:
      if (Array.isArray(holder)) holder.push(pick(strangeValues, random));
      else holder['unknownKey'] = 1;
      return { bent, change: `more beside ${String(key)}` };
    case 2: {
      const other = places.map(([from, at]) => from[at]);
      holder[key] = structuredClone(pick(other, random));
      return { bent, change: `${String(key)} from ${JSON.stringify(value)} to ${JSON.stringify(holder[key])}` };
    }
    default:
      holder[key] = pick(strangeValues, random);
      return { bent, change: `${String(key)} from ${JSON.stringify(value)} to ${JSON.stringify(holder[key])}` };
  }
}

/** Checks whether a row contains a reference to a row value, which the schema accepts and lint reads as plain text. */
function refersInRow(data: unknown): boolean {
  return isPlainObject(data) && JSON.stringify(data['examples'] ?? []).includes('"${');
}

/** Result of a run with mutated files. */
interface Agreement {
  readonly missed: string[];
  readonly tooStrict: string[];
  readonly counts: { invalid: number; valid: number; beyond: number };
}

/** Compares schema and lint on files with one change each. */
async function compareBent(files: readonly ShippedFile[], rounds: number, random: RandomSource): Promise<Agreement> {
  const found: Agreement = { missed: [], tooStrict: [], counts: { invalid: 0, valid: 0, beyond: 0 } };
  for (let round = 0; round < rounds; round += 1) {
    const { kind, path, data } = pick(files, random);
    const { bent, change } = bend(data, random);
    const byLint = await lintProblems(kind, bent);
    const plain = schemaProblems(kind, bent);
    const bySchema = plain.length === 0 && kind === 'scenarios' ? rowProblems(bent) : plain;
    const other = byLint.filter(
      (message) => !(refersInRow(bent) || beyondSchema.some((one) => one.message.test(message))),
    );
    if (bySchema.length === 0 && other.length > 0) found.missed.push(`${path} ${change}: ${other[0]}`);
    const isNull = schemaProblems(kind, withoutNulls(bent)).length === 0;
    if (bySchema.length > 0 && byLint.length === 0 && !isNull)
      found.tooStrict.push(`${path} ${change}: ${bySchema.join(' | ')}`);
    found.counts[bySchema.length > 0 ? 'invalid' : byLint.length > 0 ? 'beyond' : 'valid'] += 1;
  }
  return found;
}

describe('schema and lint', () => {
  it.each(nonEmpty(fixtureKinds))('agree on 600 mutated fixtures in %s', async (kind) => {
    const files = nonEmpty(shipped.filter((file) => file.kind === kind));
    const { missed, tooStrict, counts } = await compareBent(files, 600, randomSource(600));
    expect({ missed, tooStrict }).toEqual({ missed: [], tooStrict: [] });
    expect(counts.invalid).toBeGreaterThan(200);
  });

  it('agree on 3,000 mutated scenarios', async () => {
    const files = nonEmpty(shipped.filter(({ kind, size }) => kind === 'scenarios' && size < 4_000));
    const { missed, tooStrict, counts } = await compareBent(files, 3_000, randomSource(3_000));
    expect({ missed, tooStrict }).toEqual({ missed: [], tooStrict: [] });
    expect(Math.min(counts.invalid, counts.valid)).toBeGreaterThan(500);
  });
});
