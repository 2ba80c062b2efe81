import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { type Dialect, seedDialect } from './directory-api/dialect.ts';
import { type Policy, policySchema } from './policy.schema.ts';
import { formatValue } from './policy-reader.ts';

/** Name of the policy's type. */
const policyType = 'authenticationMethodsPolicy';

/** Expandable property. Every response contains it, so a client that requests it always receives it. */
const expandable = 'authenticationMethodConfigurations';

const properties: readonly string[] = Object.keys(policySchema.shape).filter((name) => !name.startsWith('@'));
const spelled: Spelling = spell(properties);

function spell(names: readonly string[]): Spelling {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** Supported query options without the dollar sign. `api-version` has no effect. */
const options = ['select', 'expand', 'api-version'] as const;
type Option = (typeof options)[number];

/** Query options of other resources, which are known but not supported for a single object. */
const foreignOptions = ['filter', 'top', 'skip', 'skiptoken', 'orderby', 'count', 'search', 'format'];

/** Names of the policy's properties, by their names in lower case. */
type Spelling = ReadonlyMap<string, string>;

/** Selected properties in the order of the policy. `null` selects all properties. */
export type Selection = readonly string[] | null;

/**
 * Reads the query of a policy request: `$select`, and `$expand` of content that is always included. Options match in
 * any case, with or without the dollar sign.
 *
 * @param query - the query without the question mark
 * @param dialect - names on the wire, which messages use
 * @throws NudgeLabError `bad-request` with every option that is unknown, unsupported, repeated, or has an invalid value
 */
export function readPolicyQuery(query: string, dialect: Dialect = seedDialect): Selection {
  if (query === '') return null;
  const { values, lists } = dialect.data.policyProperties;
  const further = [...values, ...lists];
  const known = further.length === 0 ? spelled : spell([...properties, ...further]);
  const problems: ValidationProblem[] = [];
  const given = new Map<Option, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const plain = name.toLowerCase().replace(/^\$/, '');
    const option = options.find((one) => one === plain);
    if (option === undefined)
      problems.push({ location: name, message: `${refusal(plain)}; allowed: $select, $expand` });
    else if (given.has(option)) problems.push({ location: name, message: 'is given more than once' });
    else given.set(option, value);
  }
  const reader: NameReader = { known, problems, typeName: dialect.toQualifiedType(policyType) };
  const selected = namesIn(given.get('select'), '$select', reader);
  const expanded = namesIn(given.get('expand'), '$expand', reader);
  for (const name of expanded.filter((one) => one !== expandable))
    problems.push({ location: '$expand', message: `${formatValue(name)} cannot be expanded; allowed: ${expandable}` });
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems, aspect: 'option' });
  if (selected.length === 0 || selected.includes('*')) return null;
  return [...known.values()].filter((name) => selected.includes(name) || expanded.includes(name));
}

function refusal(plain: string): string {
  return foreignOptions.includes(plain)
    ? 'the query option is not supported for the policy'
    : 'the query option is unknown';
}

interface NameReader {
  readonly known: Spelling;
  readonly problems: ValidationProblem[];
  /** Name of the type in messages. */
  readonly typeName: string;
}

/** Splits a comma-separated list into property names as the policy spells them. */
function namesIn(
  list: string | undefined,
  place: string,
  { known, problems, typeName }: NameReader,
): readonly string[] {
  if (list === undefined) return [];
  return list.split(',').flatMap((part) => {
    const name = part.trim();
    const spelling = name === '*' ? name : known.get(name.toLowerCase());
    if (spelling !== undefined) return [spelling];
    const allowed = `allowed: *, ${[...known.values()].join(', ')}`;
    const message =
      name === ''
        ? `a name is missing; ${allowed}`
        : `Could not find a property named '${formatValue(name).slice(1, -1)}' on type '${typeName}'; ${allowed}`;
    problems.push({ location: place, message });
    return [];
  });
}

/** Returns the selected part of the policy, with its annotations. Its context lists the selected properties. */
export function selectedFrom(policy: Policy, selection: readonly string[]): Partial<Policy> {
  const parts = Object.entries(policy).filter(([name]) => selection.includes(name.split('@')[0] ?? ''));
  return { '@odata.context': `${policy['@odata.context']}(${selection.join(',')})`, ...Object.fromEntries(parts) };
}

const selectedSuffix = /\([\w,]*\)$/;

/**
 * Returns `true` for the context of the full policy or of a selected part, so clients can send back partial responses.
 * An absolute context is also accepted with another root, because a server can have several.
 */
export function isContextFor(given: unknown, context: string): boolean {
  if (typeof given !== 'string') return false;
  const whole = given.replace(selectedSuffix, '');
  if (whole === context || !URL.canParse(context)) return whole === context;
  return URL.canParse(whole) && new URL(whole).hash === new URL(context).hash && whole.includes('/$metadata#');
}
