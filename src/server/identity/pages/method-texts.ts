import type { TargetedMethod } from '../../../../machines/vocabulary.ts';

/** Returns the method for the texts of a page. Outside a prompt (`null`), the authenticator app is used. */
export function promptedMethod(method: TargetedMethod | null): TargetedMethod {
  return method ?? 'vendorAuthenticator';
}
