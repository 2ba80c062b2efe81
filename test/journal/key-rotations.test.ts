import { describe, expect, test } from 'vitest';
import type { SigningAlgorithm } from '../../src/contract/signing-algorithms.ts';
import { keyRotationsMax } from '../../src/core/limits.ts';
import { addKeyRotation } from '../../src/journal/key-rotations.ts';
import type { KeyRotation } from '../../src/journal/state.ts';
import { findActiveName, listKeySlots } from '../../src/sandbox/key-schedule.ts';
import { nonEmpty } from '../non-empty.ts';

type Kind = SigningAlgorithm | 'both';

/** Adds rotations, one per second, and returns those that are remembered. */
function rotate(kinds: readonly Kind[]): readonly KeyRotation[] {
  let rotations: readonly KeyRotation[] = [];
  for (const [index, kind] of kinds.entries()) {
    const rotation = { seq: index + 1, atMs: (index + 1) * 1_000, ...(kind === 'both' ? {} : { alg: kind }) };
    rotations = addKeyRotation(rotations, rotation);
  }
  return rotations;
}

const times = (count: number, kind: Kind): readonly Kind[] => Array.from({ length: count }, () => kind);
const listSlots = (keyRotations: readonly KeyRotation[], algorithm: SigningAlgorithm) =>
  listKeySlots(
    { createdAtMs: 0, settings: { authenticatorWireName: 'app' }, clients: [], keyRotations },
    algorithm,
    1_000_000,
    new Map(),
  );

describe('CL51: number of rotations', () => {
  test('as many as the limit are remembered, and the next one replaces the oldest', () => {
    const all = rotate(times(keyRotationsMax, 'both'));
    expect([all.length, all[0]?.seq]).toEqual([keyRotationsMax, 1]);
    const more = rotate(times(keyRotationsMax + 1, 'both'));
    expect([more.length, more[0]?.seq, more.at(-1)?.seq]).toEqual([keyRotationsMax, 2, keyRotationsMax + 1]);
  });

  test('rotations of one algorithm do not replace that of the other', () => {
    const rotations = rotate(['ES256', ...times(keyRotationsMax + 50, 'RS256')]);
    expect(rotations.map(({ alg }) => alg).filter((alg) => alg === 'ES256')).toEqual(['ES256']);
    expect(rotations).toHaveLength(keyRotationsMax + 1);
    expect(listSlots(rotations, 'ES256')[0]).toMatchObject({ name: '1.0', status: 'active' });
  });

  test('a rotation of both stays as long as one of its keys needs it', () => {
    const rotations = rotate(['both', ...times(keyRotationsMax, 'RS256')]);
    expect(rotations[0]).toEqual({ seq: 1, atMs: 1_000 });
  });

  test('a forgotten rotation changes no published key: active and retired keys are those of all rotations', () => {
    const kinds = times(keyRotationsMax + 30, 'both');
    const complete = kinds.map((_kind, index) => ({ seq: index + 1, atMs: (index + 1) * 1_000 }));
    const slots = listSlots(rotate(kinds), 'ES256');
    expect(slots[0]).toMatchObject({ name: `${kinds.length}.0`, status: 'active', activeFromMs: kinds.length * 1_000 });
    expect(slots).toEqual(listSlots(complete, 'ES256'));
    expect(slots.map(({ name }) => name)).not.toContain('0.0');
  });

  test('the key that signs is the active one of the list, with and without rotations and intervals', () => {
    const histories = [rotate([]), rotate(['both', 'RS256', 'ES256']), rotate(times(keyRotationsMax + 3, 'both'))];
    const cases = nonEmpty(
      histories.flatMap((keyRotations) =>
        [undefined, 1, 30].flatMap((keyRotationDays) =>
          [-1_000, 0, 2_500, 86_400_000, 86_400_000 * 400].map((nowMs) => ({ keyRotations, keyRotationDays, nowMs })),
        ),
      ),
    );
    for (const { keyRotations, keyRotationDays, nowMs } of cases) {
      const identity = keyRotationDays === undefined ? {} : { keyRotationDays };
      const settings = { authenticatorWireName: 'app' as const, identity };
      const state = { createdAtMs: 0, settings, clients: [], keyRotations };
      const active = listKeySlots(state, 'ES256', nowMs, new Map()).filter(({ status }) => status === 'active');
      expect(active.map(({ name }) => name)).toEqual([findActiveName(state, 'ES256', nowMs)]);
    }
  });
});
