import type { Request, RequestHandler, Response } from 'express';
import { type ImageSize, imageSizes } from '../../contract/image-sizes.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { countPages, type DocumentRecord } from '../../journal/document-state.ts';
import { getFolder } from '../../sandbox/documents/document-view.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getSandbox } from '../resolve-sandbox.ts';

const fileMethods = 'GET, HEAD, OPTIONS';

const filePath = /^\/docs\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{32})\/([^/]+)$/;
const imageFile = /^page-p([1-9]\d{0,6})-(small|normal|large|original)\.png(\.webp)?$/;

const common = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Sends a file or page image (D5), either whole or as a range. Fails with `not-found`, with `method-not-allowed`, or
 * with `access-denied` for a private file without a valid token.
 */
export const sendDocumentFile: RequestHandler = async (request, response, next) => {
  const { method } = request;
  if (method === 'OPTIONS') {
    response
      .writeHead(204, { ...common, Allow: fileMethods, 'Access-Control-Allow-Headers': 'Authorization, Range' })
      .end();
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    throw new NudgeLabError('method-not-allowed', {
      message: `Method "${method}" not allowed.`,
      headers: { Allow: fileMethods },
    });
  }
  const sandbox = getSandbox(response);
  await sandbox.documents.ready();
  const [, hex = '', name = ''] = filePath.exec(request.path) ?? [];
  const record = sandbox.documents.findByUid(hex);
  if (record === null || !request.path.startsWith(`/${getFolder(record.uid)}/`)) throw new NudgeLabError('not-found');
  await admit(sandbox, record, request);
  const file = findFile(record, name);
  if (file === null) throw new NudgeLabError('not-found');
  sendFile(response, await locateFile(sandbox, record, file), { file, isPrivate: !record.public, next });
};

type WantedFile =
  | { readonly kind: 'pdf' }
  | { readonly kind: 'image'; readonly page: number; readonly size: ImageSize; readonly webp: boolean };

function findFile(record: DocumentRecord, name: string): WantedFile | null {
  if (name === 'document.pdf') return { kind: 'pdf' };
  const [, page = '0', wanted, webp] = imageFile.exec(name) ?? [];
  const size = imageSizes.find((known) => known === wanted);
  if (size === undefined || Number(page) > countPages(record)) return null;
  if (webp !== undefined && !record.properties._format_webp) return null;
  return { kind: 'image', page: Number(page), size, webp: webp !== undefined };
}

/** Grants access to a private file to its owner and to holders of a URL with a valid token. */
async function admit(sandbox: Sandbox, record: DocumentRecord, request: Request): Promise<void> {
  if (record.public) return;
  const { token } = request.query;
  if (typeof token === 'string' && (await sandbox.fileTokens.holds(record.uid, token))) return;
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined && record.owner !== null) {
    const { subject } = await sandbox.tokens.verify(bearer);
    if (subject === record.owner) return;
  }
  throw new NudgeLabError('access-denied', {
    message: 'The URL of this file has expired or was never issued. Read the record again for a new URL.',
  });
}

interface PlacedFile {
  readonly path: string;
  readonly etag: string;
}

/** Returns the location of a file. Images, and PDFs of records without a file, are rendered on the first request. */
async function locateFile(sandbox: Sandbox, record: DocumentRecord, file: WantedFile): Promise<PlacedFile> {
  const { fileStore } = sandbox.documents;
  const digest = await sandbox.documents.fileDigest(record);
  const path =
    file.kind === 'pdf'
      ? fileStore.filePath(digest)
      : await fileStore.image(digest, { ...file, pages: countPages(record) });
  const part = file.kind === 'pdf' ? 'pdf' : `${file.page}-${file.size}${file.webp ? '-webp' : ''}`;
  return { path, etag: `"${digest.slice(0, 24)}-${part}"` };
}

function sendFile(
  response: Response,
  { path, etag }: PlacedFile,
  {
    file,
    isPrivate,
    next,
  }: { readonly file: WantedFile; readonly isPrivate: boolean; readonly next: (error: unknown) => void },
): void {
  const type = file.kind === 'pdf' ? 'application/pdf' : file.webp ? 'image/webp' : 'image/png';
  response.set({
    ...common,
    'Content-Type': type,
    ETag: etag,
    'Cache-Control': `${isPrivate ? 'private' : 'public'}, no-cache`,
  });
  // The modification time depends on the machine and is meaningless here. The ETag identifies the content.
  response.sendFile(path, { etag: false, lastModified: false, cacheControl: false, dotfiles: 'allow' }, (error) => {
    if (error !== undefined && error !== null && !response.headersSent) next(error);
  });
}
