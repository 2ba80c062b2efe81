import type { MfaMethod, Passkey, RegisteredMethod, TenantFacts } from '../../machines/vocabulary.ts';
import type { Client } from '../contract/client.schema.ts';
import type { AttemptInput, SessionInput } from '../contract/context.schema.ts';
import type { CredentialUse, PasskeyCredential } from '../contract/credential.schema.ts';
import type { DocumentMove } from '../contract/document.schema.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type { Fault } from '../contract/fault.schema.ts';
import type { KnownResponse, LookupAccount, LookupSetup, LookupToken } from '../contract/lookup.schema.ts';
import type { MethodConfiguration } from '../contract/method-configurations/method-configuration.ts';
import type { SandboxUser, TenantSettings, UserProfile } from '../contract/sandbox.schema.ts';
import type { SigningAlgorithm } from '../contract/signing-algorithms.ts';
import type { SyntheticUsersDescription } from '../contract/synthetic-users.schema.ts';
import type { ClockSetting } from '../core/clock.ts';
import type { DocumentRecord, NewDocument } from './document-record.ts';

/** Origin of an administrative change, as recorded in the journal. */
export type ChangeOrigin = 'control-api' | 'policy-api' | 'scenario';

/** Who made a change: a user, an application, or the control API. */
export interface ChangeCaller {
  readonly kind: 'user' | 'app' | 'control';
  /** Id of the user, or name of the application. */
  readonly id: string;
}

/** Change by a caller. Without a caller, it was made through the control API. */
interface ByCaller {
  readonly caller?: ChangeCaller;
}

/** Circumstances of a sign-in that no rule reads and that the sign-in log shows. */
export interface SignInOrigin {
  /** Application of the sign-in. */
  readonly client?: { readonly id: string; readonly name: string };
  /** Named location. */
  readonly network?: string;
  /** `true` for a sign-in without any page, which an application requested with `prompt=none`. */
  readonly silent?: true;
  /** `true` if the application is on a device without a browser, which shows a code. */
  readonly device?: true;
}

/** Fields of the policy object that no rule reads and that a PATCH can set. */
export interface PolicyExtras {
  readonly policyMigrationState: string;
  readonly systemCredentialPreferences: Readonly<Record<string, unknown>>;
  readonly reportSuspiciousActivitySettings: Readonly<Record<string, unknown>>;
  /** Method configurations that were changed, by id. */
  readonly configurations?: Readonly<Record<string, MethodConfiguration>>;
}

interface OfSignIn {
  readonly signInId: string;
}

/** Action at a prompt, with the digest of the verdict that showed it. */
interface PromptAction extends OfSignIn {
  readonly verdict: string;
}

