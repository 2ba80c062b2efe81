/** Lifetime of access tokens in seconds. All lifetimes in this module refer to the virtual clock. */

export const accessTokenSeconds = 3_600;
export const idTokenSeconds = 3_600;
/** Lifetime of authorization codes in seconds, long enough for testers to inspect a code. */
export const codeSeconds = 300;
export const refreshTokenSeconds = 90 * 86_400;
/** Lifetime in seconds of refresh tokens of single-page applications, from the sign-in on. */
export const spaRefreshTokenSeconds = 86_400;
export const deviceCodeSeconds = 900;
export const pushedRequestSeconds = 60;
export const grantSeconds = 365 * 86_400;
/** Lifetime of sessions in seconds since their last use. */
export const sessionSeconds = 14 * 86_400;
export const interactionSeconds = 3_600;
