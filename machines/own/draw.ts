import type { OwnFacts } from './own-facts.ts';
import type { FactValue, OwnRollout } from './own-ruleset.ts';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;
const range = 2 ** 32;

/** Computes the 32-bit FNV-1a hash of the UTF-8 bytes of a text, as a share from 0 to below 1 (A47). */
function hashToShare(text: string): number {
  let hash = fnvOffset;
  for (const character of text) {
    for (const byte of utf8Bytes(character.codePointAt(0) ?? 0)) hash = Math.imul(hash ^ byte, fnvPrime);
  }
  return (hash >>> 0) / range;
}

function utf8Bytes(code: number): readonly number[] {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)];
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
}

type Drawn = Pick<OwnFacts, 'tenant' | 'user' | 'attempt'>;

function unitText({ by }: Pick<OwnRollout, 'by'>, { tenant, user, attempt }: Drawn): string {
  switch (by) {
    case 'user':
      return user.id;
    case 'tenant':
      return tenant.id;
    case 'device':
      return attempt.deviceId;
    case 'browser':
      return attempt.browserId;
    case 'signIn':
      return attempt.drawId ?? attempt.id;
  }
}

/** Returns the position of a sign-in in the rollout: a number from 0 to below 1 that is compared with the share (OC28). */
export function drawShare(rollout: Pick<OwnRollout, 'by' | 'salt'>, drawn: Drawn): number {
  const unit = unitText(rollout, drawn);
  return hashToShare((rollout.salt === null ? unit : `${rollout.salt}:${unit}`).toLowerCase());
}

/** Variant of a rollout with the settings that it changes. */
export interface DrawnVariant {
  readonly id: string;
  readonly settings: Readonly<Record<string, FactValue>>;
}

/** Returns the variant of a sign-in, or `null` if the rollout has none. */
export function drawVariant(rollout: OwnRollout | null, drawn: Drawn): DrawnVariant | null {
  if (rollout === null || rollout.variants.length === 0) return null;
  const salt = rollout.salt === null ? 'variant' : `${rollout.salt}:variant`;
  const total = rollout.variants.reduce((sum, { share }) => sum + share, 0);
  let rest = drawShare({ by: rollout.by, salt }, drawn) * total;
  for (const variant of rollout.variants) {
    rest -= variant.share;
    if (rest < 0) return variant;
  }
  return rollout.variants.at(-1) ?? null;
}
