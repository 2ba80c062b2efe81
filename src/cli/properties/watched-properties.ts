import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { checkNames } from '../../properties/check/check-names.ts';
import type { Property } from '../../properties/language/formula.ts';
import { isPropertiesFile, readPropertiesFile } from '../../properties/language/read-properties.ts';
import { createBuiltInModel } from '../../properties/models/built-in-models.ts';
import { modelDefault } from '../../properties/models/model-names.ts';
import type { PropertyModel } from '../../properties/models/property-model.ts';
import { readShippedProperties } from '../../properties/shipped-properties.ts';
import { requireWatchable, selectWatchable } from '../../properties/watch/watch-properties.ts';
import { shippedPropertiesName } from '../common-options.ts';

/**
 * Reads the properties of `--properties`. Those of the specification that no journal decides are left out; a file may
 * contain none of them.
 *
 * @throws NudgeLabError `usage-invalid`, `property-invalid`, `file-unreadable`
 */
export function readWatchedProperties(values: readonly string[], cwd: string): readonly Property[] {
  return values.flatMap((value) => {
    if (value === shippedPropertiesName) return selectWatchable(readShippedProperties());
    if (!isPropertiesFile(value)) {
      throw new NudgeLabError('usage-invalid', {
        message: `--properties "${value}" is neither ${shippedPropertiesName} nor a file that ends with .properties.yaml or .properties.json.`,
      });
    }
    const properties = readPropertiesFile(resolve(cwd, value), value);
    requireWatchable(properties);
    checkNames(createBuiltInModel(modelDefault) as PropertyModel, properties);
    return properties;
  });
}
