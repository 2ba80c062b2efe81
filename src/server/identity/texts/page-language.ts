import Negotiator from 'negotiator';
import { type PageLanguage, pageLanguages } from '../../../contract/page-controls.ts';

/** Inputs for choosing the language of a page, in order of precedence. */
export interface LanguagePreferences {
  /**
   * `ui_locales` of OpenID Connect: language tags separated by spaces, preferred ones first. `null` if there are none.
   */
  readonly uiLocales: string | null;
  /** `Accept-Language` header. */
  readonly acceptLanguage: string | undefined;
  /** Tenant setting `language`. */
  readonly tenantLanguage: PageLanguage | undefined;
}

/** Maximum number of languages that are read from a request. */
const localesMax = 20;

/** Chooses the first supported language from `ui_locales`, `Accept-Language`, and the tenant's setting. */
export function chooseLanguage({ uiLocales, acceptLanguage, tenantLanguage }: LanguagePreferences): PageLanguage {
  const fallback = tenantLanguage ?? pageLanguages[0];
  return matchLanguage(toAcceptLanguage(uiLocales), fallback) ?? matchLanguage(acceptLanguage, fallback) ?? fallback;
}

/** Returns the preferred supported language of a header, or `undefined`. The wildcard (`*`) selects the fallback. */
function matchLanguage(header: string | undefined, fallback: PageLanguage): PageLanguage | undefined {
  if (header === undefined || header === '') return undefined;
  const available = [fallback, ...pageLanguages.filter((language) => language !== fallback)];
  const preferred = new Negotiator({ headers: { 'accept-language': header } }).language(available);
  return available.find((language) => language === preferred);
}

/** Converts `ui_locales` to the syntax of `Accept-Language`, with weights for the order. */
function toAcceptLanguage(uiLocales: string | null): string | undefined {
  const tags = (uiLocales ?? '').split(' ').filter((tag) => /^[A-Za-z0-9-]{1,35}$/.test(tag));
  if (tags.length === 0) return undefined;
  return tags
    .slice(0, localesMax)
    .map((tag, index) => `${tag};q=${(1 - index / (2 * localesMax)).toFixed(3)}`)
    .join(', ');
}
