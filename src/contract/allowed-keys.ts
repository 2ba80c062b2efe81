import { z } from 'zod';

/**
 * Lists the keys that a schema allows at a path, so errors about unknown keys can name them.
 *
 * @param schema - schema of the whole value
 * @param path - path from the root of the value
 * @returns the allowed keys; empty if the path does not lead to an object with named keys
 */
export function allowedKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const objects = path.reduce<readonly z.ZodType[]>((at, key) => at.flatMap((part) => below(part, key)), bare(schema));
  return [...new Set(objects.flatMap(namedKeys))];
}

/** Returns the keys of an object, or of a record whose keys are listed. */
function namedKeys(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) return schema.keyType.options.map(String);
  return [];
}

/** Returns the schemas that are allowed below a key of an object, record, or array. */
function below(schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
    const keySchema = shape[String(key)];
    return keySchema === undefined ? [] : bare(keySchema);
  }
  if (schema instanceof z.ZodArray) return bare(schema.element as z.ZodType);
  return schema instanceof z.ZodRecord ? bare(schema.valueType as z.ZodType) : [];
}

/** Unwraps optional, nullable, and default schemas and splits unions into their options. */
function bare(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => bare(option as z.ZodType));
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return bare(schema.unwrap() as z.ZodType);
  }
  return [schema];
}
