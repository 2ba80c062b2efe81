import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAnswerId, pageControls } from '../../src/contract/page-controls.ts';
import { arabic } from '../../src/server/identity/texts/arabic.ts';
import { english, type TextKey } from '../../src/server/identity/texts/english.ts';
import { type PageVisit, pageVisits } from './page-visits.ts';
import { type Site, startSite } from './site.ts';

/**
 * English texts that reveal an untranslated page: those that differ between both languages and contain no values.
 */
const englishTexts = new Set<string>(
  (Object.keys(english) as TextKey[])
    .filter((key) => arabic[key] !== english[key] && !english[key].includes('{'))
    .map((key) => english[key]),
);

/** Visits of pages that are part of a sign-in. */
const translatedVisits = pageVisits.filter(
  ({ page }) => Object.hasOwn(pageControls, page) || page === 'security-info-list',
);

let sites: Readonly<Record<'en' | 'ar', Site>>;

beforeAll(async () => {
  sites = { en: await startSite('en'), ar: await startSite('ar') };
});
afterAll(async () => {
  for (const site of Object.values(sites)) await site.close();
});

/** Returns a page in the given language. */
async function pageIn(visit: PageVisit, language: 'en' | 'ar') {
  const root = parse((await visit.reach(sites[language])).text);
  const html = root.querySelector('html');
  return {
    language: html?.getAttribute('lang'),
    direction: html?.getAttribute('dir'),
    controls: root.querySelectorAll('[data-control]').map((one) => one.getAttribute('data-control') ?? ''),
    texts: root
      .querySelectorAll('*')
      .flatMap(({ childNodes }) => childNodes.filter(({ nodeType }) => nodeType === 3))
      .map(({ text }) => text.trim()),
  };
}

describe('sign-in pages in two languages', () => {
  it('every page has its language, direction and controls, and no text of the other language', async () => {
    expect(translatedVisits.length).toBeGreaterThan(60);
    const declared = new Map<string, Set<string>>();
    for (const visit of translatedVisits) {
      const [inEnglish, inArabic] = [await pageIn(visit, 'en'), await pageIn(visit, 'ar')];
      const about = visit.title;
      expect({ about, ...inEnglish }).toMatchObject({ about, language: 'en', direction: 'ltr' });
      expect({ about, ...inArabic }).toMatchObject({ about, language: 'ar', direction: 'rtl' });
      expect({ about, controls: inArabic.controls }).toEqual({ about, controls: inEnglish.controls });
      expect({ about, left: inArabic.texts.filter((text) => englishTexts.has(text)) }).toEqual({ about, left: [] });
      expect(inEnglish.texts.filter((text) => englishTexts.has(text)).length).toBeGreaterThan(0);
      const known = declared.get(visit.page) ?? new Set();
      declared.set(visit.page, known);
      // The answers of an own campaign are named by its ruleset.
      for (const control of inEnglish.controls) if (findAnswerId(control) === null) known.add(control);
    }
    const table = Object.fromEntries(
      Object.entries(pageControls).map(([page, controls]) => [page, [...controls].sort()]),
    );
    const visitedControls = Object.fromEntries([...declared].map(([page, controls]) => [page, [...controls].sort()]));
    expect({ ...visitedControls, 'security-info-list': undefined }).toEqual({
      ...table,
      'security-info-list': undefined,
    });
  }, 60_000);
});

describe('language of a page', () => {
  it.each([
    ['the header of the browser', '/sign-in', { 'accept-language': 'ar-EG,en;q=0.5' }, 'ar'],
    ['ui_locales before the header', '/sign-in?ui_locales=fr%20ar', { 'accept-language': 'en' }, 'ar'],
    ['English without a wish', '/sign-in', {}, 'en'],
  ] as const)('is determined by: %s', async (_what, path, headers, language) => {
    const { server } = sites.en;
    const response = await fetch(`${server.baseUrl}${path}`, { headers });
    expect(await response.text()).toContain(`<html lang="${language}"`);
  });

  it('ui_locales applies to every page of its sign-in', async () => {
    const visitor = await sites.en.visitor();
    await visitor.load('/sign-in?ui_locales=ar');
    const seen: string[] = [];
    const note = (): void => void seen.push(/<html lang="(\w+)"/.exec(visitor.shown.text)?.[1] ?? '');
    note();
    await visitor.press('Next', { Username: 'ada@example.test' });
    note();
    await visitor.press('Sign in', { Password: 'correct horse' });
    note();
    await visitor.reload();
    note();
    await visitor.press('Verify', { Code: '123456' });
    note();
    expect([visitor.page.name, seen]).toEqual(['prompt', ['ar', 'ar', 'ar', 'ar', 'ar']]);
  });
});
