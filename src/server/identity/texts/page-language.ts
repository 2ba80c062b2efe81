import Negotiator from 'negotiator';
import { type PageLanguage, pageLanguages } from '../../../contract/page-controls.ts';

/** What decides on the language of a page, the most important first. */
export interface LanguageWishes {
  /** `ui_locales` of OpenID Connect: tags separated by spaces, the preferred one first; `null` without one. */
  readonly uiLocales: string | null;
  /** The header `Accept-Language`. */
  readonly acceptLanguage: string | undefined;
  /** The setting `language` of the tenant. */
  readonly tenantLanguage: PageLanguage | undefined;
}

/** No request names more languages than this to any effect. */
const localesMax = 20;

/** Chooses the language of a page: the first that is shipped among `ui_locales`, `Accept-Language` and the tenant's setting. */
export function chooseLanguage({ uiLocales, acceptLanguage, tenantLanguage }: LanguageWishes): PageLanguage {
  const fallback = tenantLanguage ?? pageLanguages[0];
  return matchLanguage(toAcceptLanguage(uiLocales), fallback) ?? matchLanguage(acceptLanguage, fallback) ?? fallback;
}

/** Returns the shipped language that a header prefers, or `undefined`. Any language (`*`) means the fallback. */
function matchLanguage(header: string | undefined, fallback: PageLanguage): PageLanguage | undefined {
  if (header === undefined || header === '') return undefined;
  const available = [fallback, ...pageLanguages.filter((language) => language !== fallback)];
  const preferred = new Negotiator({ headers: { 'accept-language': header } }).language(available);
  return available.find((language) => language === preferred);
}

/** Converts `ui_locales` to the syntax of `Accept-Language`, in which weights state the order. */
function toAcceptLanguage(uiLocales: string | null): string | undefined {
  const tags = (uiLocales ?? '').split(' ').filter((tag) => /^[A-Za-z0-9-]{1,35}$/.test(tag));
  if (tags.length === 0) return undefined;
  return tags
    .slice(0, localesMax)
    .map((tag, index) => `${tag};q=${(1 - index / (2 * localesMax)).toFixed(3)}`)
    .join(', ');
}
