import { expect, it } from 'vitest';
import { chooseLanguage } from '../../../../src/server/identity/texts/page-language.ts';

it.each([
  ['nothing', {}, 'en'],
  ['the tenant', { tenantLanguage: 'ar' }, 'ar'],
  ['the browser', { acceptLanguage: 'ar' }, 'ar'],
  ['a region of a language', { acceptLanguage: 'ar-EG' }, 'ar'],
  ['the weights of the header', { acceptLanguage: 'ar;q=0.2, en;q=0.9' }, 'en'],
  ['the browser before the tenant', { acceptLanguage: 'en-GB', tenantLanguage: 'ar' }, 'en'],
  ['the tenant, if the browser accepts any language', { acceptLanguage: '*', tenantLanguage: 'ar' }, 'ar'],
  ['the tenant, if nothing matches', { acceptLanguage: 'fr, de', tenantLanguage: 'ar' }, 'ar'],
  ['ui_locales before the browser', { uiLocales: 'ar', acceptLanguage: 'en' }, 'ar'],
  ['the first match of ui_locales', { uiLocales: 'fr-CA en ar' }, 'en'],
  ['the browser, if no tag of ui_locales matches', { uiLocales: 'fr', acceptLanguage: 'ar' }, 'ar'],
  ['the browser, if ui_locales contains no tags', { uiLocales: ';q=0 \n, ar;q=1', acceptLanguage: 'en' }, 'en'],
  ['the case of a tag does not matter', { uiLocales: 'AR' }, 'ar'],
] as const)('language: the page language follows %s', (_what, preferences, language) => {
  const none = { uiLocales: null, acceptLanguage: undefined, tenantLanguage: undefined };
  expect(chooseLanguage({ ...none, ...preferences })).toBe(language);
});
