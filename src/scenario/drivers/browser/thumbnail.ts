import type { Page } from 'playwright-core';

/** Maximum width of a thumbnail, in device pixels. */
const dotsAcrossMax = 480;

/** Captures the visible area of a page as WebP. Only Chromium can scale it down. */
export async function captureThumbnail(page: Page): Promise<Buffer> {
  const seen = await page.evaluate('[scrollX, scrollY, innerWidth, innerHeight, devicePixelRatio]');
  const [x, y, width, height, dotsOfPoint] = seen as Seen;
  const scale = Math.min(1, dotsAcrossMax / (width * dotsOfPoint));
  const line = await page.context().newCDPSession(page);
  const { data } = await line.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 60,
    clip: { x, y, width, height, scale },
  });
  await line.detach();
  return Buffer.from(data, 'base64');
}

/** Position and size of the visible area in CSS pixels, and device pixels per CSS pixel. */
type Seen = readonly [number, number, number, number, number];
