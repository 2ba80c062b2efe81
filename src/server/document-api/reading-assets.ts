import { createAsset } from '../identity/assets.ts';

const stylesheet = createAsset('reading.css', 'text/css', import.meta.url);
const script = createAsset('reading.client.js', 'text/javascript', import.meta.url);

/** Path of the stylesheet of the reading page. It changes with the content. */
export const readingStylesheetPath = stylesheet.path;
export const readingScriptPath = script.path;

/** Static files of the reading page. */
export const readingAssets = [stylesheet, script];
