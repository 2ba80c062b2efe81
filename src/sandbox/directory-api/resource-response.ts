import type { ResourceType } from '../../contract/directory-api/resource-type.ts';
import type { Expansion, QueryOptions } from '../../contract/odata/query-options.ts';
import type { QueryRow } from '../../contract/odata/query-row.ts';
import { expandedObjectsMax } from '../../core/limits.ts';
import {
  type DirectoryApiRequest,
  type DirectoryApiResponse,
  jsonMediaType,
  plainJsonMediaType,
} from './directory-exchange.ts';
import type { DirectoryView } from './directory-view.ts';
import { createPropertyReader, type PlannedQuery } from './resource-list.ts';
import { createRenderer } from './resource-rendering.ts';
import type { AnyResourceSet } from './resource-set.ts';
import { takeRows } from './row-source.ts';

type Rendered = Record<string, unknown>;

/** Position of a page in a list. */
interface PageWindow {
  /** Position of the first row in the order of the list, and the number of selected rows to skip before it. */
  readonly from: number;
  readonly skip: number;
  readonly page: QueryRow['page'];
  /** Creates the token of the page that starts after a number of rows. */
  readonly sign: (offset: number) => Promise<string>;
}

interface ResponseParts {
  readonly request: DirectoryApiRequest;
  readonly view: DirectoryView;
  readonly options: QueryOptions;
  /** `true` for a response without annotations. */
  readonly isPlain: boolean;
}

const returnPreference = /(?:^|[,;\s])return\s*=\s*(minimal|representation)(?:$|[,;\s])/i;

const maxPageSize = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*(\d{1,9})/i;

/** Builds the response to one request. */
export class ResourceResponse {
  readonly #parts: ResponseParts;

  constructor(parts: ResponseParts) {
    this.#parts = parts;
  }

  /** Returns a page of a list. */
  async page(
    set: AnyResourceSet,
    query: PlannedQuery,
    { from, skip, page, sign }: PageWindow,
  ): Promise<DirectoryApiResponse> {
    const { options, request } = this.#parts;
    const preferred = page === null ? null : readMaxPageSize(request.headers.prefer, page.rowsMax);
    const size = options.top ?? preferred ?? page?.rows ?? query.length;
    const { rows, next } = query.page({ from, skip, size });
    const head = {
      ...this.#context(this.#describe(set)),
      ...(options.count ? { '@odata.count': query.count() } : {}),
      ...(next === null ? {} : { '@odata.nextLink': this.#nextLink(await sign(next)) }),
    };
    const body = { ...head, value: rows.map(this.#createItemRenderer(set)) };
    const isApplied = options.top === null && preferred !== null;
    return this.#json(body, isApplied ? { 'Preference-Applied': `odata.maxpagesize=${preferred}` } : {});
  }

  /** Returns the only resource of a set. */
  single(set: AnyResourceSet): DirectoryApiResponse {
    const [rendered] = takeRows(set.rows, 0, 1).map(this.#createItemRenderer(set));
    const suffix = set.isSingleton === true ? '' : '/$entity';
    return this.#json({ ...this.#context(`${this.#describe(set)}${suffix}`), ...rendered });
  }

  /** Returns the resource that a request created, or only its URL if the client prefers that. */
  created(set: AnyResourceSet, id: string): DirectoryApiResponse {
    const { root, path } = this.#parts.request;
    const collection = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
    const headers = { Location: `${root}${collection}/${encodeURIComponent(id)}` };
    return this.#written(this.single(set), { status: 201, isShown: true, headers });
  }

  /** Returns nothing, or the changed resource if the client prefers that. */
  changed(set: AnyResourceSet): DirectoryApiResponse {
    return this.#written(this.single(set), { status: 200, isShown: false, headers: {} });
  }

  #written(
    response: DirectoryApiResponse,
    {
      status,
      isShown,
      headers,
    }: { readonly status: number; readonly isShown: boolean; readonly headers: Readonly<Record<string, string>> },
  ): DirectoryApiResponse {
    const [, preference] = returnPreference.exec(this.#parts.request.headers.prefer ?? '') ?? [];
    const applied: Readonly<Record<string, string>> =
      preference === undefined ? headers : { ...headers, 'Preference-Applied': `return=${preference.toLowerCase()}` };
    const isRepresented = preference === undefined ? isShown : preference.toLowerCase() === 'representation';
    if (!isRepresented) return { status: 204, headers: applied, body: null };
    return { status, headers: { ...response.headers, ...applied }, body: response.body };
  }

  /** Returns the result of an action. */
  value(type: string, value: unknown): DirectoryApiResponse {
    return this.#json({ ...this.#context(type), value });
  }

  /** Returns a number of rows as text. */
  count(rows: number): DirectoryApiResponse {
    return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: { text: String(rows) } };
  }

  #json(json: object, headers: Readonly<Record<string, string>> = {}): DirectoryApiResponse {
    const type = this.#parts.isPlain ? plainJsonMediaType : jsonMediaType;
    return { status: 200, headers: { 'Content-Type': type, ...headers }, body: { json } };
  }

  /** Names the entity set and the selected and expanded properties. */
  #describe({ entitySet }: AnyResourceSet): string {
    const { select, expand } = this.#parts.options;
    const names = [...(select ?? []), ...expand.map(({ name }) => `${name}()`)];
    return names.length === 0 ? entitySet : `${entitySet}(${names.join(',')})`;
  }

  #context(fragment: string): Rendered {
    const { isPlain, request } = this.#parts;
    return isPlain ? {} : { '@odata.context': `${request.root}$metadata#${fragment}` };
  }

  #createItemRenderer(set: AnyResourceSet): (row: unknown) => Rendered {
    const { select, expand } = this.#parts.options;
    const render = this.#createRenderer(set, select);
    if (expand.length === 0) return render;
    return (row) => {
      const rendered = render(row);
      for (const expansion of expand) rendered[expansion.name] = this.#expand(set, row, expansion);
      return rendered;
    };
  }

