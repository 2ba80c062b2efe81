/** How long things last, in seconds of the virtual clock. */

export const accessTokenSeconds = 3_600;
export const idTokenSeconds = 3_600;
/** Long enough for a person who looks at the code on the way. */
export const codeSeconds = 300;
export const refreshTokenSeconds = 90 * 86_400;
export const grantSeconds = 365 * 86_400;
/** From the latest use on. */
export const sessionSeconds = 14 * 86_400;
export const interactionSeconds = 3_600;
