import type { Client } from '../../contract/client.schema.ts';
import type { entryResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import type { LookupSetup } from '../../contract/lookup.schema.ts';
import type { SandboxUser } from '../../contract/sandbox.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { JournalEntry, JournalEvent } from '../../journal/journal-event.ts';

const redacted = '[redacted]';

/** Converts a journal entry to API format, with the time as an instant and without credentials. */
export function entryView({ seq, atMs, event }: JournalEntry): ResponseBody<typeof entryResponse> {
  return { seq, atMs, at: toInstant(atMs), event: { ...withoutSecrets(event) } };
}

function withoutSecrets(event: JournalEvent): JournalEvent {
  switch (event.type) {
    case 'sandbox.created':
      return {
        ...event,
        users: event.users.map(redact),
        ...(event.clients === undefined ? {} : { clients: event.clients.map(redactClient) }),
        ...(event.lookup === undefined ? {} : { lookup: redactLookup(event.lookup) }),
      };
    case 'lookup.accountSaved':
      return { ...event, account: { ...event.account, passwordHash: redacted } };
    case 'lookup.tokenIssued':
      return { ...event, token: { ...event.token, tokenHash: redacted } };
    case 'user.saved':
      return { ...event, user: redact(event.user) };
    default:
      return event;
  }
}

/** Removes passwords, tokens, and their hashes, because fixture secrets are easy to guess from a hash. */
function redactLookup({ accounts, tokens, ...rest }: LookupSetup): LookupSetup {
  return {
    ...rest,
    accounts: accounts.map((account) => ({ ...account, passwordHash: redacted })),
    tokens: tokens.map((token) => ({ ...token, tokenHash: redacted })),
  };
}

function redactClient({ secret, ...client }: Client): Client {
  return secret === undefined ? client : { ...client, secret: redacted };
}

function redact(user: SandboxUser): SandboxUser {
  return { ...user, password: redacted, code: redacted };
}
