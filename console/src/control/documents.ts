import { api, isRefusal, RefusedError } from './control-client.ts';

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

/**
 * Uploads a PDF and reports each page that is read. Throws `RefusedError` if the file is rejected, and an abort
 * error if the upload is canceled.
 */
export async function uploadDocument(sandbox: string, file: File, options: UploadOptions): Promise<void> {
  const { isPublic, signal, onProgress } = options;
  const { name } = file;
  onProgress({ name, page: 0, pages: null });
  try {
    const query = { public: String(isPublic), name };
    await api.uploadDocument({ sandbox, query, file, signal, onProgress: (read) => onProgress({ name, ...read }) });
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    throw new RefusedError({ ...cause.refusal, title: `${name}: ${cause.refusal.title}` }, { cause });
  }
}
