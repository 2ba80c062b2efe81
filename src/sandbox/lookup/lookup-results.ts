import type { LookupTool, LookupType } from '../../contract/lookup.schema.ts';
import type { LookupService } from '../../journal/lookup-state.ts';
import {
  type AccountFacts,
  accountFacts,
  computeShare,
  createAccountId,
  getKeyPrefix,
  isAccountId,
} from './account-facts.ts';
import { createAccountKey, normalizedQuery } from './account-key.ts';

/** Result object of one tool. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** Parameters of a lookup. */
export interface LookupParameters {
  readonly type: LookupType;
  readonly query: string;
}

/** Data that the results are generated from. */
export interface ResultSource {
  readonly service: LookupService;
  readonly seed: number;
  /** Base URL of the sandbox without a trailing slash, for the pages and pictures of accounts. */
  readonly baseUrl: string;
}

/**
 * Generates the result of one tool (L4). Only a result with a found account has additional fields. The result
 * depends only on the random seed, type, query and tool, so it is the same in every process.
 */
export function toolResult(
  { service, seed, baseUrl }: ResultSource,
  { type, query }: LookupParameters,
  tool: LookupTool,
): ToolResult {
  const key = createAccountKey(seed, type, query, tool.id);
  const known = service.known.get(key) ?? null;
  if (!(known?.found ?? isFound(type, query, tool, key))) return { found: false };
  const id = createAccountId(key, tool.id);
  const { username, fields } = accountFacts(tool, id, known);
  const place = `${type}/${tool.id}/${id}`;
  return {
    found: true,
    username: type === 'username' && known?.username === undefined ? query : username,
    profile_url: `${baseUrl}/lookup/profiles/${place}`,
    avatar: `${baseUrl}/lookup/avatars/${place}.svg`,
    ...fields,
  };
}

function isFound(type: LookupType, query: string, tool: LookupTool, key: string): boolean {
  const normalized = normalizedQuery(type, query);
  if (normalized === normalizedQuery(type, tool.knownQuery)) return true;
  return normalized !== normalizedQuery(type, tool.unknownQuery) && computeShare(key) < tool.shareFound;
}

/** Account with an issued profile URL, as its page shows it. */
export interface ShownAccount extends AccountFacts {
  readonly tool: LookupTool;
}

/**
 * Returns the account with a profile URL, or `null` if the URL was not issued. An account found by its username is
 * shown without it, because the URL must not reveal the query.
 */
export function accountAt(
  { known, tools }: LookupService,
  type: LookupType,
  toolId: string,
  id: string,
): ShownAccount | null {
  const tool = tools[type].find((candidate) => candidate.id === toolId);
  if (tool === undefined || !isAccountId(id, toolId)) return null;
  const beginning = getKeyPrefix(id);
  const answer = [...known.values()].find(({ key }) => key.startsWith(beginning)) ?? null;
  return { tool, ...accountFacts(tool, id, answer) };
}
