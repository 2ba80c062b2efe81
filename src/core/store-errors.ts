import { row } from './error-definition.ts';

/** Error definitions for journal stores. */
export const storeErrors = {
  'store-failed': row(
    'The store could not write',
    'Free disk space and start again; nothing was acknowledged.',
    503,
    3,
  ),
  'store-unrecognized': row(
    'The file or database is not a store of this program',
    'Name another one, or move this one away.',
    500,
    2,
  ),
  'store-corrupt': row('The store is damaged', 'Restore the file from a backup; it was left as it is.', 500, 2),
  'store-version': row('The store has another format version', 'Use the program version that wrote it.', 500, 2),
  'store-incomplete': row(
    'The database is set up by half',
    'Restore it from a backup, or begin with an empty database; it was left as it is.',
    500,
    2,
  ),
  'store-unavailable': row(
    'The database does not answer',
    'Wait for the time in Retry-After; at start-up, look whether PostgreSQL runs and --db names it. Nothing was acknowledged.',
    503,
    3,
  ),
  'store-moved': row(
    'Another server process has taken the sandbox over',
    'Wait for the time in Retry-After and ask again; this request took too long while another process waited.',
    503,
    1,
  ),
  'database-missing': row(
    'The packages for PostgreSQL are not installed',
    'Install the optional packages: npm install pg kysely.',
    500,
    2,
  ),
  'store-locked': row('Another process uses this store', 'Stop the other server, or name another file.', 500, 2),
} as const;
