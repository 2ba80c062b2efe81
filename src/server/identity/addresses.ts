import { defaultSandboxId } from '../../core/default-sandbox.ts';

/** The page that says what a sandbox is and where to go. */
export function getStartPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/' : `/s/${sandboxId}`;
}

/** Where sign-ins of a sandbox begin. The default sandbox has no prefix. */
export function getBasePath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/sign-in' : `/s/${sandboxId}/sign-in`;
}

/** The one address of a running sign-in; its cookie is sent to no other. */
export function getSignInPath(sandboxId: string, signInId: string): string {
  return `${getBasePath(sandboxId)}/${signInId}`;
}

/** The simulated phone of a user. Takes the user principal name. */
export function getPhonePath(sandboxId: string, userPrincipalName: string): string {
  const prefix = sandboxId === defaultSandboxId ? '' : `/s/${sandboxId}`;
  return `${prefix}/phone/${encodeURIComponent(userPrincipalName)}`;
}

/** The page on which a person makes the address of a sign-in. */
export function getTryItPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/try' : `/s/${sandboxId}/try`;
}

/** The page on which an account of the lookup API looks after its tokens. */
export function getLookupTokensPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/lookup/tokens' : `/s/${sandboxId}/lookup/tokens`;
}

/** Where a user signs out of the provider. */
export function getSignOutPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/oauth2/end_session' : `/s/${sandboxId}/oauth2/end_session`;
}

/** The page on which a user looks after his own methods. */
export function getSecurityInfoPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/security-info' : `/s/${sandboxId}/security-info`;
}
