import type { BrowserContext, CDPSession } from 'playwright-core';
import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import { type InstalledAuthenticator, installAuthenticator } from '../../../authenticators/install-authenticator.ts';
import { authenticatorProfileOf, namelessProfileOf } from '../../../authenticators/profiles.ts';
import { SoftwareAuthenticator } from '../../../authenticators/software-authenticator.ts';
import type { Temper } from '../../../authenticators/temper.ts';
import { virtualAuthenticatorOptions } from '../../../authenticators/virtual-authenticator.ts';

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
  readonly #protocol: CDPSession;
  #installed: InstalledAuthenticator | null = null;
  #virtualId: string | null = null;

  constructor(context: BrowserContext, protocol: CDPSession) {
    this.#context = context;
    this.#protocol = protocol;
  }

  /** Has a passkey of a kind ready to be made, by a user who approves or refuses. */
  async prepare(wanted: WantedPasskey, temper: Temper): Promise<Readiness> {
    const { type, os, deviceId, restricted } = wanted;
    const nameless = restricted || this.#installed !== null ? null : namelessProfileOf(type, os);
    const virtual = nameless === null ? null : virtualAuthenticatorOptions(nameless, temper);
    if (virtual !== null) {
      await this.#useVirtual(virtual);
      return 'ready';
    }
    const profile = authenticatorProfileOf(type, os);
    const authenticator = new SoftwareAuthenticator({ profile, temper, seed: deviceId });
    if (this.#installed === null) {
      this.#installed = await installAuthenticator(this.#context, authenticator);
      return 'after-reload';
    }
    this.#installed.use(authenticator);
    return 'ready';
  }

  async #useVirtual(options: NonNullable<ReturnType<typeof virtualAuthenticatorOptions>>): Promise<void> {
    if (this.#virtualId === null) await this.#protocol.send('WebAuthn.enable');
    else await this.#protocol.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#virtualId });
    const { authenticatorId } = await this.#protocol.send('WebAuthn.addVirtualAuthenticator', { options });
    this.#virtualId = authenticatorId;
  }
}
