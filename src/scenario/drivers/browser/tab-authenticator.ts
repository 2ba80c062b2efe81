import type { BrowserContext, CDPSession } from 'playwright-core';
import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import type { CeremonyNote } from '../../../authenticators/ceremony-note.ts';
import { type InstalledAuthenticator, installAuthenticator } from '../../../authenticators/install-authenticator.ts';
import type { Misbehavior } from '../../../authenticators/misbehavior.ts';
import { findZeroAaguidProfile, getAuthenticatorProfile } from '../../../authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import {
  type CredentialDescriptor,
  encodePrivateKeyInfo,
  privateKeyFrom,
} from '../../../authenticators/stored-credential.ts';
import { virtualAuthenticatorOptions } from '../../../authenticators/virtual-authenticator.ts';
import {
  holdingAuthenticator,
  type ListedPasskey,
  type OwnPasskey,
  offeringAuthenticator,
  relyingPartyId,
} from '../http/authenticators.ts';

/** A passkey that is to be made in a tab. */
export interface WantedPasskey {
  readonly type: PasskeyType;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** Whether the tenant asks for makes or attestation, which Chromium's own authenticator cannot have. */
  readonly restricted: boolean;
  /** What the authenticator has already. */
  readonly has?: readonly CredentialDescriptor[];
}

/** What the tab has to do before the authenticator answers: nothing, or load its page again. */
export type Readiness = 'ready' | 'after-reload';

/**
 * The authenticator of one tab. Chromium's own virtual one is used where the kind follows from what it can be told (A51), so
 * that the browser's whole code takes part; else a software one with the make of the kind stands in its place.
 */
export class TabAuthenticator {
  readonly #context: BrowserContext;
  readonly #protocol: CDPSession | null;
  #installed: InstalledAuthenticator | null = null;
  #software: SoftwareAuthenticator | null = null;
  #virtualId: string | null = null;
  #ceremonies: CeremonyNote[] = [];

  /** Takes the device, and the protocol session of its page; `null` for a browser that is no Chromium. */
  constructor(context: BrowserContext, protocol: CDPSession | null) {
    this.#context = context;
    this.#protocol = protocol;
  }

  /**
   * Puts a software authenticator in place before any page is loaded, and notes every ceremony from then on. It has no passkey, and
   * creates none by itself.
   */
  async watch(): Promise<void> {
    const authenticator = await offeringAuthenticator([]);
    this.#software = authenticator;
    this.#installed = await installAuthenticator(this.#context, authenticator, {
      onCeremony: (note) => this.#ceremonies.push(note),
    });
  }

  /**
   * The last ceremony since this was asked before; `null` when there was none. One that the browser began by itself and that came to
   * nothing is left out, unless it is what was waited for.
   */
  takeCeremony(isUpgrade = false): CeremonyNote | null {
    const noted = this.#ceremonies.filter(
      ({ mediation, outcome }) => isUpgrade || mediation === 'optional' || outcome === 'completed',
    );
    this.#ceremonies = [];
    return noted.at(-1) ?? null;
  }

  /** Has the authenticator offer some passkeys where none is named. */
  async offer(credentials: readonly CredentialDescriptor[]): Promise<void> {
    this.#software = await offeringAuthenticator(credentials);
    this.#installed?.use(this.#software);
  }

  /** Has a passkey of a kind ready to be made, by a user who approves or refuses. */
  async prepare(wanted: WantedPasskey, misbehavior: Misbehavior): Promise<Readiness> {
    const { type, os, deviceId, restricted, has = [] } = wanted;
    const nameless = restricted || this.#installed !== null ? null : findZeroAaguidProfile(type, os);
    const virtual = nameless === null ? null : virtualAuthenticatorOptions(nameless, misbehavior);
    if (virtual !== null && this.#protocol !== null) {
      await this.#useVirtual(this.#protocol, virtual);
      return 'ready';
    }
    const profile = getAuthenticatorProfile(type, os);
    const authenticator = new SoftwareAuthenticator({ profile, misbehavior, seed: deviceId, credentials: has });
    this.#software = authenticator;
    if (this.#installed === null) {
      this.#installed = await installAuthenticator(this.#context, authenticator);
      return 'after-reload';
    }
    this.#installed.use(authenticator);
    return 'ready';
  }

  /**
   * Has the authenticator hold passkeys of a user whose keys are known, as if it had made them: Chromium's own the first of them, a
   * software one all. Returns whether there is one.
   */
  async hold(passkeys: readonly ListedPasskey[]): Promise<boolean> {
    if (this.#installed !== null) {
      this.#software = await holdingAuthenticator(passkeys);
      this.#installed.use(this.#software);
      return this.#software.held().length > 0;
    }
    const held = passkeys.find(({ privateKey }) => privateKey !== null);
    const protocol = this.#protocol;
    if (held === undefined || held.privateKey === null || protocol === null) return false;
    const { credential, userHandle, privateKey } = held;
    await this.#useVirtual(protocol, {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: credential.transports.includes('internal') ? 'internal' : 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: credential.backupEligible,
      defaultBackupState: credential.backedUp,
    });
    await protocol.send('WebAuthn.addCredential', {
      authenticatorId: this.#virtualId ?? '',
      credential: {
        credentialId: asBase64(credential.id),
        isResidentCredential: true,
        rpId: relyingPartyId,
        privateKey: encodePrivateKeyInfo(privateKey).toString('base64'),
        userHandle: asBase64(userHandle),
        signCount: credential.counter,
        backupEligibility: credential.backupEligible,
        backupState: credential.backedUp,
      },
    });
    return true;
  }

  /** The passkeys that it holds, with their keys. */
  async held(): Promise<readonly OwnPasskey[]> {
    if (this.#software !== null) return this.#software.held();
    if (this.#protocol === null || this.#virtualId === null) return [];
    const { credentials } = await this.#protocol.send('WebAuthn.getCredentials', { authenticatorId: this.#virtualId });
    return credentials.map(({ credentialId, privateKey }) => ({
      id: Buffer.from(credentialId, 'base64').toString('base64url'),
      privateKey: privateKeyFrom(Buffer.from(privateKey, 'base64')),
    }));
  }

  async #useVirtual(
    protocol: CDPSession,
    options: NonNullable<ReturnType<typeof virtualAuthenticatorOptions>>,
  ): Promise<void> {
    if (this.#virtualId === null) await protocol.send('WebAuthn.enable');
    else await protocol.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#virtualId });
    const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', { options });
    this.#virtualId = authenticatorId;
  }
}

/** The protocol writes bytes in plain base64. */
function asBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64');
}
