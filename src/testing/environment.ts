import { env, versions } from 'node:process';

/** Environment of a test run. Fixtures read it directly, because no command passes it to them. */
export const environment: Readonly<Record<string, string | undefined>> = env;

/** Version of the Node that runs the tests. */
export const nodeVersion: string = versions.node;
