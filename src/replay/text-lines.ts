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

/** Maximum number of lines of a batch: few enough that they are gone before the garbage collector copies them. */
const batchLinesMax = 1_024;

/**
 * Yields the lines like `textLines`, many at a time, because waiting for each line takes longer than reading it.
 * @throws `file-unreadable` for invalid UTF-8 and for a line above the size limit
 */
export async function* textLineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  for await (const chunk of chunks) {
    const text = rest + decoded(decoder, chunk, number);
    let from = 0;
    let batch: string[] = [];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      batch.push(text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end));
      from = end + 1;
      if (batch.length < batchLinesMax) continue;
      number += batch.length;
      yield batch;
      batch = [];
    }
    number += batch.length;
    if (batch.length > 0) yield batch;
    rest = text.slice(from);
    if (rest.length > lineCharactersMax) {
      throw new NudgeLabError('file-unreadable', {
        message: `Line ${number + 1} has more than ${lineCharactersMax} characters, the maximum.`,
      });
    }
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
