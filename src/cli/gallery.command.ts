import { defineCommand } from './command.ts';
import { galleryOptions } from './gallery/gallery-options.ts';

/** `nudgelab gallery`: writes every state of the sign-in pages to a folder. */
export const galleryCommand = defineCommand({
  name: 'gallery',
  description:
    'Signs in on a server of its own until every state of every sign-in page was shown, and writes the pages as the ' +
    'server sent them to a folder that works offline: by brand, language and color scheme, each with the steps that ' +
    'lead to it and the sandbox in which they begin. Pages have no scripts. The console has the same gallery. Exit ' +
    'codes: 0 written, 2 invalid input, or the folder is not writable.',
  operands: null,
  options: galleryOptions,
  examples: [
    { line: 'gallery', meaning: 'write all versions to nudgelab-gallery/' },
    {
      line: 'gallery --out pages --brand plain --language ar --scheme dark',
      meaning: 'write only the Arabic pages in the dark scheme',
    },
  ],
  run: async (args, context) => (await import('./gallery/write-gallery.ts')).writeGallery(args, context),
});
