import { type LookupType, lookupFields } from '../../contract/lookup.schema.ts';
import { defaultLookup } from '../../contract/lookup-defaults.ts';
import { digestOfParts } from '../../core/secrets.ts';
import { Redactor } from '../../report/redact.ts';

/** An answer of a lookup API as it was recorded. */
export interface RecordedAnswer {
  readonly query: string;
  readonly type: LookupType;
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What of a text tells who someone is, and what stands there instead. The order matters: an email address holds a host. */
const personal: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/[^\s@<>"']+(@[^\s@<>"']+)?/g, 'person@example.test'],
  [/[a-z][a-z+.-]*(:\/\/[^\s<>"']+)?/gi, 'https://example.test/'],
  [/\bwww\.[^\s<>"']+/gi, 'https://example.test/'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '192.0.2.1'],
  [/\b(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]+\b/gi, '2001:db8::1'],
  [/\+?\d[\d\s()/-]{7,}\d/g, '000'],
  // What is long and has no blanks is a token sooner than a word.
  [/[\w+/-]{24,}={0,2}/g, '[redacted]'],
];

/** The fields that the mock makes itself: it serves other addresses than those of the recorded service. */
const served = ['found', 'profile_url', 'avatar', 'username', 'error'];

const namedAfterPerson = /^(?:(?:full|first|last|display|real)_?)?name$|location|city|address|phone|birth/i;

/**
 * Makes a fixture of an answer. The query, usernames, names, places and every address in a text are replaced by ones that
 * follow from them by a hash, secrets by their keys as in reports, so that two recordings of one person fit together and
 * neither tells who it is. Returns what stands in `fixtures/lookup`.
 */
export function toFixture({ query, type, results }: RecordedAnswer): object {
  const redactor = new Redactor({ keys: ['api_key', 'apikey', 'session', 'key', 'hash', 'ip'], values: [query] });
  const alias = aliasOf(query);
  const asked = type === 'email' ? `${alias}@example.test` : alias;
  const known = Object.entries(results).map(([tool, result]) => ({
    type,
    tool,
    query: asked,
    found: result['found'] === true,
    ...nameOf(result['username'], query),
    ...fieldsOf(result, redactor),
  }));
  const ids = new Set(defaultLookup.tools[type].map(({ id }) => id));
  const added = Object.keys(results).filter((tool) => !ids.has(tool));
  const tools = {
    ...defaultLookup.tools,
    [type]: [...defaultLookup.tools[type], ...added.map((id) => toolOf(id, results[id]))],
  };
  return { ...(added.length === 0 ? {} : { tools }), known };
}

function aliasOf(text: string): string {
  return `person-${digestOfParts('recorded', text.trim().toLowerCase()).slice(0, 8)}`;
}

/** An account that is named as the query was is named so again by the mock. */
function nameOf(username: unknown, query: string): { readonly username?: string } {
  return typeof username !== 'string' || username === query ? {} : { username: aliasOf(username) };
}

function fieldsOf(result: Readonly<Record<string, unknown>>, redactor: Redactor): { readonly fields?: object } {
  const fields = Object.entries(result).flatMap(([name, value]) => {
    if (served.includes(name)) return [];
    const clean = redactor.value(value, name);
    if (typeof clean === 'string')
      return [[name, namedAfterPerson.test(name) ? aliasOf(clean) : withoutPersons(clean)]];
    return typeof clean === 'object' && clean !== null ? [] : [[name, clean]];
  });
  return fields.length === 0 ? {} : { fields: Object.fromEntries(fields) as object };
}

function withoutPersons(text: string): string {
  // A pattern with a group is for where the group is there too: it never fails in between, and so is linear.
  return personal.reduce(
    (clean, [pattern, shown]) => clean.replace(pattern, (found, part: unknown) => (part === undefined ? found : shown)),
    text,
  );
}

function toolOf(id: string, result: Readonly<Record<string, unknown>> = {}): object {
  return { id, fields: lookupFields.filter((field) => field in result) };
}
