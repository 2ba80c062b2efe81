import type { BrowserContext, CDPSession } from 'playwright-core';
import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import { privateKeyFrom, privateKeyInfoOf } from '../../../authenticators/held-credential.ts';
import { type InstalledAuthenticator, installAuthenticator } from '../../../authenticators/install-authenticator.ts';
import { authenticatorProfileOf, namelessProfileOf } from '../../../authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { Temper } from '../../../authenticators/temper.ts';
import { virtualAuthenticatorOptions } from '../../../authenticators/virtual-authenticator.ts';
import { type ListedPasskey, type OwnPasskey, relyingPartyId } from '../http/authenticators.ts';

/** A passkey that is to be made in a tab. */
export interface WantedPasskey {
  readonly type: PasskeyType;
  readonly os: OperatingSystem;
  readonly deviceId: string;
  /** Whether the tenant asks for makes or attestation, which Chromium's own authenticator cannot have. */
  readonly restricted: boolean;
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

  /** Takes the device, and the protocol session of its page; `null` for a browser that is no Chromium. */
  constructor(context: BrowserContext, protocol: CDPSession | null) {
    this.#context = context;
    this.#protocol = protocol;
  }

  /** Has a passkey of a kind ready to be made, by a user who approves or refuses. */
  async prepare(wanted: WantedPasskey, temper: Temper): Promise<Readiness> {
    const { type, os, deviceId, restricted } = wanted;
    const nameless = restricted || this.#installed !== null ? null : namelessProfileOf(type, os);
    const virtual = nameless === null ? null : virtualAuthenticatorOptions(nameless, temper);
    if (virtual !== null && this.#protocol !== null) {
      await this.#useVirtual(this.#protocol, virtual);
      return 'ready';
    }
    const profile = authenticatorProfileOf(type, os);
    const authenticator = new SoftwareAuthenticator({ profile, temper, seed: deviceId });
    this.#software = authenticator;
    if (this.#installed === null) {
      this.#installed = await installAuthenticator(this.#context, authenticator);
      return 'after-reload';
    }
    this.#installed.use(authenticator);
    return 'ready';
  }

  /**
   * Has Chromium's own authenticator hold the first passkey of a user whose key is known, as if it had made it. Returns whether
   * there is one.
   */
  async hold(passkeys: readonly ListedPasskey[]): Promise<boolean> {
    const held = passkeys.find(({ privateKey }) => privateKey !== null);
    const protocol = this.#protocol;
    if (held === undefined || held.privateKey === null || this.#installed !== null || protocol === null) return false;
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
        privateKey: privateKeyInfoOf(privateKey).toString('base64'),
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
