import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  listStalePictures,
  type PictureManifest,
  picturesFolder,
  readDigests,
  readManifest,
} from '../../tooling/pictures/take-pictures.ts';
import { repositoryFiles } from '../conventions/repository.ts';
import { pages } from '../docs/markdown.ts';
import { nonEmpty } from '../non-empty.ts';

/** Maximum size of a picture and of a recording in one color scheme, in bytes. */
const pictureBytesMax = 80_000;
const recordingBytesMax = 1_000_000;

const files = globSync('*.{png,webp}', { cwd: picturesFolder }).toSorted();

describe('pictures of the documentation', () => {
  let current: PictureManifest;

  beforeAll(async () => {
    current = await readDigests();
  }, 120_000);

  it('docs: every picture shows the current page', () => {
    expect(Object.keys(current).length).toBeGreaterThan(4);
    expect(listStalePictures(readManifest(), current)).toEqual([]);
  });

  it('docs: a changed page, a new one and a removed one are reported with the command that renews the pictures', () => {
    const [first = ''] = Object.keys(current);
    const { [first]: _removed, ...others } = current;
    const lines = listStalePictures({ ...current, [first]: '0', gone: '1' }, current);
    expect(lines).toEqual([
      expect.stringMatching(`docs/pictures/${first} .*npm run pictures`),
      expect.stringMatching('gone'),
    ]);
    expect(listStalePictures(others, current)).toHaveLength(1);
  });

  it('docs: every picture exists in light and dark, is small, and is in the repository', () => {
    const names = Object.keys(current).flatMap((name) => [`${name}-dark`, `${name}-light`]);
    expect(files.map((file) => file.replace(/\.\w+$/, ''))).toEqual(names.toSorted());
    expect(repositoryFiles()).toEqual(expect.arrayContaining(files.map((file) => `docs/pictures/${file}`)));
    for (const file of nonEmpty(files)) {
      const { size } = statSync(join(picturesFolder, file));
      expect(size, file).toBeLessThan(file.endsWith('.webp') ? recordingBytesMax : pictureBytesMax);
    }
  });

  it('docs: every picture has an alternative text wherever a page shows it, in both color schemes', () => {
    const shown = pages().flatMap(({ path, text }) =>
      [...text.matchAll(/<picture>([\s\S]*?)<\/picture>/g)].map(([, inner = '']) => ({ path, inner })),
    );
    const names = nonEmpty(shown).map(({ path, inner }) => {
      const [, dark = ''] =
        /prefers-color-scheme: dark\)" srcset="[^"]*pictures\/([\w-]+)-dark\.\w+"/.exec(inner) ?? [];
      const [, alt = '', light = ''] = /<img alt="([^"]*)" src="[^"]*pictures\/([\w-]+)-light\.\w+"/.exec(inner) ?? [];
      expect([path, light]).toEqual([path, dark]);
      expect(alt.length, path).toBeGreaterThan(20);
      return light;
    });
    expect([...new Set(names)].toSorted()).toEqual(Object.keys(current).toSorted());
  });
});
