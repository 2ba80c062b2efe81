import { createAsset } from '../identity/assets.ts';

const stylesheet = createAsset('reading.css', 'text/css', import.meta.url);
const script = createAsset('reading.client.js', 'text/javascript', import.meta.url);

/** Addresses of the stylesheet and the script of the reading page. A new content has a new address. */
export const readingStylesheetPath = stylesheet.path;
export const readingScriptPath = script.path;

/** The files of the reading page. */
export const readingAssets = [stylesheet, script];
