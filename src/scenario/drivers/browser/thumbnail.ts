import type { Page } from 'playwright-core';

/** Dots that a small picture is wide, at most. */
const dotsAcrossMax = 480;

/** The part of a page that is seen, in WebP. Only Chromium can make it smaller than it is shown. */
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

/** Where what is seen begins, its width and height, in points, and dots of a point. */
type Seen = readonly [number, number, number, number, number];