/** Event of a sandbox. Only events change its state; everything else is derived by replaying the journal. */
export type JournalEvent =
  | {
      readonly type: 'sandbox.created';
      readonly ruleset: string;
      /** Digest of the ruleset's file (OC35); omitted for a built-in ruleset. */
      readonly rulesetDigest?: string;
      readonly seed: number;
      readonly clock: ClockSetting;
      readonly tenant: TenantFacts;
      readonly settings: TenantSettings;
      readonly users: readonly SandboxUser[];
      /** Synthetic users, in addition to those. */
      readonly syntheticUsers?: SyntheticUsersDescription;
      /** OAuth clients; by default those that every sandbox has. */
      readonly clients?: readonly Client[];
      /** Initial faults. */
      readonly faults?: readonly Fault[];
      /** Setup of the lookup service. Default: the built-in one. */
      readonly lookup?: LookupSetup;
    }
  | { readonly type: 'clock.set'; readonly clock: ClockSetting }
  /**
   * Restore of the state after `toSeq`. The journal is never trimmed: the entries in between remain, but they are not
   * part of the history of later entries.
   */
  | { readonly type: 'state.restored'; readonly toSeq: number; readonly clock: ClockSetting }
  | ({
      readonly type: 'tenant.changed';
      /** Changed top-level facts, each with its complete value. */
      readonly facts: Partial<TenantFacts>;
      readonly settings?: TenantSettings;
      readonly extras?: PolicyExtras;
      /** `true` if the change resets a method configuration to its default. */
      readonly resets?: true;
      readonly by: ChangeOrigin;
    } & ByCaller)
  | ({ readonly type: 'user.saved'; readonly user: SandboxUser } & ByCaller)
  | ({ readonly type: 'user.removed'; readonly userId: string } & ByCaller)
  | {
      readonly type: 'snooze.set';
      readonly userId: string;
      readonly count: number;
      readonly snoozedAtMs: number | null;
    }
  | ({
      readonly type: 'method.removed';
      readonly userId: string;
      readonly method: RegisteredMethod | 'fido2';
    } & ByCaller)
  /** Method that the user registered on the security information page, unless a caller is named. */
  | ({ readonly type: 'method.added'; readonly userId: string; readonly method: RegisteredMethod } & ByCaller)
  | ({
      readonly type: 'passkey.added';
      readonly userId: string;
      readonly passkey: Passkey;
      readonly credential: PasskeyCredential;
    } & ByCaller)
  /** Removed passkey; `place` is its index in the user's list, from 0. */
  | ({ readonly type: 'passkey.removed'; readonly userId: string; readonly place: number } & ByCaller)
  /** Changed directory data of a user, with its complete value. No rule reads it. */
  | ({
      readonly type: 'user.directoryChanged';
      readonly userId: string;
      readonly directory: NonNullable<UserProfile['directory']>;
    } & ByCaller)
  | { readonly type: 'passkey.renamed'; readonly userId: string; readonly credentialId: string; readonly name: string }
  | { readonly type: 'faults.set'; readonly faults: readonly Fault[] }
  /**
   * Use of a caller's lookup API quota. For privacy, only the tool is recorded and not the query; the tool is `null` if
   * the call was rejected.
   */
  | { readonly type: 'lookup.charged'; readonly caller: string; readonly tool: string | null; readonly cost: number }
  /** Changed parts of the lookup service, each with its complete value. */
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
  /** Added document, with the next free id. The content of its file is stored next to the journal. */
  | { readonly type: 'document.added'; readonly document: NewDocument }
  /** Added series of synthetic documents with an equal number of pages. */
  | { readonly type: 'document.syntheticAdded'; readonly count: number; readonly pages: number; readonly seed: number }
  /** Written document. If it belongs to a series and was unchanged before, `taken` contains it completely. */
  | {
      readonly type: 'document.changed';
      readonly documentId: number;
      readonly title?: string;
      readonly slug?: string;
      readonly description?: string;
      readonly taken?: DocumentRecord;
    }
  /**
   * Requested step of a document's state flow. `pages` is the number of pages to process; all remaining ones if
   * omitted.
   */
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
  /** The user cleared the data of the browser of the latest sign-in. Only own campaigns have it. */
  | { readonly type: 'browser.cleared'; readonly userId: string }
  /** An administrator cleared what the answers of a user left behind. Only own campaigns have it. */
  | { readonly type: 'ledger.reset'; readonly userId: string }
  | { readonly type: 'token.revoked'; readonly tokenId: string }
  /** Use of a refresh token. No rule evaluates it, and only the sign-in log shows it. */
  | {
      readonly type: 'tokens.refreshed';
      readonly userId: string;
      readonly attempt: AttemptPatch;
      readonly origin: SignInOrigin;
    }
  /** Replacement of the signing keys, or of the key of one algorithm. */
  | { readonly type: 'keys.rotated'; readonly alg?: SigningAlgorithm }
  | ({
      readonly type: 'signIn.started';
      readonly userId: string;
      readonly attempt: AttemptPatch & SessionInput;
      readonly origin?: SignInOrigin;
    } & OfSignIn)
  | ({ readonly type: 'password.accepted' } & OfSignIn)
  | ({ readonly type: 'mfa.methodListOpened' } & OfSignIn)
  | ({ readonly type: 'mfa.methodChosen'; readonly method: MfaMethod } & OfSignIn)
  /** Another one-time code by text message or voice call. */
  | ({ readonly type: 'code.sent' } & OfSignIn)
  /** Push notification to the authenticator app, and the user's response to it. */
  | ({ readonly type: 'push.sent' } & OfSignIn)
  | ({ readonly type: 'push.answered'; readonly approved: boolean } & OfSignIn)
  /** Completed MFA; `used` identifies the passkey, if the user signed in with one. */
  | ({ readonly type: 'mfa.completed'; readonly used?: CredentialUse } & OfSignIn)
  | ({ readonly type: 'interstitial.passed' } & OfSignIn)
  | ({ readonly type: 'prompt.nextSelected' } & PromptAction)
  /** Skip of the prompt; `answer` is the answer of an own campaign, by default the first one. */
  | ({ readonly type: 'prompt.skipped'; readonly answer?: string } & PromptAction)
  | ({ readonly type: 'prompt.resumed' } & PromptAction)
  | ({ readonly type: 'browser.closed' } & PromptAction)
  /** Created and verified passkey, which is registered when its setup completes. */
  | ({
      readonly type: 'passkey.created';
      readonly passkey: Passkey;
      readonly credential: PasskeyCredential;
    } & PromptAction)
  | ({
      readonly type: 'setup.completed';
      readonly passkey: Passkey | null;
      /** Public-key credential of the passkey; a simulated passkey has none. */
      readonly credential?: PasskeyCredential;
    } & PromptAction)
  | ({ readonly type: 'setup.failed' } & PromptAction)
  | ({ readonly type: 'errorScreen.skipped' } & PromptAction);

export type EventType = JournalEvent['type'];
export type EventOf<T extends EventType> = Extract<JournalEvent, { type: T }>;

/** Entry of a journal. */
export interface JournalEntry {
  /** Sequence number in the sandbox's journal, from 1 without gaps. */
  readonly seq: number;
  /**
   * Virtual time at which the event was accepted, in whole milliseconds. It decreases if the clock is set back or a
   * state is restored.
   */
  readonly atMs: number;
  readonly event: JournalEvent;
}

/** Returns the sequence number of the entry that an entry builds on: the previous one, or the one that it restores. */
export function getPreviousSeq({ seq, event }: JournalEntry): number {
  return event.type === 'state.restored' ? event.toSeq : seq - 1;
}
