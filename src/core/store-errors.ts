import { row } from './error-definition.ts';

/** Error definitions for journal stores. */
export const storeErrors = {
  'store-failed': row(
    'The store could not be written',
    'Make sure that its disk has space and is writable, then restart the server; nothing was acknowledged.',
    503,
    3,
  ),
  'store-unrecognized': row(
    'The file or database is not a store of this program',
    'Name another one, or move this one.',
    500,
    2,
  ),
  'store-corrupt': row('The store is damaged', 'Restore the file from a backup; it was not changed.', 500, 2),
  'store-version': row('The store has another format version', 'Use the program version that wrote it.', 500, 2),
  'store-incomplete': row(
    'The database schema is incomplete',
    'Restore it from a backup, or start with an empty database; it was not changed.',
    500,
    2,
  ),
  'store-unavailable': row(
    'The database does not respond',
    'Wait for the time in Retry-After, and check whether a change was applied before you send it again; at startup, check that PostgreSQL is running and that --db names it.',
    503,
    3,
  ),
  'store-moved': row(
    'Another server process has taken over the sandbox',
    'Wait for the time in Retry-After and try again; this request took too long while another process was waiting.',
    503,
    1,
  ),
  'holder-lost': row(
    'The server that has the sandbox ended or stopped responding before it answered',
    'Wait for the time in Retry-After, and check whether the request was applied before you send it again; another server then has the sandbox.',
    503,
    3,
  ),
  'database-missing': row(
    'The packages for PostgreSQL are not installed',
    'Install the optional packages: npm install pg kysely.',
    500,
    2,
  ),
  'store-locked': row('Another process uses this store', 'Stop the other server, or name another file.', 500, 2),
} as const;
