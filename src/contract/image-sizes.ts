/** Widths of page images in pixels by size. The original image has the width of the page at its resolution. */
export const imageWidths = { small: 180, normal: 700, large: 1000 } as const;
export const imageSizes = ['small', 'normal', 'large', 'original'] as const;
export type ImageSize = (typeof imageSizes)[number];
