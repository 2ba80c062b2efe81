import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { galleryIndexFile, galleryPageFile, renderGalleryIndex } from '../../gallery/gallery-index.ts';
import { PageGallery } from '../../gallery/page-gallery.ts';
import type { GalleryVersion } from '../../server/gallery-service.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { makeFolder } from '../make-folder.ts';
import { print, printJson } from '../print.ts';
import { inStagedFolder } from '../staged-folder.ts';
import type { GalleryArguments } from './gallery-options.ts';

/** Writes every state of the sign-in pages to a folder. Returns the exit code. Throws `file-unreadable`. */
export async function writeGallery(args: GalleryArguments, context: CommandContext): Promise<ExitCode> {
  const folder = resolve(context.cwd, args.out);
  const versions = listVersions(args);
  const gallery = new PageGallery();
  try {
    const view = await gallery.list();
    await inStagedFolder(folder, async (staging) => {
      makeFolder(join(staging, 'pages'));
      for (const version of versions) {
        const index = renderGalleryIndex(view, version, versions);
        writeFileSync(join(staging, galleryIndexFile(version, versions)), index);
        for (const { state } of view.states) {
          writeFileSync(join(staging, galleryPageFile(state, version)), await gallery.page(state, version));
        }
      }
    });
    const written = {
      index: relative(context.cwd, join(folder, 'index.html')),
      states: view.states.length,
      pages: view.states.length * versions.length,
    };
    if (args.json) printJson(context.stdout, written);
    else {
      print(context.stdout, written, ({ index, states, pages }) => [
        `${states} states of the sign-in pages, ${pages} pages with all versions`,
        `Open ${index}`,
      ]);
    }
    return 0;
  } finally {
    await gallery.close();
  }
}

/** Combines the brands, languages and color schemes. */
function listVersions({ brand, language, scheme }: GalleryArguments): readonly GalleryVersion[] {
  return brand.flatMap((oneBrand) =>
    language.flatMap((oneLanguage) =>
      scheme.map((oneScheme) => ({ brand: oneBrand, language: oneLanguage, scheme: oneScheme })),
    ),
  );
}
