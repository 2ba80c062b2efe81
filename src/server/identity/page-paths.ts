/** Base paths of the pages of a sandbox. */
export const pagePaths = ['/sign-in', '/phone', '/security-info'] as const;

/**
 * Path where browsers look up the origins that may also use the passkeys of this one (WebAuthn level 3, section 5.11).
 */
export const relatedOriginsPath = '/.well-known/webauthn';

/** Path of the page where testers create the URL of a sign-in. */
export const tryItPath = '/try';
