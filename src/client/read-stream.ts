/** Readers of streamed responses. They yield values as they arrive. */

/** Yields the text of a response as it arrives. Ending the iteration cancels the response. */
export async function* readText({ body }: Response): AsyncGenerator<string, void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Function that parses a part of a stream. */
export type ParsePart = (text: string) => unknown;

/** Yields the JSON value of each line (NDJSON). */
export async function* readLines(response: Response, parse: ParsePart): AsyncGenerator<unknown, void> {
  for await (const line of splitText(response, '\n')) if (line.trim() !== '') yield parse(line);
}

/** Yields the JSON value of each server-sent event. Comments, names and ids are skipped. */
export async function* readEvents(response: Response, parse: ParsePart): AsyncGenerator<unknown, void> {
  for await (const block of splitText(response, '\n\n')) {
    const data = block.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
    if (data.length > 0) yield parse(data.join('\n'));
  }
}

/** Yields the parts of a text between separators. An incomplete last part is yielded too if the response ends. */
async function* splitText(response: Response, separator: string): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of readText(response)) {
    const parts = (rest + text).split(separator);
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

/**
 * Makes a reader of a response cancel it also when it is ended before its first value. A generator that was not started
 * ends without running, so the connection would stay open.
 */
export function cancelUnread<T>({ body }: Response, items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const end = items.return.bind(items);
  items.return = async (value) => {
    if (body !== null && !body.locked) await body.cancel().catch(() => undefined);
    return end(value);
  };
  return items;
}
