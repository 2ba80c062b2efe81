import type { ResourceType } from '../../contract/directory-api/resource-type.ts';
import type { ListSource } from './resource-list.ts';

/** Resources that an operation returns: all rows of a list, or a single one. */
export interface ResourceSet<Row> extends ListSource<Row> {
  /** Name of the set in the context of responses. */
  readonly entitySet: string;
  /** `true` for a resource that is not part of a collection. */
  readonly isSingleton?: boolean;
  /** Types that the rows can have. With several, each row names its own. */
  readonly types: readonly ResourceType[];
  readonly getType: (row: Row) => ResourceType;
  /** `true` if rows are the same for every caller, so equal pages are rendered once per state. */
  readonly isSameForAll?: boolean;
  /** Strong ETag of a single resource. */
  readonly etag?: string;
  /** Returns the contexts of properties, by their names, as fragments of the URL of the metadata. */
  readonly getContexts?: (row: Row) => Readonly<Record<string, string>>;
  /** Returns the facts of a row for its annotation. */
  readonly annotate?: (row: Row) => object;
  /** Returns the resources that are related to a row, by the name of the relationship. */
  readonly getRelated?: (row: Row, name: string) => ResourceSet<Row>;
}

/** Resource set with rows of any kind. */
export type AnyResourceSet = {
  // The dispatcher passes rows only to functions of the same set.
  // biome-ignore lint/suspicious/noExplicitAny: rows of one set have one type, which no caller depends on.
  readonly [Key in keyof ResourceSet<any>]: ResourceSet<any>[Key];
};
