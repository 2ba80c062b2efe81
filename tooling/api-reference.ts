import { docCommentBefore, parseDocComment } from './api-reference/doc-comment.ts';
import { type Entry, type Export, packageEntries } from './api-reference/entries.ts';
import { formatSignature, getDeclarationKind } from './api-reference/signature.ts';
import type { Declaration } from './api-reference/source-module.ts';

/**
 * Creates the API reference with every export of every entry point of the package, including signatures and doc
 * comments.
 *
 * @param entries - entry points; by default those of package.json
 * @returns the parts of the page, without title
 */
export function apiReference(entries: readonly Entry[] = packageEntries()): readonly string[] {
  const headings = new Map<string, string>();
  for (const entry of entries) {
    for (const one of entry.exports) {
      const key = toKey(one.declaration);
      if (!headings.has(key)) headings.set(key, formatHeading(entry, one));
    }
  }
  const list = entries.map((entry) => `- [${entry.name}](#${formatAnchor(entry.name)})`).join('\n');
  return [
    'Lists every export of every entry point of the package. Exports keep their names and types within a major version; anything ' +
      'not listed here can change in any version.',
    list,
    ...entries.flatMap((entry) => entryParts(entry, headings)),
  ];
}

/**
 * Lists the source files of the entry points.
 *
 * @returns their paths relative to the repository root
 */
export function apiSources(): readonly string[] {
  return packageEntries().map(({ path }) => path);
}

function entryParts(entry: Entry, headings: ReadonlyMap<string, string>): readonly string[] {
  const rows = entry.exports.map((one) => {
    const heading = headings.get(toKey(one.declaration)) ?? '';
    return `| [\`${one.name}\`](#${formatAnchor(heading)}) | ${shownKind(one)} | ${cell(getSummary(one.declaration))} |`;
  });
  const own = entry.exports.filter((one) => headings.get(toKey(one.declaration)) === formatHeading(entry, one));
  return [
    `## ${entry.name}`,
    ...(entry.text === '' ? [] : [prose(entry.text)]),
    ['| Export | Kind | Summary |', '| --- | --- | --- |', ...rows].join('\n'),
    ...own.flatMap((one) => exportParts(entry, one, headings)),
  ];
}

function exportParts(entry: Entry, one: Export, headings: ReadonlyMap<string, string>): readonly string[] {
  const { declaration } = one;
  const { module, start } = declaration;
  const comment = docCommentBefore(start, module.comments, module.text);
  const signature = formatSignature(declaration, (base) => headings.has(toKey(base)));
  const { text, params, returns, throws, examples } = parseDocComment(comment?.value ?? '');
  const list = [
    ...params.map((param) => `- \`${param.name}\`: ${listed(param.text)}`),
    ...(returns === null ? [] : [`- Returns: ${listed(returns)}`]),
    ...throws.map((thrown) => `- Throws: ${listed(thrown)}`),
  ];
  return [
    `### ${formatHeading(entry, one)}`,
    ...(text === '' ? [] : [prose(text)]),
    `\`\`\`ts\n${[signature, ...findSchema(declaration, signature)].join('\n\n')}\n\`\`\``,
    ...(list.length === 0 ? [] : [list.join('\n')]),
    ...examples.map((example) => (example.includes('```') ? prose(example) : `\`\`\`ts\n${example}\n\`\`\``)),
    `Source: [${module.path}](../../${module.path})`,
  ];
}

/** Finds the schema in the same file from which a type is derived, because the type alone does not show its keys. */
function findSchema({ module: { text } }: Declaration, signature: string): readonly string[] {
  const [, name] = /^type .*typeof (\w+Schema)>/.exec(signature) ?? [];
  const starts = [`\nconst ${name} =`, `\nexport const ${name} =`].map((beginning) => text.indexOf(beginning));
  const start = Math.max(...starts);
  if (name === undefined || start === -1) return [];
  const [declared = ''] = text
    .slice(start)
    .trimStart()
    .split(/;\n(?:\n|\S)/);
  return [`${declared.replace(/^export /, '')};`];
}

/**
 * Returns the displayed kind of an export. A class with only its type exported cannot be constructed or extended by
 * users of the package.
 */
function shownKind({ declaration, isTypeOnly }: Export): string {
  const kind = getDeclarationKind(declaration);
  return isTypeOnly && !isType(declaration) ? `${kind} (type only)` : kind;
}

function isType(declaration: Declaration): boolean {
  return ['interface', 'type'].includes(getDeclarationKind(declaration));
}

/** Returns the key of a declaration. A declaration that several entry points export has only one section. */
function toKey({ module, name }: Declaration): string {
  return `${module.path} ${name}`;
}

/**
 * Creates the heading of an export from entry point, kind and name. Names can differ only in case, and entry points
 * can export the same name.
 */
function formatHeading(entry: Entry, { name, declaration }: Export): string {
  return [...entry.name.split('/').slice(1), getDeclarationKind(declaration), name].join(' ');
}

function formatAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** Returns the first sentence of the doc comment. */
function getSummary({ module, start }: Declaration): string {
  const comment = docCommentBefore(start, module.comments, module.text);
  const [paragraph = ''] = parseDocComment(comment?.value ?? '').text.split('\n\n');
  const line = paragraph.replaceAll('\n', ' ').trim();
  const next = /[.:] [A-Z`]/.exec(line);
  return (next === null ? line : line.slice(0, next.index + 1)).replace(/:$/, '.');
}

function cell(text: string): string {
  return prose(text).replaceAll('|', '\\|');
}

function listed(text: string): string {
  const lines = prose(text).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Escapes the angle brackets of types outside of code, so Markdown shows them unchanged. */
function prose(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('');
}
