import type { MfaMethod, Passkey, RegisteredMethod, TenantFacts } from '../../machines/vocabulary.ts';
import type { Client } from '../contract/client.schema.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { CredentialUse, PasskeyCredential } from '../contract/credential.schema.ts';
import type { DocumentMove } from '../contract/document.schema.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type { Fault } from '../contract/fault.schema.ts';
import type { KnownResponse, LookupAccount, LookupSetup, LookupToken } from '../contract/lookup.schema.ts';
import type { SandboxUser, TenantSettings } from '../contract/sandbox.schema.ts';
import type { ClockSetting } from '../core/clock.ts';
import type { DocumentRecord, NewDocument } from './document-record.ts';

/** Who made an administrative change, as the journal tells it. */
export type ChangeOrigin = 'control-api' | 'policy-api' | 'scenario';

/** Fields of the policy object that no rule reads and that a PATCH may set. */
export interface PolicyExtras {
  readonly policyMigrationState: string;
  readonly systemCredentialPreferences: Readonly<Record<string, unknown>>;
  readonly reportSuspiciousActivitySettings: Readonly<Record<string, unknown>>;
}

interface OfSignIn {
  readonly signInId: string;
}

/** An event that answers a prompt; it carries the digest of the verdict that it answered. */
interface PromptAction extends OfSignIn {
  readonly verdict: string;
}

