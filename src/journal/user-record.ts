import type { UserFacts } from '../../machines/vocabulary.ts';
import type { PasskeyCredential } from '../contract/credential.schema.ts';
import type { UserProfile } from '../contract/sandbox.schema.ts';
import type { RegistrationTimes } from './registration-times.ts';
import type { NudgeSnapshot } from './sandbox-model.ts';

/** User of the rebuilt state. */
export interface UserRecord {
  /** Facts as the rules read them; their nudge status always equals that of the nudge machine. */
  facts: UserFacts;
  profile: UserProfile;
  nudge: NudgeSnapshot;
  /**
   * Credentials of the passkeys that were created on pages; each belongs to the passkey in the facts that references
   * it.
   */
  credentials: readonly PasskeyCredential[];
  /** Times of the registered methods; omitted while they are those of the creation of the sandbox. */
  registered?: RegistrationTimes;
}
