/**
 * Thread that reads one PDF or renders its pages. A separate thread is needed because the work takes seconds. The
 * memory of the thread is limited by replacing a function of its realm, and terminating the thread stops any effect
 * of a malicious file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { documentPixelsMax, documentTextCharactersMax } from '../contract/document-limits.ts';
import { NudgeLabError } from '../core/errors.ts';
import { imageMaker, writePageImages } from './page-images.ts';
import { PdfFile, pdfLibrary } from './pdf-file.ts';
import { boundMemory, wasRefusedMemory } from './pdf-memory.ts';
import { RejectedFile } from './rejected-file.ts';
import {
  type DrawOrder,
  openedName,
  pagesName,
  type ReaderMessage,
  type ReaderOrder,
  type ReadOrder,
  type StoredDocument,
  type StoredPage,
} from './stored-document.ts';

try {
  const order = workerData as ReaderOrder;
  if (order.task === 'read') await read(order);
  else await draw(order);
} catch (error) {
  tell({ type: 'refused', ...toRejection(error) });
}

async function read({ file, folder, pagesMax, webp, memoryBytesMax, password }: ReadOrder): Promise<void> {
  const pdf = await opened(file, memoryBytesMax, password);
  const pageCount = pdf.pageCount();
  if (pageCount === 0) throw new RejectedFile('unreadable', 'The file has no pages.');
  if (pageCount > pagesMax)
    throw new RejectedFile('too-large', `The file has ${pageCount} pages; the maximum is ${pagesMax}.`);
  tell({ type: 'opened', pages: pageCount });
  const pages: StoredPage[] = [];
  let pixels = 0;
  let characters = 0;
  for (let index = 0; index < pageCount; index += 1) {
    const page = pdf.read(index);
    characters += page.content.length;
    if (characters > documentTextCharactersMax) {
      throw new RejectedFile(
        'too-large',
        `The file has more than ${documentTextCharactersMax} characters of text, the maximum.`,
      );
    }
    pages.push(page);
    pixels += page.width * page.height;
    if (pixels > documentPixelsMax) {
      throw new RejectedFile(
        'too-large',
        `The pages of the file have more than ${documentPixelsMax} pixels, the maximum.`,
      );
    }
    tell({ type: 'page', number: index + 1 });
  }
  const { outline, properties } = pdf.metadata();
  const stored: StoredDocument = { pages, outline, properties: { ...properties, _tables: [], _format_webp: webp } };
  const withoutPassword = pdf.withoutPassword();
  await kept(async () => {
    writeFileSync(join(folder, pagesName), JSON.stringify(stored));
    if (withoutPassword !== null) writeFileSync(join(folder, openedName), withoutPassword);
  });
  tell({ type: 'read', pages: pageCount, outline, properties: stored.properties });
}

async function draw({ file, folder, pages, memoryBytesMax }: DrawOrder): Promise<void> {
  await imageMaker();
  const pdf = await opened(file, memoryBytesMax, '');
  tell({ type: 'opened', pages: pdf.pageCount() });
  for (const page of pages) {
    const picture = pdf.draw(page - 1);
    // The image is written before the next page is rendered, because rendering blocks this thread and would delay the
    // request for this page.
    await kept(() => writePageImages(picture, { folder, page }));
    tell({ type: 'page', number: page });
  }
  tell({ type: 'drawn' });
}

async function opened(file: string, memoryBytesMax: number, password: string): Promise<PdfFile> {
  await pdfLibrary();
  const bytes = readFileSync(file);
  boundMemory(memoryBytesMax + bytes.length);
  return PdfFile.open(bytes, password);
}

/** Writes a file. An error during writing is not attributed to the document. */
async function kept(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw notKept(error);
  }
}

function notKept(cause: unknown): RejectedFile {
  return new RejectedFile(
    'not-kept',
    `The file could not be stored: ${cause instanceof Error ? cause.message : String(cause)}.`,
  );
}

function tell(message: ReaderMessage): void {
  parentPort?.postMessage(message);
}

/**
 * Converts an error of the library to a rejection of the file, because the library aborts if memory or the file
 * format is insufficient.
 */
function toRejection(error: unknown): { readonly reason: RejectedFile['reason']; readonly message: string } {
  if (error instanceof RejectedFile) return { reason: error.reason, message: error.message };
  if (error instanceof NudgeLabError && error.code === 'package-missing') {
    return { reason: error.code, message: error.message };
  }
  if (wasRefusedMemory()) {
    return { reason: 'too-large', message: 'The file needs more memory than allowed for one file.' };
  }
  return { reason: 'unreadable', message: 'The file is damaged: it cannot be read to the end.' };
}
