import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImageSize } from '../contract/document.schema.ts';
import { documentBytesMax, pagesDrawnAhead } from '../contract/document-limits.ts';
import { NudgeLabError } from '../core/errors.ts';
import { randomId } from '../core/ids.ts';
import { LruMap } from '../core/lru-map.ts';
import type { ReadProgress } from './document-reader.ts';
import { imageName } from './image-name.ts';
import { fileName, openedName, pagesName, type StoredDocument } from './stored-document.ts';

/** A file that stands in the store. */
export interface StoredFile {
  /** Names the folder: the SHA-256 of the file, with a mark for its images. */
  readonly digest: string;
  readonly bytes: number;
  readonly pages: number;
  readonly outline: string;
  readonly properties: StoredDocument['properties'];
}

/** Where files are kept for processes that share no folder. */
export interface DocumentArchive {
  put(digest: string, name: string, bytes: Uint8Array): Promise<void>;
  names(digest: string): Promise<readonly string[]>;
  get(digest: string, name: string): Promise<Uint8Array>;
}

/** How a file is to be taken. */
export interface FileStoreOptions {
  readonly webp: boolean;
  /** Opens an encrypted file. It is not kept. */
  readonly password?: string | undefined;
  readonly pagesMax?: number | undefined;
  readonly secondsMax?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Size and form of a page image. */
interface ImageForm {
  readonly size: ImageSize;
  readonly webp: boolean;
}

/** Characters of text that are held ready, of all documents together. */
const heldCharactersMax = 40_000_000;

/** Files made on demand for records without one that are kept. */
const madeMax = 200;

/** Documents may be private, so only the owner of the process opens their folder. */
const ownerOnly = 0o700;

/** Pages that could not be drawn whose reason is remembered. */
const unreadMax = 1_000;

/**
 * Where files stand with what was read from them: a folder for each content, shared by all sandboxes of a store. A folder is
 * filled aside and then put in its place in one step, so that what is there is whole.
 */
export class DocumentFileStore {
  readonly #durableFolder: string | null;
  #folder: string | null = null;
  readonly #claims = new Map<string, Set<string>>();
  readonly #texts = new LruMap<string, StoredDocument>({
    weightMax: heldCharactersMax,
    weightOf: ({ pages }) => pages.reduce((sum, { content }) => sum + content.length + 1, 1),
  });
  readonly #making = new Map<string, Promise<void>>();
  /** Pages that are being drawn, and images that are being made of them. */
  readonly #drawing = new Map<string, Promise<void>>();
  /** Ends what is being drawn when the store closes. */
  readonly #closing = new AbortController();
  readonly #unread = new LruMap<string, NudgeLabError>({ max: unreadMax });
  readonly #made = new LruMap<string, true>({
    max: madeMax,
    onDropped: (digest) => {
      if (this.#folder !== null) void rm(join(this.#folder, digest), { recursive: true, force: true });
    },
  });

  readonly #archive: DocumentArchive | null;
  readonly #fetching = new Map<string, Promise<void>>();

  /**
   * Takes the folder of a durable store, `null` for one that is forgotten with the process, and the archive that holds what
   * other processes have taken.
   */
  constructor(durableFolder: string | null, archive: DocumentArchive | null = null) {
    this.#durableFolder = durableFolder;
    this.#archive = archive;
  }

  /** Puts a document that was taken into the archive, where there is one. Resolves when it is safe. */
  async archive(digest: string): Promise<void> {
    if (this.#archive === null) return;
    const folder = join(this.#root(), digest);
    for (const name of readdirSync(folder)) {
      await this.#archive.put(digest, name, await readFile(join(folder, name)));
    }
  }

  /** Makes sure that the files of a document stand here, which another process may have taken. */
  async fetch(digest: string): Promise<void> {
    if (this.#archive === null || existsSync(join(this.#root(), digest))) return;
    let fetching = this.#fetching.get(digest);
    if (fetching === undefined) {
      fetching = this.#fetch(this.#archive, digest).finally(() => this.#fetching.delete(digest));
      this.#fetching.set(digest, fetching);
    }
    await fetching;
  }

  /**
   * Takes a file that is streamed in. Resolves with what it holds. Throws `document-too-large`, `document-unreadable`,
   * `document-encrypted`, `document-canceled`, `document-queue-full`, `store-failed`; nothing of it is left then.
   */
  async take(chunks: AsyncIterable<Uint8Array>, options: FileStoreOptions): Promise<StoredFile> {
    const stage = join(this.#root(), `staging-${randomId()}`);
    try {
      mkdirSync(stage);
      const file = join(stage, fileName);
      const { bytes, sha256 } = await receive(chunks, file, options.signal);
      // The library that reads PDFs is loaded for the first file, not for the program.
      const { readDocument } = await import('./document-reader.ts');
      const read = await readDocument({ ...options, file, folder: stage });
      const digest = options.webp ? sha256 : `${sha256}-png`;
      await this.#place(stage, digest);
      return { digest, bytes, pages: read.pages, outline: read.outline, properties: read.properties };
    } catch (error) {
      throw error instanceof NudgeLabError ? error : diskFault(error);
    } finally {
      await rm(stage, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Makes the file of a record that has none, unless it is there. Takes a digest of all that it depends on, and what makes it. */
  async make(digest: string, makeFile: () => Uint8Array): Promise<void> {
    if (this.#made.get(digest) === true) return;
    await once(this.#making, digest, async () => {
      await this.#fill(digest, makeFile);
      this.#made.set(digest, true);
    });
  }

  /** Pages, outline and properties of a file in the store. Throws `store-corrupt` where they are not there. */
  async read(digest: string): Promise<StoredDocument> {
    const held = this.#texts.get(digest);
    if (held !== undefined) return held;
    await this.fetch(digest);
    try {
      const stored = JSON.parse(await readFile(join(this.#root(), digest, pagesName), 'utf8')) as StoredDocument;
      this.#texts.set(digest, stored);
      return stored;
    } catch (cause) {
      throw new NudgeLabError('store-corrupt', { message: `The files of document ${digest} are missing.`, cause });
    }
  }

  /** The path of the PDF of a digest, made or taken. */
  filePath(digest: string): string {
    return join(this.#root(), digest, fileName);
  }

  /**
   * The path of a page image, which is drawn when it is first asked for. Takes the page from 1, and how many there are. Throws
   * `document-unreadable` and `document-too-large` for a page that cannot be drawn, `document-queue-full`, `package-missing`.
   */
  async image(
    digest: string,
    { page, pages, size, webp }: { readonly page: number; readonly pages: number } & ImageForm,
  ): Promise<string> {
    const png = join(this.#root(), digest, imageName(page, size));
    if (!webp) {
      if (!existsSync(png)) await this.#draw(digest, page, pages);
      return png;
    }
    const path = `${png}.webp`;
    if (existsSync(path)) return path;
    if (!existsSync(png)) await this.#draw(digest, page, pages);
    await once(this.#drawing, path, async () => {
      const { writeWebp } = await import('./page-images.ts');
      await writeWebp(png);
    });
    return path;
  }

  /** Says that a sandbox needs a digest; it stays until every sandbox that does is gone. */
  claim(digest: string, sandboxId: string): void {
    const holders = this.#claims.get(digest) ?? new Set();
    holders.add(sandboxId);
    this.#claims.set(digest, holders);
  }

  /** The digests that a sandbox needs. */
  claimedBy(sandboxId: string): readonly string[] {
    return [...this.#claims].filter(([, holders]) => holders.has(sandboxId)).map(([digest]) => digest);
  }

  /** A sandbox is gone: what it alone needed goes too. */
  async release(sandboxId: string): Promise<void> {
    for (const digest of this.claimedBy(sandboxId)) {
      const holders = this.#claims.get(digest);
      holders?.delete(sandboxId);
      if (holders?.size !== 0) continue;
      this.#claims.delete(digest);
      this.#texts.delete(digest);
      await rm(join(this.#root(), digest), { recursive: true, force: true });
    }
  }

  /** Removes what a process that broke off left behind. To be called once all claims are known. */
  sweep(): void {
    if (this.#durableFolder === null || !existsSync(this.#durableFolder)) return;
    for (const name of readdirSync(this.#durableFolder)) {
      if (!this.#claims.has(name)) rmSync(join(this.#durableFolder, name), { recursive: true, force: true });
    }
  }

  /** Forgets all files unless they are to outlive the process. */
  close(): void {
    this.#closing.abort();
    const folder = this.#folder;
    this.#folder = null;
    if (folder !== null && this.#durableFolder === null)
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #fetch(archive: DocumentArchive, digest: string): Promise<void> {
    const stage = join(this.#root(), `staging-${randomId()}`);
    try {
      mkdirSync(stage);
      const names = await archive.names(digest);
      for (const name of names) await writeFile(join(stage, name), await archive.get(digest, name));
      if (names.length > 0) await this.#place(stage, digest);
    } finally {
      await rm(stage, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #fill(digest: string, makeFile: () => Uint8Array): Promise<void> {
    const stage = join(this.#root(), `staging-${randomId()}`);
    try {
      mkdirSync(stage);
      await writeFile(join(stage, fileName), makeFile());
      await this.#place(stage, digest);
    } finally {
      await rm(stage, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** Draws a page, and those after it that are not there yet: who reads a document asks for them next. */
  async #draw(digest: string, page: number, pages: number): Promise<void> {
    for (;;) {
      const known = this.#unread.get(`${digest} ${page}`);
      if (known !== undefined) throw known;
      try {
        await (this.#drawing.get(`${digest} ${page}`) ?? this.#begin(digest, page, pages));
        return;
      } catch (error) {
        // The drawing ended at a page before this one, which is tried by itself then.
        if (error !== notReached) throw error;
      }
    }
  }

  #begin(digest: string, page: number, pages: number): Promise<void> | undefined {
    const last = Math.min(pages, page + pagesDrawnAhead);
    const wanted = Array.from({ length: last - page + 1 }, (_, index) => page + index).filter((one) => {
      const isDrawn = existsSync(join(this.#root(), digest, imageName(one, 'original')));
      return one === page || !(isDrawn || this.#drawing.has(`${digest} ${one}`));
    });
    const drawn = new Map(wanted.map((one) => [one, Promise.withResolvers<void>()]));
    for (const [one, { promise }] of drawn) {
      const key = `${digest} ${one}`;
      this.#drawing.set(key, promise);
      promise.catch(() => undefined).finally(() => this.#drawing.delete(key));
    }
    void this.#drawAll(digest, drawn);
    return drawn.get(page)?.promise;
  }

  async #drawAll(digest: string, drawn: ReadonlyMap<number, PromiseWithResolvers<void>>): Promise<void> {
    const folder = join(this.#root(), digest);
    const left = new Set(drawn.keys());
    try {
      const { drawPages } = await import('./document-reader.ts');
      const opened = join(folder, openedName);
      const file = existsSync(opened) ? opened : join(folder, fileName);
      const onDrawn = (page: number): void => {
        left.delete(page);
        drawn.get(page)?.resolve();
      };
      await drawPages({ file, folder, pages: [...left], onDrawn, signal: this.#closing.signal });
    } catch (error) {
      const [first] = left;
      const reason = error instanceof NudgeLabError ? error : diskFault(error);
      if (first !== undefined && isOfThePage(reason)) this.#unread.set(`${digest} ${first}`, reason);
      for (const page of left) drawn.get(page)?.reject(page === first || !isOfThePage(reason) ? reason : notReached);
    }
  }

  /** Puts a filled folder in its place; the same content may stand there already, and is the same then. */
  async #place(stage: string, digest: string): Promise<void> {
    const place = join(this.#root(), digest);
    if (!existsSync(place)) await rename(stage, place);
  }

  #root(): string {
    if (this.#folder === null) {
      this.#folder = this.#durableFolder ?? mkdtempSync(join(tmpdir(), 'nudgelab-documents-'));
      mkdirSync(this.#folder, { recursive: true, mode: ownerOnly });
    }
    return this.#folder;
  }
}

/** Writes a stream to a file, bounded in bytes. Returns the length and the SHA-256. */
async function receive(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > documentBytesMax) {
        done(
          new NudgeLabError('document-too-large', { message: `The file is longer than ${documentBytesMax} bytes.` }),
        );
        return;
      }
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(chunks, bounded, createWriteStream(file), ...(signal === undefined ? [] : [{ signal }]));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw new NudgeLabError('document-canceled', { message: 'The sending of the file was broken off.', cause: error });
  }
  if (bytes === 0) throw new NudgeLabError('document-unreadable', { message: 'The file is empty.' });
  return { bytes, sha256: hash.digest('hex') };
}

/** Why a page was not drawn that stands behind one that cannot be. */
const notReached = Symbol('not reached');

/** Does a task once for all who ask while it runs. */
async function once(running: Map<string, Promise<void>>, key: string, task: () => Promise<void>): Promise<void> {
  let run = running.get(key);
  if (run === undefined) {
    run = task().finally(() => running.delete(key));
    running.set(key, run);
  }
  await run;
}

/** Whether a page would fail again: it is damaged, or more than may be drawn. */
function isOfThePage({ code }: NudgeLabError): boolean {
  return code === 'document-unreadable' || code === 'document-too-large';
}

function diskFault(cause: unknown): NudgeLabError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NudgeLabError('store-failed', { message: `The file could not be kept: ${reason}.`, cause });
}
