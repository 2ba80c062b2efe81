/** Returns the Content-Security-Policy source for a URL: its origin, or its scheme if it has no origin. */
export function getFormTarget(address: string): string {
  const { protocol, origin } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
