/**
 * `npm run pictures`: takes the pictures of the README and the documentation site in docs/pictures/ from the running program, with
 * the browser that `npm ci` installs. With `--check`, it takes none and fails with exit code 1 if the page of a picture has changed.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  listStalePictures,
  manifestPath,
  picturesFolder,
  readDigests,
  readManifest,
  takePictures,
} from './pictures/take-pictures.ts';

if (process.argv.includes('--check')) await check();
else await renew();

async function check(): Promise<void> {
  const current = await readDigests();
  const stale = listStalePictures(readManifest(), current);
  for (const line of stale) console.log(line);
  console.log(`${Object.keys(current).length} pictures, ${stale.length} out of date`);
  process.exitCode = stale.length === 0 ? 0 : 1;
}

async function renew(): Promise<void> {
  const { pictures, digests } = await takePictures();
  rmSync(picturesFolder, { recursive: true, force: true });
  mkdirSync(picturesFolder, { recursive: true });
  for (const { file, bytes } of pictures) {
    writeFileSync(join(picturesFolder, file), bytes);
    console.log(`${file}  ${(bytes.length / 1_000).toFixed(1)} kB`);
  }
  writeFileSync(manifestPath, `${JSON.stringify(digests, null, 2)}\n`);
}
