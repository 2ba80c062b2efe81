import { parseSync, type TSTypeReference, Visitor } from 'oxc-parser';

/** Shorter types are repeated, because an alias is hardly shorter. */
const sharedCharactersMin = 60;

/** Start of the names of aliases. */
const aliasName = 'SharedSchema';

const zodImport = "import type { z } from 'zod';\n";

/** A type of zod with arguments, and the same types within its arguments. */
interface SchemaType {
  readonly start: number;
  readonly end: number;
  /** The text on one line, which is the same wherever the type is repeated. */
  readonly key: string;
  readonly inner: SchemaType[];
}

/**
 * Shortens a declaration file. The compiler writes the type of each schema in full wherever an operation or another
 * schema contains it, and imports the module of a type at each use. The result declares a repeated type once.
 *
 * @param text - text of the declaration file
 * @returns the text of a file that declares the same types
 * @throws Error if the file cannot be parsed, or uses the names of the aliases
 */
export function shareRepeatedTypes(text: string): string {
  if (text.includes(aliasName)) throw new Error(`${aliasName} is the name of aliases for repeated types.`);
  const short = importOnce(text);
  const roots = findSchemaTypes(short);
  const counts = countPlaces(roots);
  const isShared = ({ key }: SchemaType): boolean => (counts.get(key) ?? 0) > 1;
  const names = new Map<string, string>();
  const aliases: string[] = [];
  const write = (start: number, end: number, inner: readonly SchemaType[]): string => {
    let [written, at] = ['', start];
    for (const type of inner) {
      written +=
        short.slice(at, type.start) + (isShared(type) ? reference(type) : write(type.start, type.end, type.inner));
      at = type.end;
    }
    return written + short.slice(at, end);
  };
  const reference = (type: SchemaType): string => {
    const known = names.get(type.key);
    if (known !== undefined) return known;
    const name = `${aliasName}${names.size + 1}`;
    names.set(type.key, name);
    aliases.push(`type ${name} = ${write(type.start, type.end, type.inner)};\n`);
    return name;
  };
  const rest = write(0, short.length, roots);
  return aliases.length === 0 ? short : `${rest}${rest.endsWith('\n') ? '' : '\n'}${aliases.join('')}export {};\n`;
}

/** Imports the types of zod once, at the top of the file. */
function importOnce(text: string): string {
  const short = text.replaceAll('import("zod/v4/core").', 'z.core.').replaceAll('import("zod").', 'z.');
  return short === text || /^import (?:type )?\{ z \} from ['"]zod['"];$/m.test(text) ? short : `${zodImport}${short}`;
}

/** Finds the outermost schema types of a file that do not depend on type parameters. */
function findSchemaTypes(text: string): readonly SchemaType[] {
  const { program, errors } = parseSync('declarations.d.ts', text);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  const parameters = new Set<string>();
  const generics: TSTypeReference[] = [];
  const names: { readonly name: string; readonly start: number }[] = [];
  new Visitor({
    TSTypeParameter: ({ name }) => void parameters.add(name.name),
    TSMappedType: ({ key }) => void parameters.add(key.name),
    TSTypeReference: (node) => {
      if (node.typeName.type === 'Identifier') names.push({ name: node.typeName.name, start: node.start });
      if (node.typeArguments !== null && /^z\.\w+</.test(text.slice(node.start, node.end))) generics.push(node);
    },
  }).visit(program);
  const dependent = names.filter(({ name }) => parameters.has(name));
  const roots: SchemaType[] = [];
  const open: SchemaType[] = [];
  for (const { start, end } of generics.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (dependent.some((name) => name.start >= start && name.start < end)) continue;
    const key = text.slice(start, end).replaceAll(/\s+/g, ' ');
    if (key.length < sharedCharactersMin) continue;
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    const type: SchemaType = { start, end, key, inner: [] };
    (open.at(-1)?.inner ?? roots).push(type);
    open.push(type);
  }
  return roots;
}

/** Counts the places of each type. What a repeated type contains counts once. */
function countPlaces(roots: readonly SchemaType[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = ({ key, inner }: SchemaType): void => {
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    if (before === 0) inner.forEach(count);
  };
  roots.forEach(count);
  return counts;
}
