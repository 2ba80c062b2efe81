import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const validators = new WeakMap<object, ValidateFunction>();

/** Finds the first violation of a JSON Schema in a value, with its location, or `null` if there is none. */
export function findMisfit(schema: object, value: unknown): string | null {
  const validate = validators.get(schema) ?? new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  validators.set(schema, validate);
  if (validate(value)) return null;
  const [violation] = validate.errors ?? [];
  return `${violation?.instancePath} ${violation?.message} ${JSON.stringify(violation?.params)}`;
}
