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

/** What the lookup service of a sandbox answers by; a change makes another one, so that answers can be remembered by it. */
export interface LookupService {
  readonly tools: LookupSetup['tools'];
  readonly settings: LookupSettings;
  /** Known answers by their key. */
  readonly known: ReadonlyMap<string, KnownResponse>;
}

/** What one caller has used. Nothing in it is changed; a charge makes another one. */
export interface CallerUse extends QuotaUse {
  /** Tools, and how often each was asked, in turn: a caller asks few, and there may be many callers. */
  readonly byTool: readonly (string | number)[];
}

/** The lookup service of a sandbox: who may ask, what was asked, what is answered. */
export interface LookupState {
  service: LookupService;
  readonly accounts: Map<string, LookupAccount>;
  /** Ids of accounts by lower-case email address. */
  readonly accountIdsByEmail: Map<string, string>;
  readonly tokens: Map<string, LookupToken>;
  readonly tokenIdsByHash: Map<string, string>;
  /** What callers have used, by caller: a token, or an account with its password. */
  readonly uses: Map<string, CallerUse>;
}

/** The service of sandboxes for which no one described another one, made once. */
const shippedService = getLookupService(defaultLookup);

/** The lookup service that a sandbox begins with. Takes what its plan says of it, if anything. */
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

/** Whether a service is the one that ships. */
export function isShipped(service: LookupService): boolean {
  return service === shippedService;
}

/** A service that is told its parts, `null` for the one that ships. */
export function getLookupService(parts: Pick<LookupSetup, 'tools' | 'settings' | 'known'> | null): LookupService {
  if (parts === null) return shippedService;
  const { tools, settings, known } = parts;
  return { tools, settings, known: new Map(known.map((answer) => [answer.key, answer])) };
}

/** The caller that a token is: quotas are those of callers. */
export function tokenCaller(tokenId: string): string {
  return `token:${tokenId}`;
}

/** The caller that an account is with its password. */
export function accountCaller(accountId: string): string {
  return `account:${accountId}`;
}

/** The windows that limit a caller. */
export function listWindowLimits({ accounts }: LookupState, caller: string): readonly WindowLimit[] {
  const account = caller.startsWith('account:') ? accounts.get(caller.slice('account:'.length)) : undefined;
  return account === undefined ? tokenWindows : basicWindows[account.tier];
}

export const noUse: CallerUse = { ...nothingUsed, byTool: [] };

export type LookupJournalEvent = Extract<JournalEvent, { type: `lookup.${string}` }>;

/** Applies an event about the lookup service. Takes the virtual time of its entry. */
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

/** Keeps an account, new or known. */
export function putAccount({ accounts, accountIdsByEmail }: LookupState, account: LookupAccount): void {
  const before = accounts.get(account.id);
  if (before !== undefined) accountIdsByEmail.delete(before.email.toLowerCase());
  accounts.set(account.id, account);
  accountIdsByEmail.set(account.email.toLowerCase(), account.id);
}

/** Keeps a new token. */
export function putToken({ tokens, tokenIdsByHash }: LookupState, token: LookupToken): void {
  tokens.set(token.id, token);
  tokenIdsByHash.set(token.tokenHash, token.id);
}
