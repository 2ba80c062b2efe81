import { env } from 'node:process';

/** Environment of a test run. Fixtures read it directly, because no command passes it to them. */
export const environment: Readonly<Record<string, string | undefined>> = env;
