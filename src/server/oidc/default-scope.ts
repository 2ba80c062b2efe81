import type { KoaContextWithOIDC, AdapterPayload as Payload } from 'oidc-provider';
import { splitWords } from './consent.ts';
import type { ProviderParts } from './provider-parts.ts';
import { everything } from './scope-names.ts';

/**
 * Adds each requested `.default` to the scope of a token response, after the permissions that it stands for, if the
 * sandbox has the setting `listDefaultScope`. Libraries keep tokens by the scope of the response, so without it they
 * find none for the scope that they requested.
 *
 * @see CL32, CL33
 */
export function listDefaultScope(ctx: KoaContextWithOIDC, { sandbox }: ProviderParts): void {
  const { identity } = sandbox.recorder.state().settings;
  if (ctx.status !== 200 || identity?.listDefaultScope !== true) return;
  // The parameters contain the permissions already, and the body what the client sent.
  const requested = splitWords(ctx.oidc.body?.['scope']).filter(isDefaultScope);
  if (requested.length === 0) return;
  const body = ctx.body as Payload;
  const listed = splitWords(body['scope']);
  ctx.body = { ...body, scope: [...new Set([...listed, ...requested])].join(' ') };
}

function isDefaultScope(word: string): boolean {
  return word === everything || word.endsWith(`/${everything}`);
}
