import type { Client } from '../../contract/client.schema.ts';
import type { entryResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import type { LookupSetup } from '../../contract/lookup.schema.ts';
import type { SandboxUser } from '../../contract/sandbox.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { InputType, JournalEntry, JournalInput } from '../../journal/input.ts';

const redacted = '[redacted]';

/** Types of the journal's inputs; a type that is missing here does not compile. */
const known: Readonly<Record<InputType, true>> = {
  'sandbox.created': true,
  'clock.set': true,
  'state.restored': true,
  'tenant.changed': true,
  'user.put': true,
  'user.removed': true,
  'ledger.set': true,
  'method.removed': true,
  'method.added': true,
  'passkey.added': true,
  'passkey.removed': true,
  'passkey.renamed': true,
  'faults.set': true,
  'lookup.charged': true,
  'lookup.changed': true,
  'lookup.accountPut': true,
  'lookup.tokenIssued': true,
  'lookup.tokenNamed': true,
  'lookup.tokenRevoked': true,
  'document.added': true,
  'document.seriesAdded': true,
  'document.changed': true,
  'document.moved': true,
  'document.removed': true,
  'nextSignIn.set': true,
  'leaves.settled': true,
  'token.revoked': true,
  'signIn.started': true,
  'password.accepted': true,
  'mfa.choiceOpened': true,
  'mfa.methodChosen': true,
  'code.sent': true,
  'push.sent': true,
  'push.answered': true,
  'mfa.completed': true,
  'interstitial.passed': true,
  'prompt.nextSelected': true,
  'prompt.skipped': true,
  'prompt.returned': true,
  'browser.closed': true,
  'passkey.created': true,
  'setup.completed': true,
  'setup.failed': true,
  'errorScreen.skipped': true,
};

/** Types of the journal's inputs, by which entries can be asked for. */
export const inputTypes: readonly string[] = Object.keys(known);

/** An entry of the journal as the API shows it: its time also as an instant, and nothing that a user signs in with. */
export function entryView({ seq, atMs, input }: JournalEntry): ResponseBody<typeof entryResponse> {
  return { seq, atMs, at: toInstant(atMs), input: { ...withoutSecrets(input) } };
}

function withoutSecrets(input: JournalInput): JournalInput {
  switch (input.type) {
    case 'sandbox.created':
      return {
        ...input,
        users: input.users.map(redact),
        ...(input.clients === undefined ? {} : { clients: input.clients.map(redactClient) }),
        ...(input.lookup === undefined ? {} : { lookup: redactLookup(input.lookup) }),
      };
    case 'lookup.accountPut':
      return { ...input, account: { ...input.account, passwordHash: redacted } };
    case 'lookup.tokenIssued':
      return { ...input, token: { ...input.token, tokenHash: redacted } };
    case 'user.put':
      return { ...input, user: redact(input.user) };
    default:
      return input;
  }
}

/** Not even hashes are shown: the fixtures of a sandbox are as easy to guess as their passwords. */
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