/** Events of a sandbox: all that changes its state. Everything else is derived by the fold. */
export type JournalEvent =
  | {
      readonly type: 'sandbox.created';
      readonly ruleset: string;
      readonly seed: number;
      readonly clock: ClockSetting;
      readonly tenant: TenantFacts;
      readonly settings: TenantSettings;
      readonly users: readonly SandboxUser[];
      /** Applications that may ask for tokens; without it, those that every sandbox has. */
      readonly clients?: readonly Client[];
      /** Faults that it begins with. */
      readonly faults?: readonly Fault[];
      /** Its lookup service; without it, the one that ships. */
      readonly lookup?: LookupSetup;
    }
  | { readonly type: 'clock.set'; readonly clock: ClockSetting }
  /**
   * The sandbox went back to the state after `toSeq`. The journal is never trimmed: the entries in between stay, but they are
   * no part of the history of what follows.
   */
  | { readonly type: 'state.restored'; readonly toSeq: number; readonly clock: ClockSetting }
  | {
      readonly type: 'tenant.changed';
      /** The top-level facts that changed, each whole. */
      readonly facts: Partial<TenantFacts>;
      readonly settings?: TenantSettings;
      readonly extras?: PolicyExtras;
      readonly by: ChangeOrigin;
    }
  | { readonly type: 'user.saved'; readonly user: SandboxUser }
  | { readonly type: 'user.removed'; readonly userId: string }
  | {
      readonly type: 'snooze.set';
      readonly userId: string;
      readonly count: number;
      readonly snoozedAtMs: number | null;
    }
  | { readonly type: 'method.removed'; readonly userId: string; readonly method: RegisteredMethod | 'fido2' }
  /** A method that the user registered on the page of his security information. */
  | { readonly type: 'method.added'; readonly userId: string; readonly method: RegisteredMethod }
  | {
      readonly type: 'passkey.added';
      readonly userId: string;
      readonly passkey: Passkey;
      readonly credential: PasskeyCredential;
    }
  /** `place` is the place in the list of the user's passkeys, from 0. */
  | { readonly type: 'passkey.removed'; readonly userId: string; readonly place: number }
  | { readonly type: 'passkey.renamed'; readonly userId: string; readonly credentialId: string; readonly name: string }
  | { readonly type: 'faults.set'; readonly faults: readonly Fault[] }
  /**
   * A caller of the lookup API used his quota. What was looked up is no one's business: the tool alone is kept, `null` for a
   * refused call.
   */
  | { readonly type: 'lookup.charged'; readonly caller: string; readonly tool: string | null; readonly cost: number }
  /** The parts of the lookup service that changed, each whole. */
  | {
      readonly type: 'lookup.changed';
      readonly tools?: LookupSetup['tools'];
      readonly settings?: LookupSetup['settings'];
      readonly known?: readonly KnownResponse[];
    }
  | { readonly type: 'lookup.accountSaved'; readonly account: LookupAccount }
  | { readonly type: 'lookup.tokenIssued'; readonly token: LookupToken }
  | { readonly type: 'lookup.tokenRenamed'; readonly tokenId: string; readonly name: string }
  | { readonly type: 'lookup.tokenRevoked'; readonly tokenId: string }
  /** A document was added; its id is the next one. What was read from its file stands beside the journal. */
  | { readonly type: 'document.added'; readonly document: NewDocument }
  /** Many synthetic documents, of so many pages each. */
  | { readonly type: 'document.syntheticAdded'; readonly count: number; readonly pages: number; readonly seed: number }
  /** Someone wrote a document. One of a series that no one changed before is given whole, as `taken`. */
  | {
      readonly type: 'document.changed';
      readonly documentId: number;
      readonly title?: string;
      readonly slug?: string;
      readonly description?: string;
      readonly taken?: DocumentRecord;
    }
  /** A step of a document's state flow that someone asked for; `pages` are processed, or all that are left. */
  | {
      readonly type: 'document.transitioned';
      readonly documentId: number;
      readonly move: DocumentMove;
      readonly pages?: number;
      readonly taken?: DocumentRecord;
    }
  | { readonly type: 'document.removed'; readonly documentId: number }
  | { readonly type: 'nextSignIn.set'; readonly userId: string; readonly attempt: AttemptInput }
  | { readonly type: 'pendingClose.settled'; readonly userId: string }
  | { readonly type: 'token.revoked'; readonly tokenId: string }
  | ({ readonly type: 'signIn.started'; readonly userId: string; readonly attempt: AttemptPatch } & OfSignIn)
  | ({ readonly type: 'password.accepted' } & OfSignIn)
  | ({ readonly type: 'mfa.methodListOpened' } & OfSignIn)
  | ({ readonly type: 'mfa.methodChosen'; readonly method: MfaMethod } & OfSignIn)
  /** A code was sent again, by text message or voice call. */
  | ({ readonly type: 'code.sent' } & OfSignIn)
  /** A request was sent to the authenticator app, and what the user answered it. */
  | ({ readonly type: 'push.sent' } & OfSignIn)
  | ({ readonly type: 'push.answered'; readonly approved: boolean } & OfSignIn)
  /** The second factor was right. `used` says with which passkey, where it was one. */
  | ({ readonly type: 'mfa.completed'; readonly used?: CredentialUse } & OfSignIn)
  | ({ readonly type: 'interstitial.passed' } & OfSignIn)
  | ({ readonly type: 'prompt.nextSelected' } & PromptAction)
  | ({ readonly type: 'prompt.skipped' } & PromptAction)
  | ({ readonly type: 'prompt.resumed' } & PromptAction)
  | ({ readonly type: 'browser.closed' } & PromptAction)
  /** A passkey was made and verified; it is registered when the setup completes. */
  | ({
      readonly type: 'passkey.created';
      readonly passkey: Passkey;
      readonly credential: PasskeyCredential;
    } & PromptAction)
  | ({
      readonly type: 'setup.completed';
      readonly passkey: Passkey | null;
      /** What the passkey is verified by; a passkey of the model has none. */
      readonly credential?: PasskeyCredential;
    } & PromptAction)
  | ({ readonly type: 'setup.failed' } & PromptAction)
  | ({ readonly type: 'errorScreen.skipped' } & PromptAction);

export type EventType = JournalEvent['type'];
export type EventOf<T extends EventType> = Extract<JournalEvent, { type: T }>;

/** One entry of a journal. */
export interface JournalEntry {
  /** Place in the journal of the sandbox, from 1 without gaps. */
  readonly seq: number;
  /** Virtual time at which the event was accepted, in whole ms; it goes back where the clock was set back or a state restored. */
  readonly atMs: number;
  readonly event: JournalEvent;
}

/** The place in the journal whose state an entry builds upon: the one before, or the one that it restores. */
export function getPreviousSeq({ seq, event }: JournalEntry): number {
  return event.type === 'state.restored' ? event.toSeq : seq - 1;
}
