import { type LookupType, lookupTypes } from '../../contract/lookup.schema.ts';
import { asciiJson } from '../../contract/lookup-responses.ts';
import { LruMap } from '../../core/lru-map.ts';
import type { LookupService } from '../../journal/lookup-state.ts';
import type { Recorder } from '../recorder.ts';
import { normalizedQuery } from './account-key.ts';
import type { LookupCommand } from './lookup-command.ts';
import type { ResultSource, ShownAccount, ToolResult } from './lookup-results.ts';

/** Answers that are remembered; one of `all` tools has some three thousand characters. */
const answersMax = 1_000;

type Lookup = Extract<LookupCommand, { action: null }>;
type ToolResults = Readonly<Record<string, ToolResult>>;

/** The module that makes up accounts, loaded when someone first looks for one: most runs never do. */
let results: typeof import('./lookup-results.ts') | undefined;

/** The results of one sandbox as JSON, remembered as long as the service stays as it is. */
export class LookupResultCache {
  readonly #recorder: Recorder;
  readonly #baseUrl: () => string;
  #answers: LruMap<string, string> | undefined;
  /** What the answers follow from. */
  #service: LookupService | null = null;
  #address = '';
  #tools = '';

  constructor(recorder: Recorder, baseUrl: () => string) {
    this.#recorder = recorder;
    this.#baseUrl = baseUrl;
  }

  /** Resolves when results can be made. */
  ready(): Promise<unknown> | undefined {
    if (results !== undefined) return undefined;
    return import('./lookup-results.ts').then((loaded) => {
      results = loaded;
    });
  }

  /** The answer to a lookup as JSON; the query is echoed as it was sent. Takes the service that stands now. */
  answer(question: Lookup, service: LookupService): string {
    const { type, query, tool } = question;
    this.#refresh(service);
    this.#answers ??= new LruMap({ max: answersMax });
    const key = `${type} ${tool} ${normalizedQuery(type, query)}`;
    // A username that is echoed in a result is part of the key; only the case of an email address is not, and none is echoed.
    let found = this.#answers.get(key);
    if (found === undefined) {
      found = asciiJson(this.results(question));
      this.#answers.set(key, found);
    }
    return `{"success":true,"query":${asciiJson(query)},"type":"${type}","results":${found}}`;
  }

  /** The results of a lookup by tool; `all` leaves disabled tools out. */
  results({ type, query, tools }: Lookup): ToolResults {
    const { toolResult } = results as NonNullable<typeof results>;
    const source = this.#source();
    const asked = tools.filter(({ enabled }) => enabled);
    return Object.fromEntries(asked.map((tool) => [tool.id, toolResult(source, { type, query }, tool)]));
  }

  /** The account that an address was given out for; `null` for another one. */
  account(type: LookupType, toolId: string, id: string): ShownAccount | null {
    const { accountAt } = results as NonNullable<typeof results>;
    return accountAt(this.#source().service, type, toolId, id);
  }

  /** The answer to `action=tools` as JSON. */
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
