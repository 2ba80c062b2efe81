import { row } from './error-definition.ts';

/** Error definitions for files. */
export const fileErrors = {
  'file-unreadable': row(
    'The file cannot be read',
    'Check the path and the permissions, and that the file is whole and of the kind that is asked for.',
    400,
    2,
  ),
  'output-unwritable': row('The output cannot be written', 'Make room where it goes, or send it elsewhere.', 507, 2),
  'file-exists': row('The file exists already', 'Move it away, or use --force.', 400, 2),
  'file-changed': row(
    'A file was changed since it was written',
    'Move it away, name another folder, or write over it with --force.',
    400,
    2,
  ),
} as const;
