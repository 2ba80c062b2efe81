/** Subset of JSON Schema that forms are derived from. */
export interface FormSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly anyOf?: readonly FormSchema[];
  readonly oneOf?: readonly FormSchema[];
}

/** JSON object that a form edits. */
export type FormValue = Readonly<Record<string, unknown>>;

/** Kinds of fields. `json` is a value for which no form exists. */
export type FieldKind =
  | 'switch'
  | 'choice'
  | 'number'
  | 'instant'
  | 'text'
  | 'choices'
  | 'texts'
  | 'list'
  | 'group'
  | 'variants'
  | 'json';

/** Schema of a value without its `null` alternative. */
export interface FieldSchema {
  readonly kind: FieldKind;
  readonly schema: FormSchema;
  readonly isNullable: boolean;
}

/**
 * Determines the field for a schema.
 *
 * @param key - key of the value in its object; a key that ends in `AtMs` is an instant
 * @param given - schema of the value
 */
export function describeField(key: string, given: FormSchema): FieldSchema {
  const alternatives = given.anyOf ?? [];
  const others = alternatives.filter(({ type }) => type !== 'null');
  const [only] = others;
  const isNullable = others.length < alternatives.length;
  const { anyOf: _alternatives, ...own } = given;
  const schema = alternatives.length > 0 && others.length === 1 ? { ...only, ...own } : given;
  return { kind: chooseKind(key, schema, others), schema, isNullable };
}

function chooseKind(key: string, schema: FormSchema, alternatives: readonly FormSchema[]): FieldKind {
  if (alternatives.length > 1) return alternatives.every(isObject) ? 'variants' : 'json';
  if (schema.enum !== undefined) return 'choice';
  switch (schema.type) {
    case 'boolean':
      return 'switch';
    case 'integer':
    case 'number':
      return key.endsWith('AtMs') ? 'instant' : 'number';
    case 'string':
      return 'text';
    case 'array':
      return chooseListKind(schema.items ?? {});
    case 'object':
      return isObject(schema) ? 'group' : 'json';
    default:
      return 'json';
  }
}

function chooseListKind(items: FormSchema): FieldKind {
  if (items.enum !== undefined) return 'choices';
  if (items.type === 'string') return 'texts';
  return isObject(items) ? 'list' : 'json';
}

function isObject({ properties }: FormSchema): boolean {
  return properties !== undefined;
}

/** Labels of keys whose words are abbreviations or need a unit or a term of the console. */
const labels: Readonly<Record<string, string>> = {
  id: 'Id',
  userPrincipalName: 'Username (UPN or email)',
  displayName: 'Display name',
  mfaCapable: 'Capable of MFA',
  count: 'Snooze count',
  snoozedAtMs: 'Latest snooze (UTC)',
  code: 'One-time code',
  times: 'How many times',
  after: 'Occurrences before it applies',
  fault: 'Token fault',
  retryAfterSeconds: 'Retry-After (seconds)',
  sigma: 'Spread (sigma)',
};

const units: readonly (readonly [suffix: string, unit: string])[] = [
  ['Ms', 'ms'],
  ['Seconds', 'seconds'],
];

/** Returns the label of a key: its words, with the unit in parentheses. */
export function labelKey(key: string): string {
  const known = labels[key];
  if (known !== undefined) return known;
  const [suffix, unit] = units.find(([end]) => key.endsWith(end)) ?? ['', null];
  const words = key
    .slice(0, key.length - suffix.length)
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${unit === null ? '' : ` (${unit})`}`;
}

/** Descriptions of keys whose field has another form than their value. */
const hints: Readonly<Record<string, string>> = {
  snoozedAtMs: 'The start of the latest snooze; empty if there was none.',
};

/** Returns the description of a key as plain text. */
export function describeKey(key: string, { description }: FormSchema): string | undefined {
  return hints[key] ?? description?.replaceAll('`', '');
}

/** Returns the fields of an object schema in order, without the given keys and without constants. */
export function listFields(
  schema: FormSchema,
  hidden: readonly string[] = [],
): readonly (readonly [key: string, schema: FormSchema])[] {
  const entries = Object.entries(schema.properties ?? {});
  const shown = entries.filter(([key, field]) => !hidden.includes(key) && field.const === undefined);
  const place = ([key]: readonly [string, FormSchema]): number =>
    firstKeys.includes(key) ? firstKeys.indexOf(key) : firstKeys.length;
  return shown.toSorted((one, other) => place(one) - place(other));
}

/** Keys by which people know an object, in the order of the form. All others follow. */
const firstKeys: readonly string[] = ['userPrincipalName', 'displayName'];

/** Returns the constant that tells an alternative apart from the others, such as its `kind`. */
export function getConstant(schema: FormSchema, key: string): string {
  return String(schema.properties?.[key]?.const ?? '');
}

/** Returns a value with one key changed. `undefined` removes the key. */
export function withKey(value: FormValue, key: string, changed: unknown): FormValue {
  const { [key]: _before, ...others } = value;
  if (changed === undefined) return others;
  return { ...value, [key]: changed };
}

/**
 * Returns the merge patch (RFC 7396) that leads from one object to another. A key that was removed is `null`, which
 * resets it to its default.
 */
export function toMergePatch(before: FormValue, after: FormValue): FormValue {
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[key], after[key]];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    patch[key] = isPlain(from) && isPlain(to) ? toMergePatch(from, to) : (to ?? null);
  }
  return patch;
}

function isPlain(value: unknown): value is FormValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
