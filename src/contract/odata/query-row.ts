import type { FilterProperties } from './filter-properties.ts';

/** Query options of one resource. A resource supports only the listed ones. */
export interface QueryRow {
  /** Default and maximum number of rows on a page, or `null` if all rows are on one page. */
  readonly page: { readonly rows: number; readonly rowsMax: number } | null;
  /** `false` if `$select` is not supported. */
  readonly select?: boolean;
  /** `true` if `$skip` is supported. */
  readonly skip?: boolean;
  readonly filter?: FilterProperties;
  readonly orderby?: readonly string[];
  /** Names that can be expanded. */
  readonly expand?: readonly string[];
  readonly count?: boolean;
  /** Properties that can be searched. */
  readonly search?: readonly string[];
  /**
   * `true` for lists of directory objects, where counting and some filters require `ConsistencyLevel: eventual`;
   * `filters` if every filter requires it.
   */
  readonly isDirectory?: boolean | 'filters';
}

/** Options that every single object supports. */
export const singleRow: QueryRow = { page: null };

/** Options of actions, which support none. */
export const noOptions: QueryRow = { page: null, select: false };
