import { defineCommand } from './command.ts';
import { documentsOptions } from './documents/documents-options.ts';

/** `nudgelab documents`: manages the records of the document API of a running server. */
export const documentsCommand = defineCommand({
  name: 'documents',
  description:
    'Manages the documents of a running server. `documents add` reads PDFs: the text of each page with its form fields and annotations, metadata and outline. It shows progress, Ctrl+C cancels, and no part of a failed file is kept. Page images are rendered when they are first requested. Exit codes: 0 done, 1 a ' +
    'file was rejected or canceled, 2 invalid command line.',
  operands: {
    description: 'list; show <id>; add <file.pdf...>; publish <id...>; unpublish <id...>',
  },
  options: documentsOptions,
  examples: [
    { line: 'documents list', meaning: 'list every document of the default sandbox, including private ones' },
    {
      line: 'documents add report.pdf minutes.pdf --public',
      meaning: 'add two public documents, titled as in their files',
    },
    {
      line: 'documents add plan.pdf --title "The plan" --owner ada',
      meaning: 'add a private document that the user ada may edit',
    },
    { line: 'documents add minutes.pdf --password "open sesame"', meaning: 'add a password-protected file' },
    { line: 'documents publish 3', meaning: 'make a document public' },
    { line: 'documents show 3 --json', meaning: 'print one document as JSON' },
  ],
  run: async (args, context) => (await import('./documents/documents.ts')).documents(args, context),
});
