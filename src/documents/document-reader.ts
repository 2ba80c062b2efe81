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

/** How far the reading of a file has come. */
export interface ReadProgress {
  readonly page: number;
  readonly pages: number;
}

/** What is to be read, and how. */
export interface ReadRequest {
  readonly file: string;
  readonly folder: string;
  readonly webp: boolean;
  /** Opens an encrypted file. */
  readonly password?: string | undefined;
  /** Lower limits than the defaults. */
  readonly pagesMax?: number | undefined;
  readonly secondsMax?: number | undefined;
  readonly memoryBytesMax?: number | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** What is to be drawn. */
export interface DrawRequest {
  readonly file: string;
  readonly folder: string;
  /** Pages from 1, in the order in which they are drawn. */
  readonly pages: readonly number[];
  /** Is called when the images of a page are there. */
  readonly onDrawn: (page: number) => void;
  /** Ends the drawing. */
  readonly signal: AbortSignal;
}

/** What a file turned out to hold; its text stands in the folder. */
export type ReadDocument = Pick<StoredDocument, 'outline' | 'properties'> & { readonly pages: number };

/** Memory of the reading thread beside that of the library, in MiB. */
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
 * Reads a PDF in a thread of its own: text, sizes of pages, outline, properties. It is bounded in pages, pixels, memory and time.
 * Throws `document-unreadable`, `document-encrypted`, `document-too-large`, `document-queue-full` when too many files wait,
 * `document-canceled`, and `package-missing`; the folder is then the caller's to remove.
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
    if (done.type !== 'read') throw new TypeError('The thread that reads a file drew it.');
    return done;
  });
}

/**
 * Draws pages of a PDF in a thread of its own and writes their images. It is bounded as reading is. Throws what that throws;
 * the images of pages that were drawn before stay.
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

/** Waits until fewer files are read than may be at once. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  if (running >= documentReadersMax) {
    if (waiting.length >= documentsWaitingMax) {
      throw new NudgeLabError('document-queue-full', { message: `${waiting.length} files wait to be read already.` });
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
    // What the library says of a file is told by its error.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Finished>();
  const tooSlow = (seconds: number): void =>
    reject(new NudgeLabError('document-too-large', { message: `The file was not read within ${seconds} seconds.` }));
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
  worker.on('error', (cause) => reject(refusalOf(cause)));
  worker.on('exit', () => reject(new NudgeLabError('document-unreadable', { message: 'The file cannot be read.' })));
  try {
    return await promise;
  } finally {
    cancelWhole();
    cancelPage();
    signal?.removeEventListener('abort', abort);
    // Ended before anybody removes the folder that it writes to.
    await worker.terminate();
  }
}

function refusalOf(cause: unknown): NudgeLabError {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new NudgeLabError(isMemory ? 'document-too-large' : 'document-unreadable', {
    message: isMemory ? 'The file needs more memory than one file may.' : 'The file cannot be read.',
    cause,
  });
}

function canceled(): NudgeLabError {
  return new NudgeLabError('document-canceled', {
    message: 'The reading of the file was canceled; nothing was kept.',
  });
}
