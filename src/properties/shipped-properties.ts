import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPropertiesFolder } from '../scenario/shipped.ts';
import type { Property } from './language/formula.ts';
import { readPropertiesFile } from './language/read-properties.ts';

/** Reads the properties of the specification that come with the program, in the order of their files. */
export function readShippedProperties(): readonly Property[] {
  const files = readdirSync(shippedPropertiesFolder).toSorted();
  return files.flatMap((file) => readPropertiesFile(join(shippedPropertiesFolder, file), join('properties', file)));
}
