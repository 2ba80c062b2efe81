import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { documentBytesMax, pagesDrawnAhead } from '../contract/document-limits.ts';
import type { ImageSize } from '../contract/image-sizes.ts';
import { NudgeLabError } from '../core/errors.ts';
import { randomId } from '../core/ids.ts';
import { LruMap } from '../core/lru-map.ts';
import type { ReadProgress } from './document-reader.ts';
import { imageName } from './image-name.ts';
import { fileName, openedName, pagesName, type StoredDocument } from './stored-document.ts';

/** File in the store. */
export interface StoredFile {
  /** Name of the folder: the SHA-256 hash of the file, with a suffix if its images exist only as PNG. */
  readonly digest: string;
  readonly bytes: number;
  readonly pages: number;
  readonly outline: string;
  readonly properties: StoredDocument['properties'];
}

/** Shared archive of document files for processes without a common folder. */
export interface DocumentArchive {
  put(digest: string, name: string, bytes: Uint8Array): Promise<void>;
  names(digest: string): Promise<readonly string[]>;
  get(digest: string, name: string): Promise<Uint8Array>;
}

/** Options for storing a file. */
export interface FileStoreOptions {
  readonly webp: boolean;
  /** Password of an encrypted file. It is not stored. */
  readonly password?: string | undefined;
  readonly pagesMax?: number | undefined;
  readonly secondsMax?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Size and format of a page image. */
interface ImageForm {
  readonly size: ImageSize;
  readonly webp: boolean;
}

/** Maximum number of cached text characters of all documents together. */
const cachedCharactersMax = 40_000_000;

/** Maximum number of stored files that were generated for records without a file. */
const madeMax = 200;

/** File mode of the document folder. Documents can be private, so only the owner of the process has access. */
const ownerOnly = 0o700;

/** Maximum number of pages whose rendering errors are cached. */
const unreadMax = 1_000;

/**
 * Store of document files and the data read from them. Each distinct content has its own folder, which all
 * sandboxes of a journal store share. A folder is filled in a staging location and then moved in one step, so it is
 * always complete.
 */
export class DocumentFileStore {
  readonly #durableFolder: string | null;
  #folder: string | null = null;
  readonly #claims = new Map<string, Set<string>>();
  readonly #texts = new LruMap<string, StoredDocument>({
    weightMax: cachedCharactersMax,
    computeWeight: ({ pages }) => pages.reduce((sum, { content }) => sum + content.length + 1, 1),
  });
  readonly #making = new Map<string, Promise<void>>();
  /** Pages in rendering, and images in creation. */
  readonly #drawing = new Map<string, Promise<void>>();
  /** Controller that aborts all rendering when the store closes. */
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
   * Opens a store.
   * @param durableFolder - folder of a durable store; `null` for a store that is deleted when the process ends
   * @param archive - archive with the files of other processes; `null` if there is none
   */
  constructor(durableFolder: string | null, archive: DocumentArchive | null = null) {
    this.#durableFolder = durableFolder;
    this.#archive = archive;
  }

  /** Copies a stored document to the archive, if there is one. Resolves when the copy is complete. */
  async archive(digest: string): Promise<void> {
    if (this.#archive === null) return;
    const folder = join(this.#root(), digest);
    for (const name of readdirSync(folder)) {
      await this.#archive.put(digest, name, await readFile(join(folder, name)));
    }
  }

  /** Copies the files of a document from the archive if this process does not have them. */
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
   * Stores a streamed file and resolves with its contents. Throws `document-too-large`, `document-unreadable`,
   * `document-encrypted`, `document-canceled`, `document-queue-full` or `store-failed`. After an error, no part of
   * the file remains.
   */
  async take(chunks: AsyncIterable<Uint8Array>, options: FileStoreOptions): Promise<StoredFile> {
    const stage = join(this.#root(), `staging-${randomId()}`);
    try {
      mkdirSync(stage);
      const file = join(stage, fileName);
      const { bytes, sha256 } = await receive(chunks, file, options.signal);
      // The PDF library is loaded on demand for the first file to keep startup fast.
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

  /** Creates the file of a record that has none, unless it already exists. `digest` covers all inputs of the file. */
  async make(digest: string, makeFile: () => Uint8Array): Promise<void> {
    if (this.#made.get(digest) === true) return;
    await once(this.#making, digest, async () => {
      await this.#fill(digest, makeFile);
      this.#made.set(digest, true);
    });
  }

  /**
   * Reads the pages, the outline and the properties of a stored file. Throws `store-corrupt` if they do not exist.
   */
  async read(digest: string): Promise<StoredDocument> {
    const cached = this.#texts.get(digest);
    if (cached !== undefined) return cached;
    await this.fetch(digest);
    try {
      const stored = JSON.parse(await readFile(join(this.#root(), digest, pagesName), 'utf8')) as StoredDocument;
      this.#texts.set(digest, stored);
      return stored;
    } catch (cause) {
      throw new NudgeLabError('store-corrupt', { message: `The files of document ${digest} are missing.`, cause });
    }
  }

  /** Returns the path of the stored or generated PDF with this digest. */
  filePath(digest: string): string {
    return join(this.#root(), digest, fileName);
  }

  /**
   * Returns the path of a page image, which is rendered on first use. Pages are numbered from 1. Throws
   * `document-unreadable` and `document-too-large` if the page cannot be rendered, `document-queue-full` and
   * `package-missing`.
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

  /** Records that a sandbox uses a digest. The files remain until no sandbox uses them. */
  claim(digest: string, sandboxId: string): void {
    const holders = this.#claims.get(digest) ?? new Set();
    holders.add(sandboxId);
    this.#claims.set(digest, holders);
  }

  /** Lists the digests that a sandbox uses. */
  claimedBy(sandboxId: string): readonly string[] {
    return [...this.#claims].filter(([, holders]) => holders.has(sandboxId)).map(([digest]) => digest);
  }

  /** Releases the files of a deleted sandbox. Files that no other sandbox uses are deleted. */
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

  /** Removes the remains of a terminated process. It must be called after all claims are known. */
  sweep(): void {
    if (this.#durableFolder === null || !existsSync(this.#durableFolder)) return;
    for (const name of readdirSync(this.#durableFolder)) {
      if (!this.#claims.has(name)) rmSync(join(this.#durableFolder, name), { recursive: true, force: true });
    }
  }

  /** Closes the store, and deletes all files unless the store is durable. */
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

  /** Renders a page and the missing pages after it, because a reader usually requests them next. */
  async #draw(digest: string, page: number, pages: number): Promise<void> {
    for (;;) {
      const known = this.#unread.get(`${digest} ${page}`);
      if (known !== undefined) throw known;
      try {
        await (this.#drawing.get(`${digest} ${page}`) ?? this.#begin(digest, page, pages));
        return;
      } catch (error) {
        // An earlier page stopped the rendering, so this page is tried separately.
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

  /**
   * Moves a filled folder to its final location. An existing folder there is kept, because it has the same content.
   */
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

/** Writes a stream to a file of limited size. Returns its length in bytes and its SHA-256 hash. */
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
          new NudgeLabError('document-too-large', {
            message: `The file has more than ${documentBytesMax} bytes, the maximum.`,
          }),
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
    throw new NudgeLabError('document-canceled', { message: 'The upload of the file was interrupted.', cause: error });
  }
  if (bytes === 0) throw new NudgeLabError('document-unreadable', { message: 'The file is empty.' });
  return { bytes, sha256: hash.digest('hex') };
}

/** Rejection reason of a page that was not rendered because an earlier page failed. */
const notReached = Symbol('not reached');

/** Runs a task once for all concurrent callers with the same key. */
async function once(running: Map<string, Promise<void>>, key: string, task: () => Promise<void>): Promise<void> {
  let run = running.get(key);
  if (run === undefined) {
    run = task().finally(() => running.delete(key));
    running.set(key, run);
  }
  await run;
}

/** Checks whether an error would occur again because the page is damaged or too large to render. */
function isOfThePage({ code }: NudgeLabError): boolean {
  return code === 'document-unreadable' || code === 'document-too-large';
}

function diskFault(cause: unknown): NudgeLabError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NudgeLabError('store-failed', { message: `The file could not be stored: ${reason}.`, cause });
}
