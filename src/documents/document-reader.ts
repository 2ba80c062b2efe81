import { Worker } from 'node:worker_threads';
import {
  documentPagesMax,
  documentReadersMax,
  documentSecondsMax,
  documentsWaitingMax,
  pageSecondsMax,
  pdfMemoryBytesMax,
} from '../contract/document-limits.ts';
import { afterDelay } from '../core/clock.ts';
import { type ErrorCode, NudgeLabError } from '../core/errors.ts';
import type { RefusalReason } from './rejected-file.ts';
import type { ReaderMessage, ReaderOrder, StoredDocument } from './stored-document.ts';

/** Progress of reading a file. */
export interface ReadProgress {
  readonly page: number;
  readonly pages: number;
}

/** Request to read a file. */
export interface ReadRequest {
  readonly file: string;
  readonly folder: string;
  readonly webp: boolean;
  /** Password of an encrypted file. */
  readonly password?: string | undefined;
  /** Limit that is lower than the default. The next two members have the same meaning. */
  readonly pagesMax?: number | undefined;
  readonly secondsMax?: number | undefined;
  readonly memoryBytesMax?: number | undefined;
  /** Signal that cancels the reading. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Request to render pages. */
export interface DrawRequest {
  readonly file: string;
  readonly folder: string;
  /** Page numbers from 1, in rendering order. */
  readonly pages: readonly number[];
  /** Callback for a page whose images exist. */
  readonly onDrawn: (page: number) => void;
  /** Signal that cancels the rendering. */
  readonly signal: AbortSignal;
}

/** Contents of a file, without its text. The text is in the folder. */
export type ReadDocument = Pick<StoredDocument, 'outline' | 'properties'> & { readonly pages: number };

/** Memory of the reading thread in MiB, in addition to the memory of the library. */
const threadMemoryMiB = 512;

const msPerSecond = 1000;

const codes: Readonly<Record<RefusalReason, ErrorCode>> = {
  unreadable: 'document-unreadable',
  encrypted: 'document-encrypted',
  'too-large': 'document-too-large',
  'not-kept': 'store-failed',
  'package-missing': 'package-missing',
};

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads the text, page sizes, outline and properties of a PDF in its own thread. Pages, pixels, memory and time are
 * limited. Throws `document-unreadable`, `document-encrypted`, `document-too-large`, `document-queue-full` if too
 * many files are queued, `document-canceled` and `package-missing`. After an error, the caller removes the folder.
 */
export function readDocument({
  file,
  folder,
  webp,
  password = '',
  pagesMax = documentPagesMax,
  memoryBytesMax = pdfMemoryBytesMax,
  ...limits
}: ReadRequest): Promise<ReadDocument> {
  const order: ReaderOrder = {
    ...{ task: 'read', file, folder, webp, password, memoryBytesMax },
    pagesMax: Math.min(pagesMax, documentPagesMax),
  };
  return inTurn(limits.signal, async () => {
    const done = await inThread(order, limits);
    if (done.type !== 'read') throw new TypeError('The thread that reads the file returned page images.');
    return done;
  });
}

/**
 * Renders pages of a PDF in their own thread and writes their images. The limits and errors are the same as in
 * `readDocument`. Images of pages that were rendered before an error remain.
 */
export function drawPages({ file, folder, pages, onDrawn, signal }: DrawRequest): Promise<void> {
  const order: ReaderOrder = { task: 'draw', file, folder, pages, memoryBytesMax: pdfMemoryBytesMax };
  return inTurn(signal, async () => {
    await inThread(order, { onProgress: ({ page }) => onDrawn(page), signal });
  });
}

async function inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  await turn(signal);
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Waits until the number of concurrent readings is below the limit. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  if (running >= documentReadersMax) {
    if (waiting.length >= documentsWaitingMax) {
      throw new NudgeLabError('document-queue-full', {
        message: `${waiting.length} files are already waiting to be read.`,
      });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const drop = (): void => {
      const place = waiting.indexOf(resolve);
      if (place === -1) return;
      waiting.splice(place, 1);
      running -= 1;
      resolve();
    };
    waiting.push(resolve);
    signal?.addEventListener('abort', drop, { once: true });
    await promise;
    signal?.removeEventListener('abort', drop);
  }
  running += 1;
  if (signal?.aborted !== true) return;
  running -= 1;
  throw canceled();
}

type Finished = Extract<ReaderMessage, { readonly type: 'read' | 'drawn' }>;

async function inThread(
  order: ReaderOrder,
  { secondsMax = documentSecondsMax, signal, onProgress }: Pick<ReadRequest, 'secondsMax' | 'signal' | 'onProgress'>,
): Promise<Finished> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./pdf-worker.${extension}`, import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMiB },
    // The output of the library is discarded because its errors contain the same information.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Finished>();
  const tooSlow = (seconds: number): void =>
    reject(
      new NudgeLabError('document-too-large', { message: `Reading the file took longer than ${seconds} seconds.` }),
    );
  const cancelWhole = afterDelay(secondsMax * msPerSecond, () => tooSlow(secondsMax));
  const nextPage = (): (() => void) => afterDelay(pageSecondsMax * msPerSecond, () => tooSlow(pageSecondsMax));
  let cancelPage = nextPage();
  const abort = (): void => reject(canceled());
  signal?.addEventListener('abort', abort, { once: true });
  let pages = 0;
  worker.on('message', (message: ReaderMessage) => {
    cancelPage();
    cancelPage = nextPage();
    if (message.type === 'opened') pages = message.pages;
    else if (message.type === 'page') onProgress?.({ page: message.number, pages });
    else if (message.type === 'read' || message.type === 'drawn') resolve(message);
    else reject(new NudgeLabError(codes[message.reason], { message: message.message }));
  });
  worker.on('error', (cause) => reject(toRejection(cause)));
  worker.on('exit', () => reject(new NudgeLabError('document-unreadable', { message: 'The file cannot be read.' })));
  try {
    return await promise;
  } finally {
    cancelWhole();
    cancelPage();
    signal?.removeEventListener('abort', abort);
    // The thread must end before the caller removes the folder that it writes to.
    await worker.terminate();
  }
}

function toRejection(cause: unknown): NudgeLabError {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new NudgeLabError(isMemory ? 'document-too-large' : 'document-unreadable', {
    message: isMemory ? 'The file needs more memory than allowed for one file.' : 'The file cannot be read.',
    cause,
  });
}

function canceled(): NudgeLabError {
  return new NudgeLabError('document-canceled', {
    message: 'Reading the file was canceled; nothing was stored.',
  });
}
