import { type LookupType, lookupTypes } from '../../contract/lookup.schema.ts';
import { asciiJson } from '../../contract/lookup-responses.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { LookupService } from '../../journal/lookup-state.ts';
import type { Recorder } from '../recorder.ts';
import { normalizedQuery } from './account-key.ts';
import type { LookupCommand } from './lookup-command.ts';
import type { ResultSource, ShownAccount, ToolResult } from './lookup-results.ts';

/** Maximum number of cached results. A result of `all` tools has about three thousand characters. */
const answersMax = 1_000;

type Lookup = Extract<LookupCommand, { action: null }>;
type ToolResults = Readonly<Record<string, ToolResult>>;

/** Module that generates accounts, loaded for the first lookup because most runs never need it. */
let results: typeof import('./lookup-results.ts') | undefined;

/** Caches the JSON results of one sandbox until the lookup service changes. */
export class LookupResultCache {
  readonly #recorder: Recorder;
  readonly #baseUrl: () => string;
  #answers: LruMap<string, string> | undefined;
  /** Service configuration that the cached results are derived from. */
  #service: LookupService | null = null;
  #address = '';
  #tools = '';

  constructor(recorder: Recorder, baseUrl: () => string) {
    this.#recorder = recorder;
    this.#baseUrl = baseUrl;
  }

  /** Resolves when results can be generated. */
  ready(): Promise<unknown> | undefined {
    if (results !== undefined) return undefined;
    return import('./lookup-results.ts').then((loaded) => {
      results = loaded;
    });
  }

  /** Returns the result of a lookup as JSON for the current service. The query is returned as it was sent. */
  answer(question: Lookup, service: LookupService): string {
    const { type, query, tool } = question;
    this.#refresh(service);
    this.#answers ??= new LruMap({ max: answersMax });
    const key = `${type} ${tool} ${normalizedQuery(type, query)}`;
    // A result repeats the username, so the key contains it unchanged. An email address is never repeated, so its case
    // is ignored.
    let found = this.#answers.get(key);
    if (found === undefined) {
      found = asciiJson(this.results(question));
      this.#answers.set(key, found);
    }
    return `{"success":true,"query":${asciiJson(query)},"type":"${type}","results":${found}}`;
  }

  /** Returns the results of a lookup by tool. A lookup of `all` omits disabled tools. */
  results({ type, query, tools }: Lookup): ToolResults {
    const { toolResult } = results as NonNullable<typeof results>;
    const source = this.#source();
    const enabledTools = tools.filter(({ enabled }) => enabled);
    return Object.fromEntries(enabledTools.map((tool) => [tool.id, toolResult(source, { type, query }, tool)]));
  }

  /** Returns the account with an issued profile URL, or `null` if the URL was not issued. */
  account(type: LookupType, toolId: string, id: string): ShownAccount | null {
    const { accountAt } = results as NonNullable<typeof results>;
    return accountAt(this.#source().service, type, toolId, id);
  }

  /** Returns the response to `action=tools` as JSON. */
  tools(): string {
    const { service } = this.#source();
    this.#refresh(service);
    if (this.#tools === '') this.#tools = asciiJson(toolsAnswer(service));
    return this.#tools;
  }

  #source(): ResultSource {
    const { lookup, seed } = this.#recorder.state();
    return { service: lookup.service, seed, baseUrl: this.#baseUrl() };
  }

  #refresh(service: LookupService): void {
    const address = this.#baseUrl();
    if (service === this.#service && address === this.#address) return;
    this.#service = service;
    this.#address = address;
    this.#answers?.clear();
    this.#tools = '';
  }
}

function toolsAnswer({ tools }: LookupService): object {
  const listed = lookupTypes.map((type) => [
    type,
    tools[type].map(({ id, name, enabled, fields, knownQuery, unknownQuery }) => ({
      id,
      name,
      enabled,
      fields: ['found', 'username', 'profile_url', 'avatar', ...fields],
      known_query: knownQuery,
      unknown_query: unknownQuery,
    })),
  ]);
  return {
    success: true,
    tools: Object.fromEntries(listed),
    count: Object.fromEntries(lookupTypes.map((type) => [type, tools[type].length])),
  };
}
