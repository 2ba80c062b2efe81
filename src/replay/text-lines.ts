import { NudgeLabError } from '../core/errors.ts';

/** The longest line that is read: more is no line of a file that this program reads, and would not fit into memory. */
const lineBytesMax = 67_108_864;

/**
 * The lines of a UTF-8 text that comes in chunks, without their ends and without a byte order mark at the beginning; the last
 * one counts when anything stands in it. Throws `file-unreadable` for bytes that are no UTF-8 and for a line beyond all bounds.
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  for await (const chunk of chunks) {
    const parts = (rest + decoded(decoder, chunk, number)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > lineBytesMax) {
      throw new NudgeLabError('file-unreadable', {
        message: `Line ${number + parts.length + 1} is longer than ${lineBytesMax} characters.`,
      });
    }
    for (const part of parts) {
      number += 1;
      yield part.endsWith('\r') ? part.slice(0, -1) : part;
    }
  }
  rest += decoded(decoder, undefined, number);
  if (rest !== '') yield rest;
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | undefined, number: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `It is no UTF-8, after line ${number}.`, cause });
  }
}
