/**
 * Maximum depth of references. No document has such depth, so exceeding it means that the references are circular.
 */
const referencesMax = 40;

/** Returns an OpenAPI document with all references resolved. Throws if a reference cannot be resolved. */
export function withoutReferences<T>(document: T): T {
  return resolved(document, document, 0) as T;
}

function resolved(node: unknown, document: unknown, depth: number): unknown {
  if (Array.isArray(node)) return node.map((one) => resolved(one, document, depth));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref: reference } = node as { readonly $ref?: unknown };
  if (typeof reference === 'string') {
    const target = depth < referencesMax ? resolveReference(reference, document) : undefined;
    if (target === undefined) throw new Error(`${reference} leads nowhere.`);
    return resolved(target, document, depth + 1);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value, document, depth)]));
}

function resolveReference(reference: string, document: unknown): unknown {
  const keys = reference.replace(/^#\//, '').split('/');
  return keys.reduce<unknown>((node, key) => (node as Readonly<Record<string, unknown>> | undefined)?.[key], document);
}
