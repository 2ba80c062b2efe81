import { endSentence, suggestName } from './nearest-name.ts';

/** Maximum number of clients that an error message lists. */
export const listedClientsMax = 20;

/**
 * Describes a client id that no client has, with the most similar one and the ids that a request can use.
 *
 * @param given - id of the request
 * @param clients - fixture clients of the sandbox
 * @returns one or two sentences
 */
export function describeUnknownClient(given: string, clients: readonly { readonly id: string }[]): string {
  const ids = clients.map(({ id }) => id);
  const unknown = endSentence(`This sandbox has no client ${JSON.stringify(given)}${suggestName(given, ids)}`);
  if (ids.length === 0) return `${unknown} It has no clients at all.`;
  const rest = ids.length - listedClientsMax;
  const list = ids.slice(0, listedClientsMax).join(', ');
  return `${unknown} Its clients are ${list}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
