import type { Screen } from '../../../machines/sign-in.machine.ts';
import type { PasskeyType } from '../../../machines/vocabulary.ts';
import type { CredentialUse } from '../../contract/credential.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { FormFault } from './form-fault.ts';

/** Submitted form of a running sign-in, with the data that its action needs. */
export interface SentForm {
  readonly sandbox: Sandbox;
  readonly view: SignInView;
  readonly fields: URLSearchParams;
  /** Service that verifies passkey ceremonies at this point of the sign-in. */
  readonly ceremony: CeremonyService;
}

/** Passkey operations of form actions. The service knows the challenge of the submitted page. */
export interface CeremonyService {
  /** Verifies the assertion in a form. Returns the use of the passkey, or `null` if the assertion is invalid. */
  use(answer: string): Promise<CredentialUse | null>;
  /** Uses a test passkey of the user like the authenticator that stores it. */
  useTestPasskey(): Promise<CredentialUse | null>;
  /**
   * Registers the passkey in a form. Returns the sign-in at its next screen, or `null` if the registration is invalid.
   */
  register(answer: string, deviceId: string): Promise<SignInView | null>;
  /**
   * Registers an automatically created passkey. Returns the unchanged sign-in, or `null` if the response is invalid.
   */
  upgrade(answer: string, deviceId: string): Promise<SignInView | null>;
  /** Creates a passkey of a type with the software authenticator and registers it. */
  registerTestPasskey(type: PasskeyType, deviceId: string): Promise<SignInView | null>;
}

/** Action that a user can perform on a page. */
export interface Action {
  /** Screens that offer the action. On any other screen, the form is outdated and the current screen is shown (A26). */
  readonly at: readonly Screen[];
  readonly act: (form: SentForm) => Promise<SignInView | FormFault | Waiting>;
}

/** Throttling after too many failed attempts: seconds on the virtual clock until the next attempt is checked. */
export interface Waiting {
  readonly waitSeconds: number;
}
