import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectiveEntries, readHistory } from '../../src/journal/history.ts';
import { getPreviousSeq, type JournalEntry } from '../../src/journal/journal-event.ts';
import { nonEmpty } from '../non-empty.ts';

/** Creates a journal in which entry n restores the given earlier entry, or follows n - 1 if none is given. */
function createJournal(backTo: readonly (number | null)[]): readonly JournalEntry[] {
  return backTo.map((place, index) => {
    const seq = index + 1;
    const toSeq = place === null || seq === 1 ? null : (place % (seq - 1)) + 1;
    return {
      seq,
      atMs: seq,
      event:
        toSeq === null
          ? { type: 'token.revoked', tokenId: `t${seq}` }
          : { type: 'state.restored', toSeq, clock: { running: false, nowMs: 0 } },
    };
  });
}

/** Computes the history of an entry by following one predecessor at a time. */
function listChain(journal: readonly JournalEntry[], seq: number): readonly number[] {
  const entry = journal[seq - 1];
  return entry === undefined ? [] : [...listChain(journal, getPreviousSeq(entry)), seq];
}

const backTo = fc.array(fc.option(fc.nat(1_000), { freq: 4 }), { minLength: 1, maxLength: 60, size: 'max' });

test('the history of every entry is the chain of its predecessors, including restores', () => {
  fc.assert(
    fc.property(backTo, (places) => {
      const journal = createJournal(places);
      const restores = journal.flatMap(({ seq, event }) =>
        event.type === 'state.restored' ? [{ seq, toSeq: event.toSeq }] : [],
      );
      for (const { seq } of nonEmpty(journal)) {
        const seqs = readHistory(seq, restores).flatMap(({ from, to }) =>
          Array.from({ length: to - from + 1 }, (_, index) => from + index),
        );
        expect(seqs).toEqual(listChain(journal, seq));
      }
    }),
  );
});

test('the effective entries of a journal are the history of its last entry', () => {
  fc.assert(
    fc.property(backTo, (places) => {
      const journal = createJournal(places);
      expect(effectiveEntries(journal).map(({ seq }) => seq)).toEqual(listChain(journal, journal.length));
    }),
  );
});

test('a restore to an entry after another restore keeps the history of the first restore', () => {
  expect(
    readHistory(9, [
      { seq: 5, toSeq: 2 },
      { seq: 8, toSeq: 6 },
    ]),
  ).toEqual([
    { from: 1, to: 2 },
    { from: 5, to: 6 },
    { from: 8, to: 9 },
  ]);
});
