import type { TargetedMethod } from '../../../../machines/vocabulary.ts';

/** Returns the method that the texts of a page are about. `null`, outside a prompt, stands for the authenticator app. */
export function promptedMethod(method: TargetedMethod | null): TargetedMethod {
  return method ?? 'vendorAuthenticator';
}
