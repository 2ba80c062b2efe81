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
import type { RefusalReason } from './refused-file.ts';
import type { ReaderMessage, ReadOrder, StoredDocument } from './stored-document.ts';

/** How far the reading of a file has come. */
export interface ReadProgress {
  readonly page: number;
  readonly pages: number;
}

/** What is to be read, and how. */
export interface ReadRequest {
  readonly file: string;
  readonly folder: string;
  readonly images: boolean;
  readonly webp: boolean;
  /** Lower limits than those of the house. */
  readonly pagesMax?: number | undefined;
  readonly secondsMax?: number | undefined;
  readonly memoryBytesMax?: number | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
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
  'package-missing': 'package-missing',
};

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a PDF in a thread of its own: text, outline, properties, and images where they are wanted. It is bounded in pages,
 * pixels, memory and time. Throws `document-unreadable`, `document-encrypted`, `document-too-large`, `documents-waiting` when
 * too many files wait, `document-cancelled`, and `package-missing`; the folder is then the caller's to remove.
 */
export async function readDocument(request: ReadRequest): Promise<ReadDocument> {
  await turn(request.signal);
  try {
    return await readInThread(request);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Waits until fewer files are read than may be at once. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  if (running >= documentReadersMax) {
    if (waiting.length >= documentsWaitingMax) {
      throw new NudgeLabError('documents-waiting', { message: `${waiting.length} files wait to be read already.` });
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
  throw cancelled();
}

async function readInThread(request: ReadRequest): Promise<ReadDocument> {
  const { secondsMax = documentSecondsMax, signal, onProgress } = request;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./pdf-worker.${extension}`, import.meta.url), {
    workerData: orderOf(request),
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMiB },
    // What the library says of a file is told by its error.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
  const tooSlow = (seconds: number): void =>
    reject(new NudgeLabError('document-too-large', { message: `The file was not read within ${seconds} seconds.` }));
  const cancelWhole = afterDelay(secondsMax * msPerSecond, () => tooSlow(secondsMax));
  const nextPage = (): (() => void) => afterDelay(pageSecondsMax * msPerSecond, () => tooSlow(pageSecondsMax));
  let cancelPage = nextPage();
  const abort = (): void => reject(cancelled());
  signal?.addEventListener('abort', abort, { once: true });
  let pages = 0;
  worker.on('message', (message: ReaderMessage) => {
    cancelPage();
    cancelPage = nextPage();
    if (message.type === 'opened') pages = message.pages;
    else if (message.type === 'page') onProgress?.({ page: message.number, pages });
    else if (message.type === 'read') resolve(message);
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

function orderOf(request: ReadRequest): ReadOrder {
  const { file, folder, images, webp, pagesMax = documentPagesMax, memoryBytesMax = pdfMemoryBytesMax } = request;
  return { file, folder, images, webp, pagesMax: Math.min(pagesMax, documentPagesMax), memoryBytesMax };
}

function refusalOf(cause: unknown): NudgeLabError {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new NudgeLabError(isMemory ? 'document-too-large' : 'document-unreadable', {
    message: isMemory ? 'The file needs more memory than one file may.' : 'The file cannot be read.',
    cause,
  });
}

function cancelled(): NudgeLabError {
  return new NudgeLabError('document-cancelled', {
    message: 'The reading of the file was cancelled; nothing was kept.',
  });
}
