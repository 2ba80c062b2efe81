import { describe, expect, it } from 'vitest';
import { nameBasedUuid } from '../../../src/core/ids.ts';
import { createRowIds } from '../../../src/sandbox/directory-api/logs/row-ids.ts';

/** Creates an index of rows with ids of facts, and counts the records that it reads. */
function createIndex(length: number) {
  const records = { length };
  const read: number[] = [];
  const ids = createRowIds(records, (index, wireIds) => {
    read.push(index);
    return ['', '-50079'].slice(0, 1 + (index % 2)).map((part) => wireIds.compute('sign-in', `s${index}${part}`));
  });
  return { records, read, ids };
}

describe('DIR70: rows by id', () => {
  it('finds the record of every id in either form, in any case, and no other record of another id', async () => {
    const { ids } = createIndex(3_000);
    let others = 0;
    for (let index = 0; index < 3_000; index += 1) {
      const found = await ids.facts.find(`S${index}`);
      expect(found).toContain(index);
      others += found.length - 1;
      expect(await ids.guid.find(nameBasedUuid(`sign-in:s${index}`).toUpperCase())).toContain(index);
    }
    // Two ids can have one hash of 32 bits, which the records then tell apart.
    expect(others).toBeLessThan(5);
    expect(await ids.facts.find('s1-50079')).toEqual([1]);
    expect(await ids.facts.find('s2-50079')).toEqual([]);
    expect(await ids.facts.find('s3000')).toEqual([]);
    expect(await ids.facts.find('')).toEqual([]);
  });

  it('reads each record once, and later ones only when they exist', async () => {
    const { records, read, ids } = createIndex(2_500);
    expect(read).toEqual([]);
    await Promise.all([ids.facts.find('s1'), ids.facts.find('s2'), ids.facts.find('none')]);
    expect(read).toHaveLength(2_500);
    records.length = 2_503;
    expect(await ids.facts.find('s2502')).toEqual([2_502]);
    expect(read.slice(2_500)).toEqual([2_500, 2_501, 2_502]);
    expect(await ids.facts.find('s7')).toEqual([7]);
    expect(read).toHaveLength(2_503);
  });
});
