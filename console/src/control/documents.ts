import { api, type Refusal, RefusedError, signInAgain } from './control-client.ts';

/** Progress of reading an uploaded file. */
export interface UploadProgress {
  readonly name: string;
  readonly page: number;
  /** Total number of pages, or `null` until the first page has been read. */
  readonly pages: number | null;
}

/** Options for uploading a file. */
export interface UploadOptions {
  readonly isPublic: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
}

/** Line of the streamed response: a page that was read, an error, or the finished document as the last line. */
interface Line {
  readonly progress?: { readonly page: number; readonly pages: number };
  readonly error?: Partial<Refusal>;
}

/**
 * Uploads a PDF and reports each page that is read. Throws `RefusedError` if the file is rejected, and an abort
 * error if the upload is canceled.
 */
export async function uploadDocument(sandbox: string, file: File, options: UploadOptions): Promise<void> {
  const { isPublic, signal, onProgress } = options;
  const { name } = file;
  onProgress({ name, page: 0, pages: null });
  const address = api.getUrl('uploadDocument', { sandbox, query: { public: String(isPublic), name } });
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/pdf', accept: 'application/x-ndjson' },
    body: file,
    signal,
  });
  for await (const { progress, error } of readLines(response)) {
    if (error?.code === 'control-key-invalid') signInAgain();
    if (error !== undefined) throw new RefusedError(complete(name, error));
    if (progress !== undefined) onProgress({ name, ...progress });
  }
}

/**
 * Yields the lines of a response as they arrive. An error before the first line is one object that may span several
 * lines.
 */
async function* readLines(response: Response): AsyncGenerator<Line> {
  if (!response.ok || response.body === null) {
    yield (await response.json()) as Line;
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    const lines = `${rest}${value ?? ''}`.split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line;
    if (done) return;
  }
}

function complete(file: string, { code = '', title = 'File rejected', ...rest }: Partial<Refusal>): Refusal {
  return { message: '', action: '', problems: [], requestId: '', ...rest, code, title: `${file}: ${title}` };
}
