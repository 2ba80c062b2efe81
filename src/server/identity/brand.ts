import type { Request, RequestHandler } from 'express';
import type { Branding } from '../../contract/sandbox.schema.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getSandbox } from '../resolve-sandbox.ts';
import { getBasePath } from './addresses.ts';
import type { PageTenant } from './pages/layout.ts';
import { chooseLanguage, type LanguagePreferences } from './texts/page-language.ts';
import { textsIn } from './texts/page-texts.ts';

/** File name of a tenant's stylesheet. It is a separate file because the pages do not allow inline styles. */
export const brandFile = 'brand.css';

/** Language preferences of the reader of a page. Pages that are only in English need none. */
export type Reader = Pick<LanguagePreferences, 'uiLocales' | 'acceptLanguage'>;

const anyReader: Reader = { uiLocales: null, acceptLanguage: undefined };

/** Returns the language preferences of a request and its `ui_locales`, if any. */
export function createReader({ headers }: Pick<Request, 'headers'>, uiLocales: string | null = null): Reader {
  return { uiLocales, acceptLanguage: headers['accept-language'] };
}

/** Returns the tenant of a sandbox as its pages display it to a reader. */
export function toPageTenant(
  { id, clock, directory }: Pick<Sandbox, 'id' | 'clock' | 'directory'>,
  reader = anyReader,
): PageTenant {
  const { branding = null, language } = directory.settings();
  const color = branding?.color;
  return {
    sandboxId: id,
    texts: textsIn(chooseLanguage({ ...reader, tenantLanguage: language })),
    branding,
    frozenAt: clock.running() ? null : toInstant(clock.nowMs()),
    brandStylesheet: color === undefined ? null : `${getBasePath(id)}/${brandFile}?color=${color.slice(1)}`,
  };
}

/** Serves the stylesheet with the tenant color for buttons and a readable text color. */
export const serveBrand: RequestHandler = (_request, response) => {
  const { branding } = getSandbox(response).directory.settings();
  if (branding?.color === undefined)
    throw new NudgeLabError('not-found', { message: 'The branding of this tenant has no color.' });
  response
    .writeHead(200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' })
    .end(css(branding.color));
};

function css(color: NonNullable<Branding['color']>): string {
  const text = luminance(color) > evenContrastLuminance ? '#000000' : '#ffffff';
  return `.primary, .primary:hover { color: ${text}; background: ${color}; border-color: ${color}; }\n`;
}

/** Luminance at which black and white text have the same contrast (WCAG 2, relative luminance). */
const evenContrastLuminance = 0.179;

/** Computes the relative luminance, 0 to 1, of a color such as `#336699`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(part: number): number {
  return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
