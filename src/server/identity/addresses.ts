import { defaultSandboxId } from '../../core/default-sandbox.ts';

/** Returns the path of the landing page of a sandbox. */
export function getStartPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/' : `/s/${sandboxId}`;
}

/** Returns the path where sign-ins of a sandbox start. The default sandbox has no prefix. */
export function getBasePath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/sign-in' : `/s/${sandboxId}/sign-in`;
}

/** Returns the path of a running sign-in. Its cookie is sent only to this path. */
export function getSignInPath(sandboxId: string, signInId: string): string {
  return `${getBasePath(sandboxId)}/${signInId}`;
}

/** Returns the path of a user's simulated phone. */
export function getPhonePath(sandboxId: string, userPrincipalName: string): string {
  const prefix = sandboxId === defaultSandboxId ? '' : `/s/${sandboxId}`;
  return `${prefix}/phone/${encodeURIComponent(userPrincipalName)}`;
}

/** Returns the path of the page where testers create the URL of a sign-in. */
export function getTryItPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/try' : `/s/${sandboxId}/try`;
}

/** Returns the path of the page where an account of the lookup API manages its tokens. */
export function getLookupTokensPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/lookup/tokens' : `/s/${sandboxId}/lookup/tokens`;
}

/** Returns the path where users sign out of the provider. */
export function getSignOutPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/oauth2/end_session' : `/s/${sandboxId}/oauth2/end_session`;
}

/** Returns the path of the page where users manage their own methods. */
export function getSecurityInfoPath(sandboxId: string): string {
  return sandboxId === defaultSandboxId ? '/security-info' : `/s/${sandboxId}/security-info`;
}
