import { factsAnnotation } from '../../contract/directory-api/facts-annotation.ts';
import type { ResourceType } from '../../contract/directory-api/resource-type.ts';
import type { Expansion, QueryOptions } from '../../contract/odata/query-options.ts';
import type { QueryRow } from '../../contract/odata/query-row.ts';
import { expandedObjectsMax } from '../../core/limits.ts';
import type { TimeSlices } from '../../core/time-slices.ts';
import { ifNoneMatchHolds, readReturnPreference } from '../policy-conditions.ts';
import {
  type DirectoryApiRequest,
  type DirectoryApiResponse,
  jsonMediaType,
  plainJsonMediaType,
  type RenderedPage,
} from './directory-exchange.ts';
import type { DirectoryView } from './directory-view.ts';
import { type Preferences, readPreferences } from './preferences.ts';
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

/** Page of a list whose rows were selected. */
interface ListedPage {
  readonly token: string | null;
  readonly count?: number | null;
  readonly page: QueryRow['page'];
}

interface ResponseParts {
  readonly request: DirectoryApiRequest;
  readonly view: DirectoryView;
  readonly options: QueryOptions;
  /** `true` for a response without annotations. */
  readonly isPlain: boolean;
  readonly slices: TimeSlices;
}

/** Builds the response to one request. */
export class ResourceResponse {
  readonly #parts: ResponseParts;
  readonly #preferences: Preferences;

  constructor(parts: ResponseParts) {
    this.#parts = parts;
    this.#preferences = readPreferences(parts.request.headers.prefer);
  }

  /** Returns a page of a list. */
  async page(set: AnyResourceSet, query: PlannedQuery, { from, skip, page, sign }: PageWindow): Promise<RenderedPage> {
    const { slices } = this.#parts;
    const { rows, next } = await query.page({ from, skip, size: this.pageSize(page, query.length) }, slices);
    const token = next === null ? null : await sign(next);
    const count = this.#parts.options.count ? await query.count(slices) : null;
    const write = this.createWriter(set);
    const written: string[] = [];
    for (const row of rows) {
      if (slices.isDue()) await slices.pause();
      written.push(write(row));
    }
    return this.rows(set, written, { token, count, page });
  }

  /** Returns the number of rows on a page: the requested, the preferred, or the default one. */
  pageSize(page: QueryRow['page'], allRows: number): number {
    return this.#parts.options.top ?? this.#preferredSize(page) ?? page?.rows ?? allRows;
  }

  /**
   * Returns a function that writes a row as JSON. Each row becomes a text as soon as it is read, so the objects of a page
   * need little memory.
   */
  createWriter(set: AnyResourceSet): (row: unknown) => string {
    const render = this.#createItemRenderer(set);
    return (row) => JSON.stringify(render(row));
  }

