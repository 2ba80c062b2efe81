import Provider, { errors, type AdapterPayload as Payload, type Adapter as Storage } from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import type { ClientAuthMethod } from '../../contract/client-auth-methods.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { readAccessToken } from './access-tokens.ts';
import { authMethodFor } from './client-proof.ts';
import { clientMetadata, controlClient } from './clients.ts';
import type { OidcRecordStore } from './oidc-record-store.ts';
import type { ProviderParts, RegistrationGuard } from './provider-parts.ts';

/** Returns a function that creates the storage of a sandbox's provider for each kind of record. */
export function createStorage({ sandbox, records, mayRegister }: ProviderParts): (kind: string) => Storage {
  return (kind) => {
    if (kind === 'AccessToken' || kind === 'ClientCredentials') return new AccessTokens(kind, sandbox, records);
    if (kind === 'InitialAccessToken') return new InitialAccessTokens(sandbox, records, mayRegister);
    return kind === 'Client' ? new Clients('Client', sandbox, records) : new Records(kind, sandbox, records);
  };
}

/** Storage of one kind of record in the record store. */
class Records implements Storage {
  readonly kind: string;
  readonly sandbox: Sandbox;
  readonly records: OidcRecordStore;

  constructor(kind: string, sandbox: Sandbox, records: OidcRecordStore) {
    this.kind = kind;
    this.sandbox = sandbox;
    this.records = records;
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.records.find(this.kind, id);
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return this.records.findSession(uid);
  }

  /** Finds the request of a device by the code that a user entered. */
  async findByUserCode(userCode: string): Promise<Payload | undefined> {
    return this.records.payloads(this.kind).find((payload) => payload.userCode === userCode);
  }

  async upsert(id: string, payload: Payload): Promise<void> {
    await this.records.put(this.kind, id, payload);
  }

  /** Marks a code as used. If two concurrent requests found it unused, the second one is rejected here. */
  async consume(id: string): Promise<void> {
    const payload = this.records.find(this.kind, id);
    if (payload === undefined) return;
    if (payload.consumed !== undefined) throw new errors.InvalidGrant('it has already been used');
    await this.records.put(this.kind, id, { ...payload, consumed: Math.floor(this.sandbox.clock.nowMs() / 1000) });
  }

  async destroy(id: string): Promise<void> {
    await this.records.remove(this.kind, id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.records.removeOfGrant(this.kind, grantId);
  }
}

/** Metadata of a fixture client, with the parts of the state that it follows from. */
interface KnownMetadata extends Pick<SandboxState, 'clients' | 'settings'> {
  readonly issuer: string;
  readonly byMethod: Map<ClientAuthMethod, Payload>;
}

/** Storage of clients. Fixture clients take precedence over dynamically registered ones. */
class Clients extends Records {
  /** Metadata of fixture clients by authentication method, as long as what they follow from is the same. */
  readonly #known = new WeakMap<Client, KnownMetadata>();

  override async find(id: string): Promise<Payload | undefined> {
    const client = this.sandbox.recorder.state().clients.find((one) => one.id === id);
    if (client !== undefined) return this.#findMetadata(client, authMethodFor(client));
    return id === controlClient.client_id ? controlClient : super.find(id);
  }

  #findMetadata(client: Client, authMethod: ClientAuthMethod): Payload {
    const { clients, settings } = this.sandbox.recorder.state();
    const { issuer } = this.sandbox.tokens;
    let known = this.#known.get(client);
    if (known?.clients !== clients || known.settings !== settings || known.issuer !== issuer) {
      known = { clients, settings, issuer, byMethod: new Map() };
      this.#known.set(client, known);
    }
    const metadata = known.byMethod.get(authMethod) ?? clientMetadata(this.sandbox, client, authMethod);
    known.byMethod.set(authMethod, metadata);
    return metadata;
  }

  /** Saves a registered client. The server makes no requests, so the keys have to be in the registration (CL41). */
  override async upsert(id: string, payload: Payload): Promise<void> {
    if (payload['jwks_uri'] !== undefined) {
      throw new errors.InvalidClientMetadata(
        'jwks_uri is not supported, because this server makes no requests; send the keys as jwks',
      );
    }
    await super.upsert(id, payload);
  }
}

/** Storage of initial access tokens. The control key is the only one, so nothing is stored. */
class InitialAccessTokens extends Records {
  readonly #mayRegister: RegistrationGuard | null;

  constructor(sandbox: Sandbox, records: OidcRecordStore, mayRegister: RegistrationGuard | null) {
    super('InitialAccessToken', sandbox, records);
    this.#mayRegister = mayRegister;
  }

  override async find(token: string): Promise<Payload | undefined> {
    try {
      const isAdmitted = this.#mayRegister?.(token, Provider.ctx?.req.socket.remoteAddress ?? '') === true;
      return isAdmitted ? { jti: 'control-key', kind: this.kind } : undefined;
    } catch (error) {
      if (error instanceof NudgeLabError) throw asOAuthError(error);
      throw error;
    }
  }
}

/** Converts an expected error to a provider error. */
function asOAuthError({ status, publicMessage, headers }: NudgeLabError): errors.OIDCProviderError {
  Provider.ctx?.set({ ...headers });
  const refused = new errors.OIDCProviderError(status, 'temporarily_unavailable');
  return Object.assign(refused, { error_description: publicMessage });
}

/** Storage of access tokens. They are self-contained, so none is stored, and revocations are events in the journal. */
class AccessTokens extends Records {
  override async find(value: string): Promise<Payload | undefined> {
    return readAccessToken(this.sandbox, this.kind, value);
  }

  override async upsert(): Promise<void> {
    // The token itself contains the record.
  }

  override async destroy(tokenId: string): Promise<void> {
    await this.sandbox.recorder.record({ type: 'token.revoked', tokenId });
  }

  override async revokeByGrantId(grantId: string): Promise<void> {
    await this.sandbox.tokens.revokeGrant(grantId);
  }
}
