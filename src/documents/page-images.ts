import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type sharpModule from 'sharp';
import type { Sharp } from 'sharp';
import { imageSidePixelsMax, pagePixelsMax } from '../contract/document-limits.ts';
import { type ImageSize, imageSizes, imageWidths } from '../contract/image-sizes.ts';
import { randomId } from '../core/ids.ts';
import { optionalPackage } from '../core/optional-package.ts';
import { imageName } from './image-name.ts';

/** Rendered page with four bytes per pixel, in rows of `stride` bytes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly rgba: Uint8Array;
}

const pngEffort = 6;
const webpQuality = 80;
const webpEffort = 2;

/**
 * Computes the size of an image in whole pixels, within the maximum side length and number of pixels. The aspect
 * ratio is kept unless a side would be shorter than one pixel.
 */
export function boundedSize(
  wantedWidth: number,
  wantedHeight: number,
  pixelsMax = Number.POSITIVE_INFINITY,
): { readonly width: number; readonly height: number } {
  const sane = (side: number): number => (Number.isFinite(side) && side > 0 ? side : 1);
  const [width, height] = [sane(wantedWidth), sane(wantedHeight)];
  const scale = Math.min(
    1,
    imageSidePixelsMax / width,
    imageSidePixelsMax / height,
    Math.sqrt(pixelsMax / (width * height)),
  );
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Loads the image library. Throws `package-missing`. */
export async function imageMaker(): Promise<typeof sharpModule> {
  return (await optionalPackage('sharp', 'Document page images require', () => import('sharp'))).default;
}

/**
 * Writes the PNG images of a page in every size. A file gets its final name only when it is complete. Throws
 * `package-missing`.
 */
export async function writePageImages(
  picture: Picture,
  { folder, page }: { readonly folder: string; readonly page: number },
): Promise<void> {
  const sharp = await imageMaker();
  const compact = compactPixels(picture);
  await Promise.all(
    imageSizes.map((size) => {
      const image = sized(sharp, compact, size).png({ compressionLevel: pngEffort });
      return writeWhole(image, join(folder, imageName(page, size)));
    }),
  );
}

/** Converts a PNG image to WebP under the same name with `.webp` appended. Throws `package-missing`. */
export async function writeWebp(file: string): Promise<void> {
  const sharp = await imageMaker();
  const image = sharp(file, { limitInputPixels: pagePixelsMax }).webp({ quality: webpQuality, effort: webpEffort });
  await writeWhole(image, `${file}.webp`);
}

/**
 * Writes an image to a temporary file and renames it, so the final file is complete even if the process is
 * terminated.
 */
async function writeWhole(image: Sharp, file: string): Promise<void> {
  const beside = `${file}.${randomId()}`;
  await image.toFile(beside);
  await rename(beside, file);
}

interface CompactPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
}

function sized(sharp: typeof sharpModule, { data, width, height, channels }: CompactPixels, size: ImageSize): Sharp {
  const image = sharp(data, { raw: { width, height, channels } });
  if (size === 'original') return image;
  const wanted = imageWidths[size];
  const proportionate = Math.max(1, Math.round((height * wanted) / width));
  if (proportionate <= imageSidePixelsMax) return image.resize({ width: wanted, height: proportionate, fit: 'fill' });
  // An image of a very narrow page would exceed the maximum height, so the page is centered on white background of
  // the usual width.
  return image.resize({ width: wanted, height: imageSidePixelsMax, fit: 'contain', background: 'white' });
}

/** Removes the transparency of an image, and also its colors if it is gray. Most pages need neither. */
function compactPixels({ width, height, stride, rgba }: Picture): CompactPixels {
  const grey = greyPixels({ width, height, stride, rgba });
  if (grey !== null) return { data: grey, width, height, channels: 1 };
  const data = new Uint8Array(width * height * 3);
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const end = row * stride + width * 4;
    for (let at = row * stride; at < end; at += 4) {
      data[to] = rgba[at] ?? 0;
      data[to + 1] = rgba[at + 1] ?? 0;
      data[to + 2] = rgba[at + 2] ?? 0;
      to += 3;
    }
  }
  return { data, width, height, channels: 3 };
}

function greyPixels({ width, height, stride, rgba }: Picture): Uint8Array | null {
  const data = new Uint8Array(width * height);
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const end = row * stride + width * 4;
    for (let at = row * stride; at < end; at += 4) {
      const red = rgba[at] ?? 0;
      if (red !== rgba[at + 1] || red !== rgba[at + 2]) return null;
      data[to] = red;
      to += 1;
    }
  }
  return data;
}
