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

/** The object that stands for one tool in an answer. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** What is asked of tools. */
export interface LookupParameters {
  readonly type: LookupType;
  readonly query: string;
}

/** Where the answers come from. */
export interface ResultSource {
  readonly service: LookupService;
  readonly seed: number;
  /** Address of the sandbox, without a slash at the end: pages and pictures of accounts stand below it. */
  readonly baseUrl: string;
}

/**
 * What one tool answers (L4): only a found result has other fields. The same question has the same answer in every process:
 * it follows from the seed, type, query and tool.
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
  const asked = normalizedQuery(type, query);
  if (asked === normalizedQuery(type, tool.knownQuery)) return true;
  return asked !== normalizedQuery(type, tool.unknownQuery) && computeShare(key) < tool.shareFound;
}

/** An account that an address was given out for, as its page shows it. */
export interface ShownAccount extends AccountFacts {
  readonly tool: LookupTool;
}

/**
 * The account of an address; `null` for an address that was not given out. An account that was found by its username is shown
 * without it, since the address must not tell what was asked.
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
