import type { CryptoKey, JWK, JWTPayload } from 'jose';
import { type SigningAlgorithm, signingAlgorithms } from '../contract/signing-algorithms.ts';
import { keyRotationsMax } from '../core/limits.ts';
import { findActiveName, type KeySlot, listKeySlots } from './key-schedule.ts';
import type { Recorder } from './recorder.ts';

/** Key of a sandbox for signing and verification. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** Thumbprint of the key (RFC 7638), which tokens name. */
  readonly id: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /**
   * Signs claims (RFC 7519) and returns the token. `type` is the type in the token header, and `further` are further
   * members of the header.
   */
  readonly sign: (type: string, claims: JWTPayload, further?: Readonly<Record<string, string>>) => Promise<string>;
}

/** Key that the sandbox publishes. */
export interface PublishedKey {
  readonly key: SigningKey;
  readonly slot: KeySlot;
}

/** Names of the keys in the journal store. Later keys add the name of their place in the schedule. */
const signingKeyNames: Readonly<Record<SigningAlgorithm, string>> = {
  ES256: 'token-signing-key',
  RS256: 'token-signing-key-rs256',
};

/** Name in the journal store of the times until which keys verify long-lived tokens. */
const longLivedName = 'token-signing-keys-long-lived';

/** Maximum number of keys in memory, which is more than are published at a time. */
const loadedKeysMax = 200;

/** Name of the first key of each algorithm in the schedule. */
const firstSlotName = '0.0';

/**
 * Signing keys of one sandbox. A key is created at first use, and the library is loaded then, because most runs
 * never use tokens. Keys are stored with the journal and stay the same after a restart.
 *
 * @see CL50
 */
export class SigningKeys {
  readonly #recorder: Recorder;
  readonly #keys = new Map<string, Promise<SigningKey>>();
  #longLived: Promise<Map<string, number>> | null = null;
  /** Long-lived tokens as far as they were read. */
  #knownLives: ReadonlyMap<string, number> = new Map();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    recorder.carried.onKept((kept) => {
      if (kept !== null && !kept.has(longLivedName)) return;
      this.#longLived = null;
    });
  }

  /** Returns the published keys of the current time as text, which differs once they differ. */
  get version(): string {
    return this.#listSlots()
      .map(({ algorithm, name, status }) => `${algorithm} ${name} ${status}`)
      .join(',');
  }

  /**
   * Returns the active key of an algorithm. A missing key is created and stored before it is used. Throws
   * `store-failed`.
   */
  key(algorithm: SigningAlgorithm): Promise<SigningKey> {
    return this.#open(algorithm, this.#findActiveName(algorithm));
  }

  /** Returns all published keys: those of the default algorithm first, and the active one first of each. */
  async published(): Promise<readonly PublishedKey[]> {
    await this.#readLongLived();
    return Promise.all(
      this.#listSlots().map(async (slot) => ({ key: await this.#open(slot.algorithm, slot.name), slot })),
    );
  }

  /** Finds a published key by its id. Returns `null` if the sandbox does not publish it. */
  async find(id: string): Promise<SigningKey | null> {
    for (const slot of this.#listSlots()) {
      const key = await this.#open(slot.algorithm, slot.name);
      if (key.id === id) return key;
    }
    return (await this.published()).find(({ key }) => key.id === id)?.key ?? null;
  }

  /** Keeps the active key of an algorithm published until a long-lived token has expired. */
  async publishUntil(algorithm: SigningAlgorithm, untilMs: number): Promise<void> {
    const lives = await this.#readLongLived();
    const name = `${algorithm} ${this.#findActiveName(algorithm)}`;
    if ((lives.get(name) ?? 0) >= untilMs) return;
    lives.delete(name);
    lives.set(name, untilMs);
    // The oldest ones are more than are published at a time.
    for (const oldest of lives.keys()) {
      if (lives.size <= keyRotationsMax) break;
      lives.delete(oldest);
    }
    const { store, sandboxId } = this.#recorder;
    await store.keep(sandboxId, longLivedName, JSON.stringify([...lives]));
  }

  #findActiveName(algorithm: SigningAlgorithm): string {
    return findActiveName(this.#recorder.state(), algorithm, this.#recorder.nowMs());
  }

  #listSlots(): readonly KeySlot[] {
    const state = this.#recorder.state();
    const nowMs = this.#recorder.nowMs();
    return signingAlgorithms.flatMap((algorithm) => {
      const lives = this.#knownLives.size === 0 ? noLives : selectLives(this.#knownLives, algorithm);
      return listKeySlots(state, algorithm, nowMs, lives);
    });
  }

  async #readLongLived(): Promise<Map<string, number>> {
    this.#longLived ??= this.#loadLongLived();
    // Every waiting caller receives the failure. The next call tries again.
    this.#longLived.catch(() => {
      this.#longLived = null;
    });
    const lives = await this.#longLived;
    this.#knownLives = lives;
    return lives;
  }

  async #loadLongLived(): Promise<Map<string, number>> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.kept(sandboxId, longLivedName);
    return new Map(kept === null ? [] : (JSON.parse(kept) as [string, number][]));
  }

  #open(algorithm: SigningAlgorithm, slotName: string): Promise<SigningKey> {
    const first = signingKeyNames[algorithm];
    const name = slotName === firstSlotName ? first : `${first}-${slotName}`;
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = this.#load(algorithm, name);
      this.#keys.set(name, key);
      if (this.#keys.size > loadedKeysMax) this.#keys.delete(this.#keys.keys().next().value ?? '');
      // Every waiting caller receives the failure. The next call tries again.
      key.catch(() => this.#keys.delete(name));
    }
    return key;
  }

  async #load(algorithm: SigningAlgorithm, name: string): Promise<SigningKey> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.kept(sandboxId, name);
    if (kept !== null) return signingKey(algorithm, JSON.parse(kept) as KeptKey);
    const { exportJWK, generateKeyPair } = await import('jose');
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const key = { privateJwk: await exportJWK(privateKey), publicJwk: await exportJWK(publicKey) };
    await store.keep(sandboxId, name, JSON.stringify(key));
    await this.#discardOldKeys(algorithm);
    return signingKey(algorithm, key);
  }

  /** Deletes the oldest keys beyond the limit that are not published, except for the first one. */
  async #discardOldKeys(algorithm: SigningAlgorithm): Promise<void> {
    const { store, sandboxId } = this.#recorder;
    const beginning = `${signingKeyNames[algorithm]}-`;
    const names = [...(await store.keptUnder(sandboxId, beginning)).keys()]
      .map((name) => name.slice(beginning.length))
      .filter((name) => slotName.test(name))
      .toSorted((a, b) => comparePlaces(readPlace(a), readPlace(b)));
    const published = new Set(this.#listSlots().flatMap((slot) => (slot.algorithm === algorithm ? [slot.name] : [])));
    for (const name of names.slice(0, Math.max(0, names.length - keyRotationsMax))) {
      if (!published.has(name)) await store.discard(sandboxId, `${beginning}${name}`);
    }
  }
}

