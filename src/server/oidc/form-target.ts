/** The source of a Content-Security-Policy that allows an address: its origin, or its scheme where it has no origin. */
export function getFormTarget(address: string): string {
  const { protocol, origin } = new URL(address);
  return origin === 'null' ? protocol : origin;
}
