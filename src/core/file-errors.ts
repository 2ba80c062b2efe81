import { row } from './error-definition.ts';

/** Error definitions for files. */
export const fileErrors = {
  'file-unreadable': row(
    'The file cannot be read',
    'Check the path and the permissions, and that the file is complete and of the expected type.',
    400,
    2,
  ),
  'output-unwritable': row(
    'The output cannot be written',
    'Free space at the destination, or choose another one.',
    507,
    2,
  ),
  'file-exists': row('The file already exists', 'Move the file, or use --force.', 400, 2),
  'file-changed': row(
    'A file was modified after it was written',
    'Move the file, name another folder, or overwrite it with --force.',
    400,
    2,
  ),
  'docs-missing': row(
    'The documentation site is not built',
    'In a checkout run `npm run site`; elsewhere name the folder of a built site with --folder. The package does not contain it.',
    404,
    2,
  ),
} as const;
