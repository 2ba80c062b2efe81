import type { Screen } from '../../../machines/sign-in.machine.ts';
import type { PasskeyType } from '../../../machines/vocabulary.ts';
import type { CredentialUse } from '../../contract/credential.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SignInView } from '../../sandbox/sign-in-view.ts';
import type { FormFault } from './form-fault.ts';

/** A form of a running sign-in, with what its action may need. */
export interface SentForm {
  readonly sandbox: Sandbox;
  readonly view: SignInView;
  readonly fields: URLSearchParams;
  /** Verifies what a browser says of a passkey ceremony of this moment of this sign-in. */
  readonly ceremony: CeremonyService;
}

/** What an action asks about passkeys; it knows the challenge of the page that the form stood on. */
export interface CeremonyService {
  /** Uses a passkey of the user for the answer in a form, or `null` when it does not hold. */
  use(answer: string): Promise<CredentialUse | null>;
  /** Uses a test passkey of the user, as an authenticator would that holds it. */
  useTestPasskey(): Promise<CredentialUse | null>;
  /** Registers the passkey of the answer in a form: the sign-in at its next screen, or `null` when it does not hold. */
  register(answer: string, deviceId: string): Promise<SignInView | null>;
  /** Registers a passkey that the browser created by itself: the sign-in as it was, or `null` when the answer does not hold. */
  upgrade(answer: string, deviceId: string): Promise<SignInView | null>;
  /** Has the test authenticator make a passkey of a kind, and registers that. */
  registerTestPasskey(type: PasskeyType, deviceId: string): Promise<SignInView | null>;
}

/** One thing that a person can do at a page. */
export interface Action {
  /** Screens whose page offers it; anywhere else the form is an old one, and the current screen answers it (A26). */
  readonly at: readonly Screen[];
  readonly act: (form: SentForm) => Promise<SignInView | FormFault | Waiting>;
}

/** Too many failed attempts were made: how long it takes until the next one is looked at, in seconds of the virtual clock. */
export interface Waiting {
  readonly waitSeconds: number;
}
