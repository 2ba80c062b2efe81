import { MessageFormat, parseMessage } from 'messageformat';
import { describe, expect, it } from 'vitest';
import { pageLanguages } from '../../../../src/contract/page-controls.ts';
import { arabic } from '../../../../src/server/identity/texts/arabic.ts';
import { english, type TextKey } from '../../../../src/server/identity/texts/english.ts';
import { textsIn } from '../../../../src/server/identity/texts/page-texts.ts';

const keys = Object.keys(english) as readonly TextKey[];

/** Lists the distinct values and elements of a text, in order. */
function listParts(source: string): readonly string[] {
  const { variables, elements } = { variables: /\{\$(\w+)/g, elements: /\{#(\w+)\}/g };
  return [...new Set([...source.matchAll(variables), ...source.matchAll(elements)].map(([part]) => part))].sort();
}

describe('texts of the sign-in pages', () => {
  it('every language has every text, with the same values and elements', () => {
    expect(keys.length).toBeGreaterThan(150);
    expect(Object.keys(arabic).sort()).toEqual([...keys].sort());
    const different = keys.filter((key) => String(listParts(english[key])) !== String(listParts(arabic[key])));
    expect(different).toEqual([]);
  });

  it.each([
    ['en', english],
    ['ar', arabic],
  ] as const)('every text in %s has letters, is valid MessageFormat 2 and contains no HTML', (language, source) => {
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !/\p{L}/u.test(source[key]))).toEqual([]);
    for (const key of keys) {
      expect(() => new MessageFormat(language, parseMessage(source[key]))).not.toThrow();
      expect({ key, html: /[<>&]/.test(source[key]) }).toEqual({ key, html: false });
    }
  });

  it.each([
    ['en', 0, 'You cannot skip this again.'],
    ['en', 1, 'You can skip this once more. After that, it is required.'],
    ['en', 2, 'You can skip this 2 more times. After that, it is required.'],
    ['ar', 1, 'يمكنك التخطي مرة واحدة أخرى، ثم يصبح الإعداد مطلوبًا.'],
    ['ar', 2, 'يمكنك التخطي مرتين أخريين، ثم يصبح الإعداد مطلوبًا.'],
  ] as const)('R6: in %s, %i snoozes left read "%s"', (language, count, text) => {
    expect(textsIn(language).text('prompt.snoozes-left', { count })).toBe(text);
  });

  it('R6: Arabic has separate plural forms for few and many', () => {
    const { text } = { text: (count: number) => textsIn('ar').text('prompt.snoozes-left', { count }) };
    expect([text(3).includes('مرات'), text(11).includes('مرات')]).toEqual([true, false]);
  });

  it('values are escaped in HTML, and isolated only in right-to-left text', () => {
    const values = { application: '<b>&' };
    const element = { name: (content: string) => `<i>${content}</i>` };
    expect(textsIn('en').html('consent.lead', values, element)).toBe('<i>&#60;b&#62;&#38;</i> wants to:');
    expect(textsIn('ar').html('consent.lead', values, element)).toContain('<i>\u2068&#60;b&#62;&#38;\u2069</i>');
  });

  it('a missing value, or an element that the page does not provide, is an error', () => {
    expect(() => textsIn('en').text('phone.heading')).toThrow(RangeError);
    expect(() => textsIn('en').html('push.phone', {}, {})).toThrow(/push\.phone/);
  });

  it('every shipped language has its own texts', () => {
    expect(pageLanguages.map((language) => textsIn(language).language)).toEqual(['en', 'ar']);
    expect(pageLanguages.map((language) => textsIn(language).direction)).toEqual(['ltr', 'rtl']);
  });
});
