import type { LookupAccount } from '../../contract/lookup.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { verifiedTokensMax } from '../../core/limits.ts';
import { LruMap } from '../../core/lru-map.ts';
import { digestOfParts, hashToken, newSecret, passwordMatches, sameSecret } from '../../core/secrets.ts';
import { accountCaller, type LookupState, tokenCaller } from '../../journal/lookup-state.ts';
import type { Recorder } from '../recorder.ts';

/** Authenticated caller. */
export interface LookupCaller {
  /** Id for the quota: a token, or an account that authenticated with its password. */
  readonly id: string;
  readonly auth: 'token' | 'basic';
  readonly account: LookupAccount;
}

/** Credentials in a request. */
export interface SentCredentials {
  /** Authorization header, which takes precedence over the parameters even if it is invalid. */
  readonly authorization: string | undefined;
  /** All values of the parameter `api_key`. */
  readonly apiKeys: readonly string[];
}

let secret: string | null = null;

/** Returns the secret of this process, which is created when the first password is verified. */
function getSecret(): string {
  secret ??= newSecret();
  return secret;
}

/** Authenticates callers (L6) by a token, or by the email address and password of an account. */
export class Credentials {
  readonly #recorder: Recorder;
  /** Cache of verified passwords as digests with the secret of this process, so each password is hashed only once. */
  #verified: LruMap<string, string> | undefined;
  /** Password hashes in progress, by the same digests. Concurrent calls share one hash. */
  readonly #running = new Map<string, Promise<boolean>>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Returns the caller, immediately for a token and asynchronously if a password must be hashed. Throws
   * `unauthenticated`.
   */
  getCaller({ authorization, apiKeys }: SentCredentials): LookupCaller | Promise<LookupCaller> {
    if (authorization === undefined) return this.#ofToken(getApiKey(apiKeys));
    const [, scheme = '', credentials = ''] = /^([^\s]+) +([^\s]+) *$/.exec(authorization) ?? [];
    switch (scheme.toLowerCase()) {
      case 'bearer':
        return this.#ofToken(credentials);
      case 'basic':
        return this.#ofPassword(parseBasic(credentials));
      default:
        throw unauthenticated('The Authorization header must be Bearer or Basic.');
    }
  }

  /** Returns the id of the account with an email address, or `null` if there is none. */
  findAccountId(email: string): string | null {
    return this.#lookup().accountIdsByEmail.get(email.trim().toLowerCase()) ?? null;
  }

  /** Returns the account with an email address and password, or `null` if there is none. The token page uses it. */
  async findAccount(email: string, password: string): Promise<LookupAccount | null> {
    const { accounts } = this.#lookup();
    const account = accounts.get(this.findAccountId(email) ?? '');
    // An unknown account is hashed too, so the response time does not reveal which accounts exist.
    const kept = account?.passwordHash ?? [...accounts.values()][0]?.passwordHash;
    if (kept === undefined) return null;
    const proof = digestOfParts(getSecret(), email, password);
    const known = this.#verified?.get(proof);
    if (account !== undefined && known === kept) return account;
    if (!(await this.#matches(proof, password, kept)) || account === undefined) return null;
    this.#verified ??= new LruMap({ max: verifiedTokensMax });
    this.#verified.set(proof, kept);
    return account;
  }

  #matches(proof: string, password: string, kept: string): Promise<boolean> {
    const running = this.#running.get(`${proof} ${kept}`);
    if (running !== undefined) return running;
    const begun = passwordMatches(password, kept).finally(() => this.#running.delete(`${proof} ${kept}`));
    this.#running.set(`${proof} ${kept}`, begun);
    return begun;
  }

  #ofToken(token: string): LookupCaller {
    const { tokens, tokenIdsByHash, accounts } = this.#lookup();
    const hash = hashToken(token);
    const found = tokens.get(tokenIdsByHash.get(hash) ?? '');
    const account = found === undefined ? undefined : accounts.get(found.account);
    if (found === undefined || account === undefined || !sameSecret(hash, found.tokenHash)) {
      throw unauthenticated('The token does not exist.');
    }
    return { id: tokenCaller(found.id), auth: 'token', account };
  }

  async #ofPassword({ email, password }: { readonly email: string; readonly password: string }): Promise<LookupCaller> {
    const account = await this.findAccount(email, password);
    if (account === null) throw unauthenticated('The email address or the password is incorrect.');
    return { id: accountCaller(account.id), auth: 'basic', account };
  }

  #lookup(): LookupState {
    return this.#recorder.state().lookup;
  }
}

/** Returns the API key of a request. Several values count as one credential only if they are equal. */
function getApiKey(apiKeys: readonly string[]): string {
  const [first = ''] = apiKeys;
  if (first === '' || apiKeys.some((key) => key !== first)) {
    throw unauthenticated('Send a token as Authorization: Bearer or api_key, or email address and password as Basic.');
  }
  return first;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the email address and password of Basic credentials. The password starts after the first colon. Throws
 * `unauthenticated`.
 */
function parseBasic(credentials: string): { email: string; password: string } {
  const text = base64.test(credentials) ? decodeText(Buffer.from(credentials, 'base64')) : '';
  const colon = text.indexOf(':');
  if (colon < 1) throw unauthenticated('The Basic credentials must be email address, colon and password in base64.');
  return { email: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Decodes bytes as UTF-8, or as Latin-1 for clients without UTF-8 support (RFC 7617 leaves the encoding open). */
function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

function unauthenticated(message: string): NudgeLabError {
  return new NudgeLabError('unauthenticated', {
    message,
    headers: { 'WWW-Authenticate': 'Bearer realm="lookup", Basic realm="lookup", charset="UTF-8"' },
  });
}
