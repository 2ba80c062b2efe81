import { z } from 'zod';

/**
 * The keys that a schema allows at a path, so that an error about an unknown key can name them. Takes the schema of the whole
 * value. Returns nothing where the path leads to no object with named keys.
 */
export function allowedKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const objects = path.reduce<readonly z.ZodType[]>((at, key) => at.flatMap((part) => below(part, key)), bare(schema));
  return [...new Set(objects.flatMap((part) => (part instanceof z.ZodObject ? Object.keys(part.shape) : [])))];
}

/** The schemas that may stand below a key of an object, a record or an array. */
function below(schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
    const held = shape[String(key)];
    return held === undefined ? [] : bare(held);
  }
  if (schema instanceof z.ZodArray) return bare(schema.element as z.ZodType);
  return schema instanceof z.ZodRecord ? bare(schema.valueType as z.ZodType) : [];
}

/** A schema without what only says that it may be absent or null; each part of a union. */
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
