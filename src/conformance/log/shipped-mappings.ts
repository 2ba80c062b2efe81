import { join } from 'node:path';
import { shippedFixturesFolder } from '../../scenario/shipped.ts';

/** Files of the mappings that come with the program, by name. */
export const shippedMappings: ReadonlyMap<string, string> = new Map([
  ['sign-in-log', join(shippedFixturesFolder, 'imports', 'sign-in-log.mapping.yaml')],
]);
