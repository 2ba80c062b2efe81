import { NudgeLabError } from '../core/errors.ts';

/** Maximum line length in UTF-16 code units; no supported file has longer lines, and they would not fit into memory. */
const lineCharactersMax = 67_108_864;

/**
 * Yields the lines of a chunked UTF-8 text without line ends and byte order mark; the last line is included if it is
 * not empty.
 * @throws `file-unreadable` for invalid UTF-8 and for a line above the size limit
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  for await (const lines of textLineBatches(chunks)) yield* lines;
}

/**
 * Yields the lines like `textLines`, those of each chunk together, because waiting for each line takes longer than
 * reading it.
 * @throws `file-unreadable` for invalid UTF-8 and for a line above the size limit
 */
export async function* textLineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  for await (const chunk of chunks) {
    const parts = (rest + decoded(decoder, chunk, number)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > lineCharactersMax) {
      throw new NudgeLabError('file-unreadable', {
        message: `Line ${number + parts.length + 1} has more than ${lineCharactersMax} characters, the maximum.`,
      });
    }
    number += parts.length;
    yield parts.map((part) => (part.endsWith('\r') ? part.slice(0, -1) : part));
  }
  rest += decoded(decoder, undefined, number);
  if (rest !== '') yield [rest];
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined, number: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `The file is not valid UTF-8 after line ${number}.`, cause });
  }
}
