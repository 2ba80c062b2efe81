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

/** Passkey to create in a tab. */
export interface WantedPasskey {
  readonly type: PasskeyType;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /**
   * True if the tenant requires specific models or attestation, which Chromium's virtual authenticator does not
   * support.
   */
  readonly restricted: boolean;
  /** Existing passkeys of the authenticator. */
  readonly has?: readonly CredentialDescriptor[];
}

/** Action required before the authenticator responds: none, or a reload of the page. */
export type Readiness = 'ready' | 'after-reload';

/**
 * Authenticator of one tab. Chromium's virtual authenticator is used if the passkey type can be derived from its
 * settings (A51), because this tests all of the browser's own code. For other types, a software authenticator with
 * the AAGUID of the type is used.
 */
export class TabAuthenticator {
  readonly #context: BrowserContext;
  readonly #protocol: CDPSession | null;
  #installed: InstalledAuthenticator | null = null;
  #software: SoftwareAuthenticator | null = null;
  #virtualId: string | null = null;
  #ceremonies: CeremonyNote[] = [];

  /**
   * Creates an authenticator for a device. `protocol` is the session of its page, or `null` if the browser is not
   * Chromium.
   */
  constructor(context: BrowserContext, protocol: CDPSession | null) {
    this.#context = context;
    this.#protocol = protocol;
  }

  /**
   * Installs a software authenticator before any page is loaded and records every ceremony from then on. The
   * authenticator has no passkeys and creates none automatically.
   */
  async watch(): Promise<void> {
    const authenticator = await offeringAuthenticator([]);
    this.#software = authenticator;
    this.#installed = await installAuthenticator(this.#context, authenticator, {
      onCeremony: (note) => this.#ceremonies.push(note),
    });
  }

  /**
   * Returns the last ceremony since the previous call, or `null` if there was none. A failed ceremony that the
   * browser started automatically is omitted, unless `isUpgrade` is true.
   */
  takeCeremony(isUpgrade = false): CeremonyNote | null {
    const noted = this.#ceremonies.filter(
      ({ mediation, outcome }) => isUpgrade || mediation === 'optional' || outcome === 'completed',
    );
    this.#ceremonies = [];
    return noted.at(-1) ?? null;
  }

  /** Sets the passkeys that the authenticator offers to requests without a credential list. */
  async offer(credentials: readonly CredentialDescriptor[]): Promise<void> {
    this.#software = await offeringAuthenticator(credentials);
    this.#installed?.use(this.#software);
  }

  /** Prepares the creation of a passkey by a user who approves or rejects it. */
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
   * Adds passkeys with known keys to the authenticator, as if it had created them. Chromium's virtual authenticator
   * holds only the first one, and a software authenticator holds all. Returns true if there is one.
   */
  async hold(passkeys: readonly ListedPasskey[]): Promise<boolean> {
    if (this.#installed !== null) {
      this.#software = await holdingAuthenticator(passkeys);
      this.#installed.use(this.#software);
      return this.#software.listCredentials().length > 0;
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

  /** Returns the passkeys of the authenticator with their keys. */
  async held(): Promise<readonly OwnPasskey[]> {
    if (this.#software !== null) return this.#software.listCredentials();
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

/** Converts to plain base64, which the protocol requires for bytes. */
function asBase64(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('base64');
}
