/** Comparison operators of a filter. */
export const comparisons = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof comparisons)[number];

/** Functions of a filter that test a text. */
export const textTests = ['startswith', 'endswith', 'contains'] as const;
export type TextTest = (typeof textTests)[number];

/** Operator that a property can support: a comparison, a function on text, or a list of values. */
export type FilterOperator = Comparison | TextTest | 'in';

/** Type of a property with one value. */
export type ScalarType = 'string' | 'boolean' | 'number' | 'time';

/** Property with one value, and the operators that filters can use on it. */
export interface ScalarProperty {
  readonly type: ScalarType;
  readonly operators: readonly FilterOperator[];
}

/** Property that filters can use: one value, or a collection that is tested with `any`. */
export type FilterProperty =
  | ScalarProperty
  /** Collection of texts. */
  | { readonly type: 'strings'; readonly operators: readonly FilterOperator[] }
  /** Collection of objects with properties of their own. */
  | { readonly type: 'objects'; readonly items: FilterProperties };

/** Properties that filters can use, by their path, such as `status/errorCode`. */
export type FilterProperties = Readonly<Record<string, FilterProperty>>;

/** Property as a filter refers to it: in the documented spelling. */
export interface NamedProperty {
  readonly path: string;
  readonly property: FilterProperty;
}

const spellings = new WeakMap<FilterProperties, ReadonlyMap<string, NamedProperty>>();

/** Finds a property by its path in any case. */
export function findFilterProperty(properties: FilterProperties, path: string): NamedProperty | undefined {
  let bySpelling = spellings.get(properties);
  if (bySpelling === undefined) {
    bySpelling = new Map(
      Object.entries(properties).map(([name, property]) => [name.toLowerCase(), { path: name, property }]),
    );
    spellings.set(properties, bySpelling);
  }
  return bySpelling.get(path.toLowerCase());
}
