import { env } from 'node:process';

/** The environment of a test run, which no command hands to a fixture. */
export const environment: Readonly<Record<string, string | undefined>> = env;
