import type { Request, Response } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isBoundBrowser } from '../oidc/bound-browser.ts';
import type { Interactions, InteractionView } from '../oidc/interactions.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { getBasePath } from './addresses.ts';

/** What the address of a page says: the sandbox, and the sign-in of an application that it belongs to. */
export interface BrowserSignIn {
  readonly sandbox: Sandbox;
  /** Where sign-ins begin, without the query. */
  readonly beginning: string;
  readonly interaction: InteractionView | null;
  /** What follows the path of an address that goes on with this visit: empty, or from `?` on. */
  readonly query: string;
  /** The languages that were requested for its pages; `null` without any. */
  readonly uiLocales: string | null;
}

/** The query parameter that names the sign-in of an application. */
const interactionParameter = 'interaction';

/** The query parameter that names preferred languages, as in OpenID Connect. */
const localesParameter = 'ui_locales';

/** The interaction that the address of a page names, by its uid; `null` where no application waits. */
export function interactionNamed({ originalUrl }: Pick<Request, 'originalUrl'>): string | null {
  const query = queryOf(originalUrl);
  return query === '' ? null : new URLSearchParams(query).get(interactionParameter);
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}

/** What a request is about. Throws `interaction-unknown` for the sign-in of an application that is over, or another browser's. */
export async function getBrowserSignIn(
  request: Request,
  response: Response,
  interactions: Interactions,
): Promise<BrowserSignIn> {
  const sandbox = getSandbox(response);
  const uid = interactionNamed(request);
  const isBound = uid !== null && isBoundBrowser(request.headers.cookie, sandbox.id, uid);
  const interaction = isBound ? await interactions.find(sandbox, uid) : null;
  if (uid !== null && interaction === null) {
    throw new NudgeLabError('interaction-unknown', {
      message: 'The application’s sign-in is over, or did not begin in this browser.',
    });
  }
  const query = queryOf(request.originalUrl);
  const uiLocales = interaction?.uiLocales ?? (new URLSearchParams(query).get(localesParameter) || null);
  return { sandbox, beginning: getBasePath(sandbox.id), interaction, query, uiLocales };
}

/** The query that URLs of a running sign-in carry: its application, or else the languages of its pages. */
export function runningQuery({ interaction, uiLocales }: Pick<BrowserSignIn, 'interaction' | 'uiLocales'>): string {
  if (interaction !== null) return `?${interactionParameter}=${encodeURIComponent(interaction.uid)}`;
  return uiLocales === null ? '' : `?${localesParameter}=${encodeURIComponent(uiLocales)}`;
}
