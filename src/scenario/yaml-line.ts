import { stringify } from 'yaml';
import { isPlainObject } from '../core/merge-patch.ts';

/** Texts that need no quotes anywhere. */
const plain = /^[A-Za-z][A-Za-z0-9_./-]*$/;

/** Texts that some YAML parsers read as a number, an instant or a boolean, so they are quoted. */
const ambiguous = /^(\d[\w.:+-]*|true|false|null|yes|no|on|off|y|n)$/i;

/** Formats a value as YAML on one line with conventional spacing. */
export function yamlLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlLine).join(', ')}]`;
  if (!isPlainObject(value)) return yamlScalar(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, inner]) => `${yamlScalar(key)}: ${yamlLine(inner)}`).join(', ')} }`;
}

/** Characters that must be escaped in a single line of YAML. */
const escaped = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Formats a text in double quotes and escapes such characters by their code. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Formats a text, number or word that keeps its meaning inside brackets. */
export function yamlScalar(value: unknown): string {
  if (typeof value === 'string' && ambiguous.test(value)) return `'${value}'`;
  if (typeof value === 'string' && plain.test(value)) return value;
  if (typeof value === 'string' && escaped.test(value)) return quoted(value);
  return stringify([value], { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false, singleQuote: true })
    .trimEnd()
    .slice(1, -1);
}

/** Formats a text that is alone on its line, where commas and brackets need no quotes. */
export function yamlText(value: string): string {
  return ambiguous.test(value) || escaped.test(value)
    ? yamlScalar(value)
    : stringify(value, { lineWidth: 0, singleQuote: true, blockQuote: false }).trimEnd();
}
