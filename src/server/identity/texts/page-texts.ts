import { html } from 'ghtml';
import { MessageFormat } from 'messageformat';
import type { PageLanguage } from '../../../contract/page-controls.ts';
import { LruMap } from '../../../core/lru-map.ts';
import { arabic } from './arabic.ts';
import { english, type TextKey } from './english.ts';

/** Maximum number of formatted texts that are kept for a language. */
const formattedMax = 500;

type TextPart = ReturnType<MessageFormat['formatToParts']>[number];

/** Values of a text by name. */
type TextValues = Readonly<Record<string, string | number>>;

/** Functions by element name that convert escaped content to HTML. */
type TextElements = Readonly<Record<string, (content: string) => string>>;

/** Texts of the sign-in pages in one language. */
export class PageTexts {
  readonly language: PageLanguage;
  readonly direction: 'ltr' | 'rtl';
  readonly #source: Readonly<Record<TextKey, string>>;
  readonly #formats = new Map<TextKey, MessageFormat>();
  /** Recent texts with their values, because formatting one takes up to 45 µs. */
  readonly #formatted = new LruMap<string, string>({ max: formattedMax });
  /** Parts of recent texts with elements: pages of one sandbox repeat them. */
  readonly #parts = new LruMap<string, readonly TextPart[]>({ max: formattedMax });

  constructor(language: PageLanguage, direction: 'ltr' | 'rtl', source: Readonly<Record<TextKey, string>>) {
    this.language = language;
    this.direction = direction;
    this.#source = source;
  }

  /** Formats a text without elements. Throws a `RangeError` for a missing value. */
  text(key: TextKey, values: TextValues = {}): string {
    const source = this.#source[key];
    if (isPlain(source)) return source;
    return keepIn(this.#formatted, [key, values], () => this.#format(key).format(values, fail(key)));
  }

  /**
   * Formats a text as HTML and escapes everything except the given elements. Throws a `RangeError` for a missing value.
   */
  html(key: TextKey, values: TextValues, elements: TextElements): string {
    const open: { name: string; content: string }[] = [{ name: '', content: '' }];
    const append = (content: string): void => {
      const last = open.at(-1);
      if (last !== undefined) last.content += content;
    };
    const parts = keepIn(this.#parts, [key, values], () => this.#format(key).formatToParts(values, fail(key)));
    for (const part of parts) {
      if (part.type === 'markup') {
        if (part.kind === 'open') open.push({ name: part.name, content: '' });
        else append(this.#element(key, elements, open.pop()));
      } else {
        append(html`${formatPart(part)}`);
      }
    }
    return open.map(({ content }) => content).join('');
  }

  #element(key: TextKey, elements: TextElements, closed: { name: string; content: string } | undefined): string {
    const element = elements[closed?.name ?? ''];
    if (closed === undefined || element === undefined)
      throw new RangeError(`The text ${key} contains an unknown element.`);
    return element(closed.content);
  }

  #format(key: TextKey): MessageFormat {
    const known = this.#formats.get(key);
    if (known !== undefined) return known;
    // In left-to-right text, isolation characters serve no purpose and would end up in copied text.
    const bidiIsolation = this.direction === 'rtl' ? 'default' : 'none';
    const format = new MessageFormat(this.language, this.#source[key], { bidiIsolation });
    this.#formats.set(key, format);
    return format;
  }
}

/** Returns the stored result for a text with its values, or computes and stores it. */
function keepIn<T>(results: LruMap<string, T>, place: readonly [TextKey, TextValues], compute: () => T): T {
  const key = JSON.stringify(place);
  const known = results.get(key);
  if (known !== undefined) return known;
  const result = compute();
  results.set(key, result);
  return result;
}

/** Returns `true` if a text has neither values nor elements. */
function isPlain(source: string): boolean {
  return !/[{}\\]|^\s*\./.test(source);
}

function fail(key: TextKey): (cause: unknown) => void {
  return (cause) => {
    throw new RangeError(`The text ${key} cannot be formatted: ${String(cause)}`, { cause });
  };
}

/** Returns the text of a part. A number consists of several subparts. */
function formatPart(part: {
  readonly value?: unknown;
  readonly parts?: readonly { readonly value?: unknown }[];
}): string {
  return part.parts === undefined ? String(part.value ?? '') : part.parts.map(({ value }) => String(value)).join('');
}

const textsByLanguage: Readonly<Record<PageLanguage, PageTexts>> = {
  en: new PageTexts('en', 'ltr', english),
  ar: new PageTexts('ar', 'rtl', arabic),
};

/** Returns the texts of a language. */
export function textsIn(language: PageLanguage): PageTexts {
  return textsByLanguage[language];
}