  #expand(set: AnyResourceSet, row: unknown, { name, select }: Expansion): readonly Rendered[] {
    const related = set.getRelated?.(row, name);
    if (related === undefined) return [];
    return takeRows(related.rows, 0, expandedObjectsMax).map(this.#createRenderer(related, select));
  }

  /** Returns a function that renders rows of any type in the set. Rows of a mixed set name their type. */
  #createRenderer(set: AnyResourceSet, select: readonly string[] | null): (row: unknown) => Rendered {
    const { request, view, isPlain } = this.#parts;
    const { dialect } = view;
    const rendering = { version: request.version, dialect, select };
    const byType = new Map<ResourceType, (row: unknown) => Rendered>();
    const isTyped = set.types.length > 1 && !isPlain;
    return (row) => {
      const type = set.getType(row);
      let render = byType.get(type);
      if (render === undefined) {
        render = createRenderer(type, rendering, (name) => createPropertyReader(set, name));
        byType.set(type, render);
      }
      return isTyped ? { '@odata.type': dialect.toWireType(type.name), ...render(row) } : render(row);
    };
  }

  /** Returns the URL of the next page with all options of this request. */
  #nextLink(token: string): string {
    const { root, path, query } = this.#parts.request;
    const kept = [...new URLSearchParams(query)].filter(([name]) => !/^\$?skiptoken$/i.test(name));
    const options = [...kept, ['$skiptoken', token] as const].map(
      ([name, value]) => `${encodeURIComponent(name).replaceAll('%24', '$')}=${encodeURIComponent(value)}`,
    );
    return `${root}${path.slice(1)}?${options.join('&')}`;
  }
}

/** Returns the preferred number of rows per page, up to the maximum, or `null` if there is no preference. */
function readMaxPageSize(prefer: string | undefined, rowsMax: number): number | null {
  const [, digits] = maxPageSize.exec(prefer ?? '') ?? [];
  const rows = Number(digits ?? 0);
  return rows === 0 ? null : Math.min(rows, rowsMax);
}
