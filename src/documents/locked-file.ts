import { unlockedBytesMax } from '../contract/document-limits.ts';

/**
 * Decrypts a file that other viewers open but the PDF library rejects. The encryption dictionary of such a file has
 * a missing or incorrect copy of the permissions, or a key length that its version does not allow. Returns `null`
 * if the password is incorrect or the file cannot be decrypted.
 */
export async function unlockedCopy(bytes: Uint8Array, password: string): Promise<Uint8Array | null> {
  if (bytes.length > unlockedBytesMax) return null;
  try {
    const { PDFDocument } = await import('@cantoo/pdf-lib');
    const document = await PDFDocument.load(bytes, { password, updateMetadata: false });
    return await document.save({ useObjectStreams: false, updateFieldAppearances: false });
  } catch {
    // The password is incorrect, the file is damaged, or a package is not installed. The file remains encrypted.
    return null;
  }
}
