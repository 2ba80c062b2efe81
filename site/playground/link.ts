import { rulesetBytesMax } from '../../src/core/limits.ts';
import { writtenRuleset } from './rulesets.ts';
import { fromFragment, type Settings, toFragment } from './settings.ts';

/** Maximum length of the text in a link. Browsers and chat applications cut longer ones. */
const packedCharactersMax = 60_000;

/** Fragment of the page for its settings. */
export interface Link {
  readonly fragment: string;
  /** False if the text of the ruleset is too long for a link. */
  readonly isComplete: boolean;
}

/** Settings of a link. */
export interface LinkedSettings {
  readonly settings: Settings;
  /** False if the link has a text that cannot be read. */
  readonly isReadable: boolean;
}

/** Writes settings as the fragment of a URL, with the compressed text of a written ruleset. */
export async function createLink(settings: Settings): Promise<Link> {
  const fragment = toFragment(settings);
  if (settings.ruleset !== writtenRuleset || settings.text === '') return { fragment, isComplete: true };
  const packed = await pack(settings.text);
  if (packed.length > packedCharactersMax) return { fragment, isComplete: false };
  return { fragment: `${fragment}&text=${packed}`, isComplete: true };
}

/**
 * Reads settings with the text of a written ruleset from the fragment of a URL.
 *
 * @param fragment - the fragment without its number sign
 * @param exampleIds - ids of the examples
 * @returns the settings; without the text if it cannot be read
 */
export async function readLink(fragment: string, exampleIds: readonly string[]): Promise<LinkedSettings> {
  const settings = fromFragment(fragment, exampleIds);
  const packed = new URLSearchParams(fragment).get('text');
  if (settings.ruleset !== writtenRuleset || packed === null) return { settings, isReadable: true };
  const text = await unpack(packed);
  return { settings: { ...settings, text: text ?? '' }, isReadable: text !== null };
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = await readAtMost(stream, Number.POSITIVE_INFINITY);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the text, or `null` if it is no compressed text or larger than a ruleset can be. */
async function unpack(packed: string): Promise<string | null> {
  if (packed.length > packedCharactersMax) return null;
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new TextDecoder('utf-8', { fatal: true }).decode(await readAtMost(stream, rulesetBytesMax));
  } catch {
    return null;
  }
}

/** Reads a stream. Throws RangeError beyond the maximum, so that a short link cannot fill the memory. */
async function readAtMost(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > bytesMax) {
      await reader.cancel();
      throw new RangeError('The text is too large.');
    }
    chunks.push(next.value);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
