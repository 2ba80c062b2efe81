import {
  type LookupAccount,
  type LookupSetup,
  type LookupToken,
  lookupAccountsMax,
  lookupTokensMax,
} from '../../contract/lookup.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { randomId } from '../../core/ids.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import { hashToken, newPasswordHash, newSecret } from '../../core/secrets.ts';
import type { LookupState } from '../../journal/lookup-state.ts';
import type { Recorder } from '../recorder.ts';
import { planLookup } from './plan-lookup.ts';

/** Newly issued token, which is shown only once. */
export interface IssuedLookupToken {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly token: string;
}

/** Changes to an account. A new account requires a password. */
export interface AccountChange {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly tier?: LookupAccount['tier'] | undefined;
  readonly suspended?: boolean | undefined;
}

/** Administrator interface to the lookup service: accounts, tokens, tools and settings. */
export class LookupAdministration {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Returns the accounts in order of creation. */
  accounts(): readonly LookupAccount[] {
    return [...this.#state().accounts.values()];
  }

  /** Returns the tokens of one account or of all accounts, without their hashes. */
  tokens(accountId?: string): readonly Omit<LookupToken, 'tokenHash'>[] {
    return Array.from(this.#state().tokens.values(), ({ tokenHash: _secret, ...token }) => token).filter(
      ({ account }) => accountId === undefined || account === accountId,
    );
  }

  /** Returns the number of lookups per tool for each caller. The free `tools` and `usage` calls are not lookups. */
  calls(): readonly { readonly caller: string; readonly byTool: Readonly<Record<string, number>> }[] {
    return Array.from(this.#state().uses, ([caller, { byTool }]) => ({ caller, byTool: toCounts(byTool) }));
  }

  /** Issues a token, which is shown only once and stored as a hash. Throws `bad-request`. */
  async issueToken(accountId: string, name: string): Promise<IssuedLookupToken> {
    const state = this.#state();
    if (!state.accounts.has(accountId)) throw refused('account', `account "${accountId}" does not exist`);
    if (state.tokens.size >= lookupTokensMax)
      throw refused('account', `the sandbox already has ${lookupTokensMax} tokens, the maximum`);
    const id = randomId();
    const token = newSecret();
    const kept = { id, account: accountId, name, tokenHash: hashToken(token) };
    await this.#recorder.record({ type: 'lookup.tokenIssued', token: kept });
    return { id, name, account: accountId, token };
  }

  /** Renames a token. Throws `not-found`. */
  async renameToken(tokenId: string, name: string): Promise<void> {
    this.#refuseUnknownToken(tokenId);
    await this.#recorder.record({ type: 'lookup.tokenRenamed', tokenId, name });
  }

  /** Revokes a token permanently. Throws `not-found`. */
  async revokeToken(tokenId: string): Promise<void> {
    this.#refuseUnknownToken(tokenId);
    await this.#recorder.record({ type: 'lookup.tokenRevoked', tokenId });
  }

  /** Creates or updates an account. Omitted fields keep their values. Throws `bad-request`. */
  async putAccount(id: string, { email, password, tier, suspended }: AccountChange): Promise<LookupAccount> {
    const { accounts, accountIdsByEmail } = this.#state();
    const before = accounts.get(id);
    if (before === undefined && accounts.size >= lookupAccountsMax) {
      throw refused('account', `the sandbox already has ${lookupAccountsMax} accounts, the maximum`);
    }
    if (before === undefined && password === undefined) throw refused('password', 'is required for a new account');
    const address = email ?? before?.email ?? `${id}@example.test`;
    const holder = accountIdsByEmail.get(address.toLowerCase());
    if (holder !== undefined && holder !== id) throw refused('email', 'is already used by another account');
    const passwordHash = password === undefined ? (before?.passwordHash ?? '') : await newPasswordHash(password);
    const account = {
      id,
      email: address,
      passwordHash,
      tier: tier ?? before?.tier ?? 'free',
      suspended: suspended ?? before?.suspended ?? false,
    };
    await this.#recorder.record({ type: 'lookup.accountSaved', account });
    return account;
  }

  /** Replaces the tools, settings or known responses, in the format of a fixture. Throws `bad-request`. */
  async change(parts: {
    readonly tools?: unknown;
    readonly settings?: unknown;
    readonly known?: unknown;
  }): Promise<void> {
    const { service } = this.#state();
    const { tools, settings, known } = planLookup(
      { tools: service.tools, ...defined(parts) },
      this.#recorder.state().seed,
    );
    await this.#recorder.record({
      type: 'lookup.changed',
      ...(parts.tools === undefined ? {} : { tools }),
      ...(parts.settings === undefined ? {} : { settings }),
      ...(parts.known === undefined ? {} : { known }),
    });
  }

  /** Enables or disables a tool of a type. Throws `not-found`. */
  async enableTool(type: keyof LookupSetup['tools'], toolId: string, enabled: boolean): Promise<void> {
    const { tools } = this.#state().service;
    const known = tools[type].map(({ id }) => id);
    if (!known.includes(toolId)) {
      const allowed = `the tools of type ${type}: ${known.join(', ')}${suggestName(toolId, known)}`;
      throw new NudgeLabError('not-found', { message: endSentence(`"${toolId}" is not one of ${allowed}`) });
    }
    const changed = tools[type].map((tool) => (tool.id === toolId ? { ...tool, enabled } : tool));
    await this.#recorder.record({ type: 'lookup.changed', tools: { ...tools, [type]: changed } });
  }

  #refuseUnknownToken(tokenId: string): void {
    if (this.#state().tokens.has(tokenId)) return;
    throw new NudgeLabError('not-found', { message: `Lookup token "${tokenId}" does not exist.` });
  }

  #state(): LookupState {
    return this.#recorder.state().lookup;
  }
}

function toCounts(byTool: readonly (string | number)[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let index = 0; index < byTool.length; index += 2) counts[String(byTool[index])] = Number(byTool[index + 1]);
  return counts;
}

function defined(parts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

function refused(place: string, message: string): NudgeLabError {
  return new NudgeLabError('bad-request', { problems: [{ location: place, message }] });
}
