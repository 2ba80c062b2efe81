/** Part of a page, identified by the stable name that the page declares. */
export interface PagePart {
  readonly control: string;
  /** Value of an option if several have the same name. */
  readonly value?: string;
  /** True to use the first of several parts, or false if the name must be unique. */
  readonly first?: boolean;
}

/** Intended use of a part: pressing it, or typing into it. */
export type PartUse = 'press' | 'enter';

/** Position of a part in the window, in CSS pixels. */
export interface PartSpot {
  readonly x: number;
  readonly y: number;
}

/** Visible part: true if it has an accessible name, and its position if it is unique and ready. */
export interface FoundPart {
  readonly isNamed: boolean;
  readonly spot: PartSpot | null;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PartElement {
  readonly type?: string;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly sheet?: unknown;
  readonly textContent: string | null;
  readonly labels?: Iterable<PartElement> | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): Box;
  checkVisibility(options: { readonly visibilityProperty: boolean }): boolean;
  closest(selector: string): PartElement | null;
  contains(other: PartElement | null): boolean;
  scrollIntoView(options: { readonly block: 'center'; readonly behavior: 'instant' }): void;
  focus(): void;
  select?(): void;
  addEventListener(event: string, listen: () => void): void;
}

interface PartDocument {
  readonly activeElement: PartElement | null;
  querySelectorAll(selector: string): Iterable<PartElement>;
  elementFromPoint(x: number, y: number): PartElement | null;
}

interface PartWindow {
  readonly document: PartDocument;
  readonly innerWidth: number;
  readonly innerHeight: number;
}

/**
 * Finds a part in the current document and prepares it for use. The function runs in the page, so its source uses
 * only browser APIs. For `press`, it scrolls the part into view and checks that nothing covers it. For `enter`, it
 * focuses the field and selects its text. Returns `null` if the part is missing or hidden.
 */
export async function findPart({
  control,
  value,
  first,
  use,
}: PagePart & { readonly use: PartUse }): Promise<FoundPart | null> {
  const { document: page, innerWidth, innerHeight } = globalThis as unknown as PartWindow;
  const isVisible = (element: PartElement): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  // A page without its styles would change its layout between this check and the click.
  const waiting = [...page.querySelectorAll('link[rel="stylesheet"]')].filter(({ sheet }) => sheet === null);
  await Promise.all(
    waiting.map(
      (link) =>
        new Promise<void>((resolve) => {
          for (const event of ['load', 'error']) link.addEventListener(event, resolve);
        }),
    ),
  );
  const found = [...page.querySelectorAll(`[data-control="${control}"]`)].filter(
    (one) => (value === undefined || one.getAttribute('value') === value) && isVisible(one),
  );
  const [part] = found;
  if (part === undefined) return null;
  const names = [
    part.getAttribute('aria-label'),
    part.textContent,
    ...Array.from(part.labels ?? [], (one) => one.textContent),
  ];
  const isNamed = names.some((name) => (name ?? '').trim() !== '');
  const notReady = { isNamed, spot: null };
  if (found.length > 1 && first !== true) return notReady;
  if (part.disabled === true || part.closest('[inert], [aria-hidden="true"]') !== null) return notReady;
  if (use === 'enter') {
    if (part.readOnly !== false || !['text', 'password', 'email', 'tel'].includes(part.type ?? '')) return notReady;
    part.focus();
    part.select?.();
  }
  const computeCenter = ({ x, y, width, height }: Box): PartSpot => ({ x: x + width / 2, y: y + height / 2 });
  let spot = computeCenter(part.getBoundingClientRect());
  if (spot.x < 0 || spot.y < 0 || spot.x >= innerWidth || spot.y >= innerHeight) {
    part.scrollIntoView({ block: 'center', behavior: 'instant' });
    spot = computeCenter(part.getBoundingClientRect());
  }
  const isReady = use === 'enter' ? page.activeElement === part : part.contains(page.elementFromPoint(spot.x, spot.y));
  return { isNamed, spot: isReady ? spot : null };
}

/** Sends a form that is not on the page, with its URL, anti-forgery token and action, and runs in the page. */
export function sendForm(form: { readonly url: string; readonly formToken: string; readonly action: string }): void {
  const { document: page } = globalThis as unknown as { document: FormDocument };
  const element = page.createElement('form');
  element.setAttribute('method', 'post');
  element.setAttribute('action', form.url);
  for (const name of ['formToken', 'action'] as const) {
    const input = page.createElement('input');
    for (const [key, value] of Object.entries({ type: 'hidden', name, value: form[name] }))
      input.setAttribute(key, value);
    element.append(input);
  }
  page.body.append(element);
  element.requestSubmit?.();
}

interface FormElement {
  setAttribute(name: string, value: string): void;
  append(child: FormElement): void;
  requestSubmit?(): void;
}

interface FormDocument {
  readonly body: FormElement;
  createElement(name: string): FormElement;
}
