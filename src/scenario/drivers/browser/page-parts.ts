/** What a part of a page is to a person, and to a screen reader. */
export type PartKind = 'button' | 'link' | 'heading' | 'field';

/** A part of a page as a person knows it: by its kind and its name, or its label. */
export interface PagePart {
  readonly kind: PartKind;
  readonly name: string;
  /** Whether the first of several is meant; else there has to be one alone. */
  readonly first?: boolean;
}

/** What is wanted of a part: to see whether it is there, to press it, to type into it. */
export type PartUse = 'see' | 'press' | 'enter';

/** Where a part is in the window, in CSS pixels. */
export interface PartSpot {
  readonly x: number;
  readonly y: number;
}

/** What was found: `spot` is `null` for a part that is seen and not ready for its use, or one of several. */
export interface FoundPart {
  readonly spot: PartSpot | null;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PartElement {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly labels?: Iterable<PartElement> | null;
  readonly type?: string;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly sheet?: unknown;
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
  getElementById(id: string): PartElement | null;
  elementFromPoint(x: number, y: number): PartElement | null;
}

interface PartWindow {
  readonly document: PartDocument;
  readonly innerWidth: number;
  readonly innerHeight: number;
}

/**
 * Looks for a part in the document that stands; it runs in the page, so its text uses what a page has and nothing of this
 * program. Returns `null` when nothing of that name is to be seen. For `press` it scrolls the part into the window and sees to it
 * that nothing lies upon it; for `enter` the field has the focus and its text is selected.
 */
export async function findPart({
  kind,
  name,
  first,
  use,
}: PagePart & { readonly use: PartUse }): Promise<FoundPart | null> {
  const { document: page, innerWidth, innerHeight } = globalThis as unknown as PartWindow;
  const textOf = (element: PartElement | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: PartElement): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
    if (ids.length > 0) return ids.map((id) => textOf(page.getElementById(id))).join(' ');
    const label = element.getAttribute('aria-label') ?? '';
    if (label !== '') return label;
    return kind === 'field' ? [...(element.labels ?? [])].map(textOf).join(' ') : textOf(element);
  };
  const isSeen = (element: PartElement): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  // A page that has not got its style yet would move under the hand.
  const waiting = [...page.querySelectorAll('link[rel="stylesheet"]')].filter(({ sheet }) => sheet === null);
  await Promise.all(
    waiting.map(
      (link) =>
        new Promise<void>((resolve) => {
          for (const event of ['load', 'error']) link.addEventListener(event, resolve);
        }),
    ),
  );
  const selectors = {
    button: 'button, input[type="submit"], [role="button"]',
    link: 'a[href]',
    heading: 'h1, h2, h3, h4',
    field: 'input, select, textarea',
  };
  const found = [...page.querySelectorAll(selectors[kind])].filter((one) => nameOf(one) === name && isSeen(one));
  const [part] = found;
  if (part === undefined) return null;
  const mayNot = found.length > 1 && first !== true;
  if (use === 'see' || mayNot || part.disabled === true || part.closest('[inert], [aria-hidden="true"]') !== null) {
    return { spot: null };
  }
  if (use === 'enter') {
    if (part.readOnly !== false || !['text', 'password', 'email', 'tel'].includes(part.type ?? ''))
      return { spot: null };
    part.focus();
    part.select?.();
  }
  const middleOf = ({ x, y, width, height }: Box): PartSpot => ({ x: x + width / 2, y: y + height / 2 });
  let spot = middleOf(part.getBoundingClientRect());
  if (spot.x < 0 || spot.y < 0 || spot.x >= innerWidth || spot.y >= innerHeight) {
    part.scrollIntoView({ block: 'center', behavior: 'instant' });
    spot = middleOf(part.getBoundingClientRect());
  }
  const isReady = use === 'enter' ? page.activeElement === part : part.contains(page.elementFromPoint(spot.x, spot.y));
  return { spot: isReady ? spot : null };
}
