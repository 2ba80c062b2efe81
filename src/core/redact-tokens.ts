/** Replacement text for secrets. */
export const redacted = '[redacted]';

const bearer = /\bBearer /;
const bearerRun = /^([\w.~+/-]+)=*/;

/** Minimum length in characters of a text after "Bearer" to count as a token and not as a word. */
const bearerCharactersMin = 16;

/** Removes the tokens of bearer headers from a text. */
function withoutBearerTokens(text: string): string {
  return text.split(bearer).reduce((before, after) => {
    const [found = '', run = ''] = bearerRun.exec(after) ?? [];
    const shown = run.length >= bearerCharactersMin ? redacted : found;
    return `${before}Bearer ${shown}${after.slice(found.length)}`;
  });
}

const signedHead = /\beyJ[\w-]{8}/;

/**
 * Removes a signed token from a run of letters, digits, hyphens and dots. A token has three parts, of which the
 * first is base64 JSON.
 */
function withoutSignedToken(run: string): string {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const begin = parts.length - at < 3 || parts[at + 1] === '' ? -1 : part.search(signedHead);
    kept.push(begin === -1 ? part : `${part.slice(0, begin)}${redacted}`);
    if (begin !== -1) at += 2;
  }
  return kept.join('.');
}

/** Removes bearer tokens and signed tokens from a text. */
export function redactTokens(text: string): string {
  return withoutBearerTokens(text.replace(/[\w.-]+/g, withoutSignedToken));
}
