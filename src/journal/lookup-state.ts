import type {
  KnownResponse,
  LookupAccount,
  LookupSettings,
  LookupSetup,
  LookupToken,
} from '../contract/lookup.schema.ts';
import { defaultLookup } from '../contract/lookup-defaults.ts';
import { basicWindows, tokenWindows } from '../contract/lookup-limits.ts';
import { nothingUsed, type QuotaUse, recordQuotaUse, type WindowLimit } from '../core/quota-windows.ts';
import type { EventOf, JournalEvent } from './journal-event.ts';

/** Configuration of a sandbox's lookup service. It is immutable, so responses can be cached per object. */
export interface LookupService {
  readonly tools: LookupSetup['tools'];
  readonly settings: LookupSettings;
  /** Known responses by their key. */
  readonly known: ReadonlyMap<string, KnownResponse>;
}

/** Quota use of one caller. It is immutable, so each use creates another object. */
export interface CallerUse extends QuotaUse {
  /**
   * Tools and their call counts, alternating: compact, because a caller uses few tools and there can be many callers.
   */
  readonly byTool: readonly (string | number)[];
}

/** Lookup service of a sandbox: its accounts, quota use and configuration. */
export interface LookupState {
  service: LookupService;
  readonly accounts: Map<string, LookupAccount>;
  /** Account ids by lowercase email address. */
  readonly accountIdsByEmail: Map<string, string>;
  readonly tokens: Map<string, LookupToken>;
  readonly tokenIdsByHash: Map<string, string>;
  /** Quota use by caller: a token, or an account with its password. */
  readonly uses: Map<string, CallerUse>;
}

/** Service of sandboxes with the built-in configuration, created once. */
const shippedService = getLookupService(defaultLookup);

/**
 * Creates the initial lookup service of a sandbox.
 * @param setup - configuration; `undefined` for the built-in one
 */
export function beginLookup(setup: LookupSetup | undefined): LookupState {
  const { accounts, tokens } = setup ?? defaultLookup;
  const state: LookupState = {
    service: setup === undefined ? shippedService : getLookupService(setup),
    accounts: new Map(),
    accountIdsByEmail: new Map(),
    tokens: new Map(),
    tokenIdsByHash: new Map(),
    uses: new Map(),
  };
  for (const account of accounts) putAccount(state, account);
  for (const token of tokens) putToken(state, token);
  return state;
}

/** Returns `true` if a service is the built-in one. */
export function isShipped(service: LookupService): boolean {
  return service === shippedService;
}

/** Creates a service from its parts; returns the built-in one if `parts` is `null`. */
export function getLookupService(parts: Pick<LookupSetup, 'tools' | 'settings' | 'known'> | null): LookupService {
  if (parts === null) return shippedService;
  const { tools, settings, known } = parts;
  return { tools, settings, known: new Map(known.map((answer) => [answer.key, answer])) };
}

/** Returns the caller id of a token; quotas apply per caller. */
export function tokenCaller(tokenId: string): string {
  return `token:${tokenId}`;
}

/** Returns the caller id of an account that uses its password. */
export function accountCaller(accountId: string): string {
  return `account:${accountId}`;
}

/** Lists the quota windows of a caller. */
export function listWindowLimits({ accounts }: LookupState, caller: string): readonly WindowLimit[] {
  const account = caller.startsWith('account:') ? accounts.get(caller.slice('account:'.length)) : undefined;
  return account === undefined ? tokenWindows : basicWindows[account.tier];
}

export const noUse: CallerUse = { ...nothingUsed, byTool: [] };

export type LookupJournalEvent = Extract<JournalEvent, { type: `lookup.${string}` }>;

/** Applies an event about the lookup service, with the virtual time of its entry in milliseconds. */
export function applyToLookup(state: LookupState, event: LookupJournalEvent, atMs: number): void {
  switch (event.type) {
    case 'lookup.charged':
      return charge(state, event, atMs);
    case 'lookup.changed':
      state.service = changedService(state.service, event);
      return;
    case 'lookup.accountSaved':
      return putAccount(state, event.account);
    case 'lookup.tokenIssued':
      return putToken(state, event.token);
    case 'lookup.tokenRenamed': {
      const token = state.tokens.get(event.tokenId);
      if (token !== undefined) state.tokens.set(token.id, { ...token, name: event.name });
      return;
    }
    case 'lookup.tokenRevoked': {
      const token = state.tokens.get(event.tokenId);
      state.tokens.delete(event.tokenId);
      if (token !== undefined) state.tokenIdsByHash.delete(token.tokenHash);
      return;
    }
  }
}

function charge(state: LookupState, { caller, tool, cost }: EventOf<'lookup.charged'>, atMs: number): void {
  const use = state.uses.get(caller) ?? noUse;
  const { months } = recordQuotaUse(use, listWindowLimits(state, caller), atMs, cost);
  state.uses.set(caller, { months, byTool: tool === null ? use.byTool : counted(use.byTool, tool) });
}

function counted(byTool: CallerUse['byTool'], tool: string): CallerUse['byTool'] {
  const place = byTool.indexOf(tool);
  return place === -1 ? byTool.concat(tool, 1) : byTool.with(place + 1, Number(byTool[place + 1]) + 1);
}

function changedService(service: LookupService, { tools, settings, known }: EventOf<'lookup.changed'>): LookupService {
  return getLookupService({
    tools: tools ?? service.tools,
    settings: settings ?? service.settings,
    known: known ?? [...service.known.values()],
  });
}

/** Stores an account or replaces the existing one. */
export function putAccount({ accounts, accountIdsByEmail }: LookupState, account: LookupAccount): void {
  const before = accounts.get(account.id);
  if (before !== undefined) accountIdsByEmail.delete(before.email.toLowerCase());
  accounts.set(account.id, account);
  accountIdsByEmail.set(account.email.toLowerCase(), account.id);
}

/** Stores a token. */
export function putToken({ tokens, tokenIdsByHash }: LookupState, token: LookupToken): void {
  tokens.set(token.id, token);
  tokenIdsByHash.set(token.tokenHash, token.id);
}
