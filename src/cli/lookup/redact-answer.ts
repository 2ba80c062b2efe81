import { type LookupType, lookupFields } from '../../contract/lookup.schema.ts';
import { defaultLookup } from '../../contract/lookup-defaults.ts';
import { digestOfParts } from '../../core/secrets.ts';
import { Redactor } from '../../report/redact.ts';

/** Recorded response of a lookup API. */
export interface RecordedAnswer {
  readonly query: string;
  readonly type: LookupType;
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Patterns of personal data and their replacements. The order matters, because an email address contains a host.
 */
const personal: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/[^\s@<>"']+(@[^\s@<>"']+)?/g, 'person@example.test'],
  [/[a-z][a-z+.-]*(:\/\/[^\s<>"']+)?/gi, 'https://example.test/'],
  [/\bwww\.[^\s<>"']+/gi, 'https://example.test/'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '192.0.2.1'],
  [/\b(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]+\b/gi, '2001:db8::1'],
  [/\+?\d[\d\s()/-]{7,}\d/g, '000'],
  // A long text without spaces is more likely a token than a word.
  [/[\w+/-]{24,}={0,2}/g, '[redacted]'],
];

/** Fields that the mock server generates, because its URLs differ from those of the recorded service. */
const served = ['found', 'profile_url', 'avatar', 'username', 'error'];

const namedAfterPerson = /^(?:(?:full|first|last|display|real)_?)?name$|location|city|address|phone|birth/i;

/**
 * Creates a fixture for `fixtures/lookup` from a recorded response. Personal data and the query are replaced by
 * pseudonyms derived from a hash, and secrets are redacted by key as in reports. Two recordings of the same person
 * therefore match, and neither reveals the identity.
 */
export function toFixture({ query, type, results }: RecordedAnswer): object {
  const redactor = new Redactor({ keys: ['api_key', 'apikey', 'session', 'key', 'hash', 'ip'], values: [query] });
  const alias = createAlias(query);
  const redactedQuery = type === 'email' ? `${alias}@example.test` : alias;
  const known = Object.entries(results).map(([tool, result]) => ({
    type,
    tool,
    query: redactedQuery,
    found: result['found'] === true,
    ...redactName(result['username'], query),
    ...redactFields(result, redactor),
  }));
  const ids = new Set(defaultLookup.tools[type].map(({ id }) => id));
  const added = Object.keys(results).filter((tool) => !ids.has(tool));
  const tools = {
    ...defaultLookup.tools,
    [type]: [...defaultLookup.tools[type], ...added.map((id) => redactTool(id, results[id]))],
  };
  return { ...(added.length === 0 ? {} : { tools }), known };
}

function createAlias(text: string): string {
  return `person-${digestOfParts('recorded', text.trim().toLowerCase()).slice(0, 8)}`;
}

/**
 * Returns the pseudonymized username; none if it equals the query, because the mock server then uses the query by
 * itself.
 */
function redactName(username: unknown, query: string): { readonly username?: string } {
  return typeof username !== 'string' || username === query ? {} : { username: createAlias(username) };
}

function redactFields(result: Readonly<Record<string, unknown>>, redactor: Redactor): { readonly fields?: object } {
  const fields = Object.entries(result).flatMap(([name, value]) => {
    if (served.includes(name)) return [];
    const clean = redactor.value(value, name);
    if (typeof clean === 'string')
      return [[name, namedAfterPerson.test(name) ? createAlias(clean) : withoutPersons(clean)]];
    return typeof clean === 'object' && clean !== null ? [] : [[name, clean]];
  });
  return fields.length === 0 ? {} : { fields: Object.fromEntries(fields) as object };
}

function withoutPersons(text: string): string {
  // A pattern with an optional group replaces only matches that include the group. The rest of the pattern always
  // matches, so it runs in linear time.
  return personal.reduce(
    (clean, [pattern, shown]) => clean.replace(pattern, (match, part: unknown) => (part === undefined ? match : shown)),
    text,
  );
}

function redactTool(id: string, result: Readonly<Record<string, unknown>> = {}): object {
  return { id, fields: lookupFields.filter((field) => field in result) };
}