  /** Returns the written rows of one page, with the token of the next page unless it is the last one. */
  rows(set: AnyResourceSet, written: readonly string[], { token, count = null, page }: ListedPage): RenderedPage {
    const annotations = JSON.stringify({
      ...this.#context(this.#describe(set)),
      ...(count === null ? {} : { '@odata.count': count }),
      ...(token === null ? {} : { '@odata.nextLink': this.#nextLink(token) }),
    });
    const size = this.#parts.options.top === null ? this.#preferredSize(page) : null;
    const applied = [...(size === null ? [] : [`odata.maxpagesize=${size}`]), ...this.#listAppliedPreferences(set)];
    const { status, headers } = this.#json({}, toAppliedHeader(applied));
    const start = annotations === '{}' ? '{' : `${annotations.slice(0, -1)},`;
    return { status, headers, body: { bytes: Buffer.from(`${start}"value":[${written.join(',')}]}`) } };
  }

  #preferredSize(page: QueryRow['page']): number | null {
    const { maxPageSize } = this.#preferences;
    return page === null || maxPageSize === null ? null : Math.min(maxPageSize, page.rowsMax);
  }

  #listAppliedPreferences({ annotate }: AnyResourceSet): readonly string[] {
    return [
      ...(annotate !== undefined && this.#preferences.annotates ? [`include-annotations="${factsAnnotation}"`] : []),
      ...(this.#preferences.includesUnknown ? ['include-unknown-enum-members'] : []),
    ];
  }

  /** Returns the only resource of a set. */
  single(set: AnyResourceSet): DirectoryApiResponse {
    const [rendered] = takeRows(set.rows, 0, 1).map(this.#createItemRenderer(set));
    const suffix = set.isSingleton === true ? '' : '/$entity';
    const { etag } = set;
    const { ifNoneMatch } = this.#parts.request.headers;
    if (etag !== undefined && ifNoneMatch !== undefined && ifNoneMatchHolds(ifNoneMatch, etag)) {
      return { status: 304, headers: { ETag: etag }, body: null };
    }
    const tag: Readonly<Record<string, string>> = etag === undefined ? {} : { ETag: etag };
    const body = { ...this.#context(`${this.#describe(set)}${suffix}`), ...rendered };
    return this.#json(body, { ...toAppliedHeader(this.#listAppliedPreferences(set)), ...tag });
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
    const preference = readReturnPreference(this.#parts.request.headers.prefer);
    const applied: Readonly<Record<string, string>> =
      preference === null ? headers : { ...headers, 'Preference-Applied': `return=${preference}` };
    const isRepresented = preference === null ? isShown : preference === 'representation';
    const { ETag } = response.headers;
    if (!isRepresented) {
      return { status: 204, headers: ETag === undefined ? applied : { ...applied, ETag }, body: null };
    }
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
    const names = [...(select ?? []), ...expand.map((one) => `${one.name}(${one.select?.join(',') ?? ''})`)];
    return names.length === 0 ? entitySet : `${entitySet}(${names.join(',')})`;
  }

  #context(fragment: string): Rendered {
    const { isPlain, request } = this.#parts;
    return isPlain ? {} : { '@odata.context': `${request.root}$metadata#${fragment}` };
  }

  #createItemRenderer(set: AnyResourceSet): (row: unknown) => Rendered {
    const { select, expand } = this.#parts.options;
    const render = this.#withAnnotation(set, this.#createRenderer(set, select));
    if (expand.length === 0) return render;
    return (row) => {
      const rendered = render(row);
      for (const expansion of expand) rendered[expansion.name] = this.#expand(set, row, expansion);
      return rendered;
    };
  }

  /** Adds the facts to each row, if the request or the tenant asks for them (DIR76). */
  #withAnnotation({ annotate }: AnyResourceSet, render: (row: unknown) => Rendered): (row: unknown) => Rendered {
    const annotates = this.#preferences.annotates || this.#parts.view.settings.annotateFacts === true;
    if (annotate === undefined || !annotates) return render;
    return (row) => ({ ...render(row), [`@${factsAnnotation}`]: annotate(row) });
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
    const byType = new Map<ResourceType, (row: unknown) => Rendered>();
    const isTyped = set.types.length > 1 && !isPlain;
    return (row) => {
      const type = set.getType(row);
      let render = byType.get(type);
      if (render === undefined) {
        const version = view.showsAll(type.name) ? 'beta' : request.version;
        render = createRenderer(type, { version, dialect, select }, (name) => createPropertyReader(set, name));
        byType.set(type, render);
      }
      const rendered = isTyped ? { '@odata.type': dialect.toWireType(type.name), ...render(row) } : render(row);
      return set.getContexts === undefined || isPlain ? rendered : this.#addContexts(rendered, set.getContexts(row));
    };
  }

  /** Adds the contexts of properties before them. */
  #addContexts(rendered: Rendered, contexts: Readonly<Record<string, string>>): Rendered {
    const entries = Object.entries(rendered).flatMap(([name, value]) => {
      const fragment = contexts[name];
      if (fragment === undefined) return [[name, value] as const];
      return [
        [`${name}@odata.context`, `${this.#parts.request.root}$metadata#${fragment}`] as const,
        [name, value] as const,
      ];
    });
    return Object.fromEntries(entries);
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

function toAppliedHeader(applied: readonly string[]): Readonly<Record<string, string>> {
  return applied.length === 0 ? {} : { 'Preference-Applied': applied.join(', ') };
}
