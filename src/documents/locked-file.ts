import { unlockedBytesMax } from '../contract/document-limits.ts';

/**
 * Decrypts a file whose description of its encryption the library that reads PDFs rejects, though other viewers open it: the
 * copy of its permissions that is missing or does not match, or a length of the key that its version does not have. Takes the
 * bytes and the password. Returns `null` if the password is wrong, or if nothing here can decrypt the file.
 */
export async function unlockedCopy(bytes: Uint8Array, password: string): Promise<Uint8Array | null> {
  if (bytes.length > unlockedBytesMax) return null;
  try {
    const { PDFDocument } = await import('@cantoo/pdf-lib');
    const document = await PDFDocument.load(bytes, { password, updateMetadata: false });
    return await document.save({ useObjectStreams: false, updateFieldAppearances: false });
  } catch {
    // A wrong password, a damaged file, or a package that is not installed: the file stays locked.
    return null;
  }
}
