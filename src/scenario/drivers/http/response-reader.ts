/** Response with its complete body. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** What the next bytes are: a line of one of these kinds, or content. */
type Part = 'status' | 'header' | 'chunk-size' | 'chunk-end' | 'trailer' | 'content' | 'nothing';

const [switchingProtocols, firstFinalStatus, noContent, notModified] = [101, 200, 204, 304];

/** Maximum number of bytes of all lines, the same as in Node.js. */
const lineBytesMax = 16_384;
const lineFeed = 10;

/**
 * Reads the response to one request, as strictly as Node.js does: whatever makes its end unclear is an error.
 *
 * @see RFC 9112, sections 2 to 7
 */
export class ResponseReader {
  readonly #isHead: boolean;
  #part: Part = 'status';
  #line = '';
  #lineBytes = 0;
  #status = 0;
  #isOld = false;
  #headers: Record<string, string | string[]> = Object.create(null);
  readonly #content: Buffer[] = [];
  /** Number of content bytes until the end of the body or chunk, or infinite if the body ends with the connection. */
  #missing = 0;
  #isChunked = false;
  #hasSurplus = false;

  /** Creates the reader of a response, to a request with the method HEAD or to another one. */
  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  /** True if the response is complete. */
  get isComplete(): boolean {
    return this.#part === 'nothing';
  }

  /** True if another request can follow on the connection of a complete response. */
  get canContinue(): boolean {
    const preference = String(this.#headers['connection'] ?? '').toLowerCase();
    const isKept = this.#isOld ? preference.includes('keep-alive') : !preference.includes('close');
    return isKept && !this.#hasSurplus && this.#missing === 0;
  }

  /** Returns the response, once it is complete. */
  answer(): HttpAnswer {
    return { status: this.#status, headers: this.#headers, text: Buffer.concat(this.#content).toString('utf8') };
  }

  /** Reads bytes, which it copies. Throws if they are not a response. */
  read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      at = this.#part === 'content' ? this.#readContent(bytes, at) : this.#readLine(bytes, at);
    }
    this.#hasSurplus ||= at < bytes.length;
  }

  /** Reads the end of the connection, which completes a body without a stated length. */
  end(): void {
    if (this.#part === 'content' && this.#missing === Number.POSITIVE_INFINITY) this.#part = 'nothing';
  }

  #readContent(bytes: Buffer, from: number): number {
    const to = Math.min(bytes.length, from + this.#missing);
    this.#content.push(Buffer.from(bytes.subarray(from, to)));
    this.#missing -= to - from;
    if (this.#missing === 0) this.#part = this.#isChunked ? 'chunk-end' : 'nothing';
    return to;
  }

  #readLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(lineFeed, from);
    const to = end === -1 ? bytes.length : end + 1;
    this.#lineBytes += to - from;
    if (this.#lineBytes > lineBytesMax) throw new Error(`the headers are longer than ${lineBytesMax} bytes`);
    this.#line += bytes.toString('latin1', from, to);
    if (end === -1) return to;
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n')) throw new Error('a line does not end with CRLF');
    this.#take(line.slice(0, -2));
    return to;
  }

  #take(line: string): void {
    switch (this.#part) {
      case 'status':
        return this.#takeStatus(line);
      case 'header':
        return line === '' ? this.#beginBody() : this.#takeHeader(line);
      case 'chunk-size':
        return this.#takeChunkSize(line);
      case 'chunk-end':
        if (line !== '') throw new Error('a chunk is longer than its size');
        this.#part = 'chunk-size';
        this.#lineBytes = 0;
        return;
      case 'trailer':
        if (line === '') this.#part = 'nothing';
        else parseHeader(line);
        return;
    }
  }

  #takeStatus(line: string): void {
    const [, version, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/.exec(line) ?? [];
    if (status === undefined) throw new Error('the first line is not a status line');
    this.#status = Number(status);
    this.#isOld = version === '0';
    this.#headers = Object.create(null);
    this.#part = 'header';
  }

  #takeHeader(line: string): void {
    const [name, value] = parseHeader(line);
    const earlier = this.#headers[name];
    if (name === 'set-cookie') this.#headers[name] = [...(earlier ?? []), value];
    else if (earlier === undefined) this.#headers[name] = value;
    else if (!singleHeaders.has(name)) this.#headers[name] = `${earlier}, ${value}`;
  }

  /** Decides where the body ends. */
  #beginBody(): void {
    const { 'content-length': length, 'transfer-encoding': coding } = this.#headers;
    if (this.#status === switchingProtocols) throw new Error('the server changes the protocol');
    if (this.#status < firstFinalStatus) this.#part = 'status';
    else if (this.#isHead || this.#status === noContent || this.#status === notModified) this.#part = 'nothing';
    else if (coding !== undefined) {
      if (length !== undefined || String(coding).toLowerCase() !== 'chunked') throw new Error('the length is unclear');
      this.#isChunked = true;
      this.#part = 'chunk-size';
    } else {
      if (length !== undefined && !/^\d{1,15}$/.test(String(length))) throw new Error('the length is not a number');
      this.#missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      this.#part = this.#missing === 0 ? 'nothing' : 'content';
    }
  }

  #takeChunkSize(line: string): void {
    const size = /^([\da-f]{1,12})[ \t]*(?:;|$)/i.exec(line)?.[1];
    if (size === undefined) throw new Error('a chunk has no size');
    this.#missing = Number.parseInt(size, 16);
    this.#part = this.#missing === 0 ? 'trailer' : 'content';
  }
}

/** Headers of which the first one counts, as in Node.js. A repeated length is an error. */
const singleHeaders: ReadonlySet<string> = new Set(['content-type', 'etag', 'location', 'retry-after']);

/** Returns the name of a header in lower case, and its value. Throws for a line that is not a header. */
function parseHeader(line: string): readonly [name: string, value: string] {
  const at = line.indexOf(':');
  const name = line.slice(0, at);
  if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new Error('a header line has no name');
  const value = line.slice(at + 1).trim();
  if (/[\0\r]/.test(value)) throw new Error(`the header ${name} contains an invalid character`);
  return [name.toLowerCase(), value];
}
