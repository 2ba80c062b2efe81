import { createHash } from 'node:crypto';
import type { Locator } from 'playwright-core';

/**
 * Script that returns what a browser draws an element from: its HTML, and the style rules that apply to it or to an element in it.
 * Other rules of a stylesheet do not change the picture.
 */
const collectInputs = `(() => {
  const element = document.querySelector('[data-picture]');
  element.removeAttribute('data-picture');
  const parts = [element, ...element.querySelectorAll('*')];
  const plain = (selector) => selector.replaceAll(/::[\\w-]+|:(hover|focus-visible|focus|active)\\b/g, '');
  const applies = (selector) => {
    try {
      return parts.some((part) => part.matches(plain(selector) || '*'));
    } catch {
      return true;
    }
  };
  const listRules = (rules) => [...rules].flatMap((rule) => {
    if (rule.selectorText !== undefined) return applies(rule.selectorText) || /:root|html|body/.test(rule.selectorText) ? [rule.cssText] : [];
    if (rule.cssRules === undefined) return [rule.cssText];
    return [rule.conditionText ?? '', ...listRules(rule.cssRules)];
  });
  const values = [...element.querySelectorAll('input, select')].map((field) => field.type === 'hidden' ? '' : field.value);
  const rules = [...document.styleSheets].flatMap((sheet) => listRules(sheet.cssRules));
  return [element.outerHTML, JSON.stringify(values), ...rules].join('\\n');
})()`;

/** Element of a page, whose types this program does not load. */
interface MarkedElement {
  setAttribute(name: string, value: string): void;
}

/** What differs between two runs of the same program: ports, times, durations, challenges, tokens, and ids of fields. */
const volatile: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/localhost:\d+/g, 'localhost'],
  [/\d\d:\d\d:\d\d(\.\d+)?/g, 'time'],
  [/\b\d+(\.\d+)? m?s\b/g, 'duration'],
  [/(data-options|data-upgrade|data-signals|data-shown)="[^"]*"/g, '$1'],
  [/\b_r_[0-9a-z]+_/g, 'generated id'],
  [/name="formToken" value="[^"]*"/g, 'name="formToken"'],
  [/(\/assets\/[\w-]+?)-[\w-]{8}\.(js|css)/g, '$1.$2'],
];

/**
 * Returns the text that a part of a page is drawn from, without what changes from run to run.
 *
 * @param part element that a picture shows
 */
export async function readInputs(part: Locator): Promise<string> {
  await part.evaluate((element: MarkedElement) => element.setAttribute('data-picture', ''));
  const inputs = await part.page().evaluate<string>(collectInputs);
  return volatile.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), inputs);
}

/**
 * Computes the digest of the inputs of a picture.
 *
 * @param inputs texts in the order of the frames
 */
export function digestInputs(inputs: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 32);
}
