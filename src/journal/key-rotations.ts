import { signingAlgorithms } from '../contract/signing-algorithms.ts';
import { keyRotationsMax } from '../core/limits.ts';
import type { KeyRotation } from './state.ts';

/** Adds a rotation, oldest first. Rotations are forgotten once each of their keys has `keyRotationsMax` later ones. */
export function addKeyRotation(rotations: readonly KeyRotation[], added: KeyRotation): readonly KeyRotation[] {
  const counts = new Map(signingAlgorithms.map((algorithm) => [algorithm, 0]));
  const kept = [...rotations, added].toReversed().filter(({ alg }) => {
    const replaced = alg === undefined ? signingAlgorithms : [alg];
    const isRemembered = replaced.some((one) => (counts.get(one) ?? 0) < keyRotationsMax);
    for (const one of replaced) counts.set(one, (counts.get(one) ?? 0) + 1);
    return isRemembered;
  });
  return kept.toReversed();
}
