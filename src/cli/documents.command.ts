import { defineCommand } from './command.ts';
import { documentsOptions } from './documents/documents-options.ts';

/** `nudgelab documents`: manages the records of the document API of a running server. */
export const documentsCommand = defineCommand({
  name: 'documents',
  group: 'Serve',
  summary: 'list, show, add and publish document records',
  description:
    'Manages the documents of a running server. `documents add` reads PDFs: the text of each page with its form ' +
    'fields and annotations, metadata and outline. It shows progress, Ctrl+C cancels, and a failed file leaves ' +
    'nothing behind. Images of pages are drawn when they are first requested. Exit codes: 0 done, 1 a file was ' +
    'rejected or canceled, 2 invalid command line.',
  operands: {
    syntax: '[words...]',
    description: 'list; show <id>; add <file.pdf...>; publish <id...>; unpublish <id...>',
  },
  options: documentsOptions,
  examples: [
    { line: 'documents list', meaning: 'every document of the default sandbox, private ones too' },
    {
      line: 'documents add report.pdf minutes.pdf --public',
      meaning: 'two records for everyone, titled as their files say',
    },
    {
      line: 'documents add plan.pdf --title "The plan" --owner ada',
      meaning: 'a private record that a user may write',
    },
    { line: 'documents add minutes.pdf --password "open sesame"', meaning: 'a file that wants a password to be read' },
    { line: 'documents publish 3', meaning: 'make a record public' },
    { line: 'documents show 3 --json', meaning: 'one record, for a script' },
  ],
  run: async (args, context) => (await import('./documents/documents.ts')).documents(args, context),
});
