/** Returns true if an `Accept` header accepts JSON. The most specific matching range decides (RFC 9110). */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '' || accept === '*/*') return true;
  let best = { specificity: -1, quality: 0 };
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const specificity = ['*/*', 'application/*', 'application/json'].indexOf(range);
    if (specificity <= best.specificity) continue;
    best = { specificity, quality: parseQuality(parameters) };
  }
  return best.specificity >= 0 && best.quality > 0;
}

function parseQuality(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = written === undefined ? 1 : Number(written);
  return Number.isNaN(quality) ? 1 : quality;
}
