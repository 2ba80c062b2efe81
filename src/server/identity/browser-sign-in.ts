import type { Request, Response } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { isBoundBrowser } from '../oidc/bound-browser.ts';
import type { Interactions, InteractionView } from '../oidc/interactions.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { getBasePath } from './addresses.ts';

/** Sandbox of a page and the application sign-in that the page belongs to. */
export interface BrowserSignIn {
  readonly sandbox: Sandbox;
  /** Path where sign-ins start, without the query. */
  readonly beginning: string;
  readonly interaction: InteractionView | null;
  /** Query of URLs that continue this sign-in: empty, or starting with `?`. */
  readonly query: string;
  /** Requested languages of the pages. `null` if there are none. */
  readonly uiLocales: string | null;
}

/** Query parameter with the id of an application's sign-in. */
const interactionParameter = 'interaction';

/** Query parameter with the preferred languages, as in OpenID Connect. */
const localesParameter = 'ui_locales';

/** Returns the interaction uid in the URL of a page, or `null` if the sign-in belongs to no application. */
export function interactionNamed({ originalUrl }: Pick<Request, 'originalUrl'>): string | null {
  const query = getQuery(originalUrl);
  return query === '' ? null : new URLSearchParams(query).get(interactionParameter);
}

function getQuery(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
}

/**
 * Returns the sign-in that a request belongs to. Throws `interaction-unknown` if the application's sign-in has ended or
 * belongs to another browser.
 */
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
      message: 'The sign-in of the application has ended, or was started in another browser.',
    });
  }
  const query = getQuery(request.originalUrl);
  const uiLocales = interaction?.uiLocales ?? (new URLSearchParams(query).get(localesParameter) || null);
  return { sandbox, beginning: getBasePath(sandbox.id), interaction, query, uiLocales };
}

/** Returns the query for URLs of a running sign-in: its interaction, or otherwise the languages of its pages. */
export function runningQuery({ interaction, uiLocales }: Pick<BrowserSignIn, 'interaction' | 'uiLocales'>): string {
  if (interaction !== null) return `?${interactionParameter}=${encodeURIComponent(interaction.uid)}`;
  return uiLocales === null ? '' : `?${localesParameter}=${encodeURIComponent(uiLocales)}`;
}
