import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { digestInputs, readInputs } from './digest.ts';
import type { Frame, Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { openStage, type PictureStage } from './stage.ts';

/** Folder of the pictures. */
export const picturesFolder: string = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** File with the digest of the inputs of each picture, beside the pictures. */
export const manifestPath = `${picturesFolder}manifest.json`;

/** Digests of the inputs by picture. */
export type PictureManifest = Readonly<Record<string, string>>;

/** Command that takes all pictures again. */
const renewCommand = 'npm run pictures';

const colorSchemes = ['light', 'dark'] as const;
type ColorScheme = (typeof colorSchemes)[number];

/** Screenshots without what moves or blinks. */
const still = { animations: 'disabled', caret: 'hide' } as const;

/** Height of the sentence below a frame, in pixels. */
const captionHeight = 52;

/** A file in docs/pictures/ with its content. */
export interface TakenPicture {
  readonly file: string;
  readonly bytes: Buffer;
}

/** Frame of a recording. */
interface TakenFrame {
  readonly bytes: Buffer;
  readonly seconds: number;
}

/** Reads the digests that were stored with the pictures. */
export function readManifest(): PictureManifest {
  return JSON.parse(readFileSync(manifestPath, 'utf8')) as PictureManifest;
}

/** Computes the digest of the inputs of each picture, without taking any. */
export async function readDigests(): Promise<PictureManifest> {
  const stage = await openStage();
  try {
    const digests: [string, string][] = [];
    for (const scene of scenes) {
      const inputs: string[] = [];
      await playScene(scene, stage, 'light', async (_page, frame) => {
        inputs.push(await readFrame(frame));
      });
      digests.push([scene.name, digestInputs(inputs)]);
    }
    return Object.fromEntries(digests);
  } finally {
    await stage.close();
  }
}

/**
 * Lists the pictures that were taken from other pages than those of the program now.
 *
 * @returns a line for each, with the command that takes it again
 */
export function listStalePictures(stored: PictureManifest, current: PictureManifest): readonly string[] {
  const names = new Set([...Object.keys(stored), ...Object.keys(current)]);
  return [...names]
    .filter((name) => stored[name] !== current[name])
    .map((name) => `docs/pictures/${name} does not show the current page: run ${renewCommand}`);
}

/** Takes every picture in both color schemes, with the digests of their inputs. */
export async function takePictures(): Promise<{
  readonly pictures: readonly TakenPicture[];
  readonly digests: PictureManifest;
}> {
  const digests = await readDigests();
  const stage = await openStage();
  const pictures: TakenPicture[] = [];
  try {
    for (const scene of scenes) {
      for (const colorScheme of colorSchemes) {
        const frames: TakenFrame[] = [];
        await playScene(scene, stage, colorScheme, async (page, frame) => {
          frames.push({ bytes: await shootFrame(page, frame, stage, colorScheme), seconds: frame.seconds ?? 1 });
        });
        const suffix = scene.isRecording === true ? 'webp' : 'png';
        const bytes = scene.isRecording === true ? await encodeRecording(frames) : await encodePicture(frames);
        pictures.push({ file: `${scene.name}-${colorScheme}.${suffix}`, bytes });
      }
    }
  } finally {
    await stage.close();
  }
  return { pictures, digests };
}

/** Plays a scene in a new browser context. */
async function playScene(
  { name, window, isRecording = false, play }: Scene,
  stage: PictureStage,
  colorScheme: ColorScheme,
  take: (page: Page, frame: Frame) => Promise<void>,
): Promise<void> {
  const context = await stage.browser.newContext({
    viewport: window,
    colorScheme,
    deviceScaleFactor: isRecording ? 1 : 2,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  try {
    const page = await context.newPage();
    await play(page, stage, name, (frame) => take(page, frame));
  } finally {
    await context.close();
    await stage.clear();
  }
}

async function readFrame({ part, caption = '' }: Frame): Promise<string> {
  return `${caption}\n${await readInputs(part)}`;
}

async function shootFrame(
  page: Page,
  frame: Frame,
  { browser }: PictureStage,
  colorScheme: ColorScheme,
): Promise<Buffer> {
  const { caption } = frame;
  if (caption === undefined) return shootPart(page, frame);
  const shot = await page.screenshot(still);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const context = await browser.newContext({ colorScheme, viewport: { width, height: height + captionHeight } });
  const framed = await context.newPage();
  await framed.setContent(showCaption(shot, caption));
  const bytes = await framed.screenshot();
  await context.close();
  return bytes;
}

async function shootPart(page: Page, { part, heightMax, margin = 0 }: Frame): Promise<Buffer> {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`${page.url()} does not show the element of its picture.`);
  const clip = {
    x: box.x - margin,
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: Math.min(box.height, heightMax ?? box.height) + 2 * margin,
  };
  return page.screenshot({ ...still, clip, fullPage: true });
}

/** Returns a page with a screenshot in a window, and a sentence below it. */
function showCaption(shot: Buffer, caption: string): string {
  return `<!doctype html><title>Frame</title><style>
:root { color-scheme: light dark; --ground: #ffffff; --text: #1f2328; --edge: #d1d9e0; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3; --edge: #3d444d; } }
body { margin: 0; background: var(--ground); color: var(--text); }
img { box-sizing: border-box; display: block; width: 100%; border: 1px solid var(--edge); border-radius: 10px; }
p { margin: 0; text-align: center; font: 600 17px/${captionHeight}px system-ui, sans-serif; }
</style><img alt="" src="data:image/png;base64,${shot.toString('base64')}"><p>${caption}</p>`;
}

/** Encodes a picture with a palette, which is enough for pages and a third of the size. */
function encodePicture(frames: readonly TakenFrame[]): Promise<Buffer> {
  const [frame] = frames;
  if (frames.length !== 1 || frame === undefined) throw new Error('A picture has exactly one frame.');
  return sharp(frame.bytes).png({ palette: true, quality: 90, effort: 10, compressionLevel: 9 }).toBuffer();
}

/** Encodes an animated picture that repeats. */
function encodeRecording(frames: readonly TakenFrame[]): Promise<Buffer> {
  const msPerSecond = 1_000;
  const delay = frames.map(({ seconds }) => seconds * msPerSecond);
  return sharp(
    frames.map(({ bytes }) => bytes),
    { join: { animated: true } },
  )
    .webp({ loop: 0, delay, lossless: true, effort: 6 })
    .toBuffer();
}
