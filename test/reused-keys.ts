/**
 * Creating an RSA key takes longer than most tests, and most tests of tokens start a server whose sandbox has a key of
 * its own. So a worker creates only a few keys and uses them in turn: sandboxes of one test still have different ones.
 */
const keysMax = 6;

type GenerateKey = (algorithm: { readonly name?: string }, ...rest: readonly unknown[]) => Promise<unknown>;

/** Marks the replaced function, because files of a worker share it and each loads this module. */
const replaced = Symbol.for('nudgelab reused keys');

function reuseKeys(generateKey: GenerateKey): GenerateKey {
  const byKind = new Map<string, Promise<unknown>[]>();
  let count = 0;
  const reuse: GenerateKey = (algorithm, ...rest) => {
    if (algorithm.name?.startsWith('RS') !== true) return generateKey(algorithm, ...rest);
    const kind = JSON.stringify([algorithm, rest], (_, value) => (value instanceof Uint8Array ? [...value] : value));
    const keys = byKind.get(kind) ?? [];
    byKind.set(kind, keys);
    count += 1;
    if (keys.length === keysMax) return keys[count % keysMax] as Promise<unknown>;
    const key = generateKey(algorithm, ...rest);
    keys.push(key);
    return key;
  };
  return Object.assign(reuse, { [replaced]: true });
}

const { subtle } = globalThis.crypto;
if (!(replaced in subtle.generateKey)) {
  subtle.generateKey = reuseKeys(subtle.generateKey.bind(subtle) as GenerateKey) as typeof subtle.generateKey;
}