const noLives: ReadonlyMap<string, number> = new Map();

/** Returns the times of the keys of one algorithm, by their names in the schedule. */
function selectLives(lives: ReadonlyMap<string, number>, algorithm: SigningAlgorithm): ReadonlyMap<string, number> {
  const own = [...lives].filter(([name]) => name.startsWith(`${algorithm} `));
  return new Map(own.map(([name, untilMs]) => [name.slice(algorithm.length + 1), untilMs]));
}

/** Name of a place in the schedule: the rotation, and the number of intervals after it. */
const slotName = /^\d{1,16}\.\d{1,16}$/;

const readPlace = (name: string): readonly number[] => name.split('.').map(Number);

function comparePlaces([rotationA = 0, placeA = 0]: readonly number[], [rotationB = 0, placeB = 0]: readonly number[]) {
  return rotationA - rotationB || placeA - placeB;
}

interface KeptKey {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** Parameters of the signatures of each algorithm (RFC 7518, section 3.1). */
const signatures: Readonly<Record<SigningAlgorithm, { readonly name: string; readonly hash: string }>> = {
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
};

async function signingKey(algorithm: SigningAlgorithm, { privateJwk, publicJwk }: KeptKey): Promise<SigningKey> {
  const { calculateJwkThumbprint, importJWK } = await import('jose');
  const id = await calculateJwkThumbprint(publicJwk);
  const privateKey = (await importJWK(privateJwk, algorithm)) as CryptoKey;
  const names = { kid: id, alg: algorithm, use: 'sig' };
  return {
    algorithm,
    id,
    privateJwk: { ...privateJwk, ...names },
    publicJwk: { ...publicJwk, ...names },
    privateKey,
    publicKey: (await importJWK(publicJwk, algorithm)) as CryptoKey,
    sign: async (typ, claims, further = {}) => {
      const text = `${encodePart({ alg: algorithm, typ, kid: id, ...further })}.${encodePart(claims)}`;
      const signature = await globalThis.crypto.subtle.sign(signatures[algorithm], privateKey, Buffer.from(text));
      return `${text}.${Buffer.from(signature).toString('base64url')}`;
    },
  };
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
