/**
 * The thread that reads one PDF. It is a thread of its own because it computes for seconds, because its memory is bounded by
 * replacing a function of its realm, and because ending it ends whatever a hostile file makes it do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { documentPixelsMax, documentTextCharactersMax } from '../contract/document-limits.ts';
import { NudgeLabError } from '../core/errors.ts';
import { imageMaker, writePageImages } from './page-images.ts';
import { PdfFile, pdfLibrary } from './pdf-file.ts';
import { boundMemory, wasRefusedMemory } from './pdf-memory.ts';
import { RefusedFile } from './refused-file.ts';
import type { ReaderMessage, ReadOrder, StoredDocument, StoredPage } from './stored-document.ts';

/** Pages whose images are being written while the next one is drawn. */
const pagesAhead = 2;

try {
  await readAll(workerData as ReadOrder);
} catch (error) {
  tell({ type: 'refused', ...refusalOf(error) });
}

async function readAll({ file, folder, pagesMax, webp, memoryBytesMax, images }: ReadOrder): Promise<void> {
  await pdfLibrary();
  if (images) await imageMaker();
  const bytes = readFileSync(file);
  boundMemory(memoryBytesMax + bytes.length);
  const pdf = await PdfFile.open(bytes);
  const pageCount = pdf.pageCount();
  if (pageCount === 0) throw new RefusedFile('unreadable', 'The file has no pages.');
  if (pageCount > pagesMax)
    throw new RefusedFile('too-large', `The file has ${pageCount} pages, more than ${pagesMax}.`);
  tell({ type: 'opened', pages: pageCount });
  const pages: StoredPage[] = [];
  const writing: Promise<void>[] = [];
  let pixels = 0;
  let characters = 0;
  for (let index = 0; index < pageCount; index += 1) {
    const { content, picture } = pdf.page(index);
    characters += content.length;
    if (characters > documentTextCharactersMax) {
      throw new RefusedFile('too-large', `The file has more than ${documentTextCharactersMax} characters of text.`);
    }
    const { width, height } = picture;
    pages.push({ content, width, height });
    pixels += width * height;
    if (pixels > documentPixelsMax) {
      throw new RefusedFile('too-large', `The pages of the file have more than ${documentPixelsMax} pixels.`);
    }
    if (images) writing.push(writePageImages(picture, { folder, page: index + 1, webp }));
    if (writing.length >= pagesAhead) await writing.shift();
    tell({ type: 'page', number: index + 1 });
  }
  await Promise.all(writing);
  const { outline, properties } = pdf.metadata();
  const stored: StoredDocument = { pages, outline, properties: { ...properties, _tables: [], _format_webp: webp } };
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(stored));
  tell({ type: 'read', pages: pageCount, outline, properties: stored.properties });
}

function tell(message: ReaderMessage): void {
  parentPort?.postMessage(message);
}

/** What goes wrong inside the library is the file's fault: it aborts where memory or the format gives out. */
function refusalOf(error: unknown): { readonly reason: RefusedFile['reason']; readonly message: string } {
  if (error instanceof RefusedFile) return { reason: error.reason, message: error.message };
  if (error instanceof NudgeLabError && error.code === 'package-missing') {
    return { reason: error.code, message: error.message };
  }
  if (wasRefusedMemory()) {
    return { reason: 'too-large', message: 'The file needs more memory than one file may.' };
  }
  return { reason: 'unreadable', message: 'The file is damaged: it cannot be read to its end.' };
}
