/** File name extension of screenshot evidence that is small enough to embed in the report. */
export const shotEnding = '.webp';
