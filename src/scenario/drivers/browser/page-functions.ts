/**
 * Functions that run in the page: their source text is sent there, so each uses what a page has and nothing of this program.
 */

/** What a page shows, read from its document alone. */
export interface ReadPage {
  /** Name of the page, from `data-page` of its main part. */
  readonly name: string;
  readonly signInId: string | null;
  /** The message of what went wrong, as a screen reader would announce it. */
  readonly error: string | null;
  /** Where its forms go and what is hidden in them; `null` on a page without a form of a sign-in. */
  readonly way: Way | null;
  /** Whether it tells the server that it was left. */
  readonly tellsLeaving: boolean;
  /** What it tells authenticators, as JSON; `null` where it tells them nothing. */
  readonly signals: string | null;
}

/** What a form of a sign-in sends besides what a person enters. */
export interface Way {
  readonly address: string;
  readonly formToken: string;
}

interface PageElement {
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly textContent: string | null;
  readonly baseURI: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelectorAll(selector: string): Iterable<PageElement>;
  append(child: PageElement): void;
}

/** Buttons called `action` hide the property of that name, so the attribute is read and written. */
interface PageForm extends PageElement {
  readonly elements: { namedItem(name: string): PageField | null };
  requestSubmit(): void;
}

interface PageField extends PageElement {
  type: string;
  name: string;
  value: string;
}

interface PageDocument {
  readonly body: PageElement;
  querySelector(selector: string): PageElement | null;
  createElement(name: string): unknown;
}

/** Reads the document; `null` when it is no page of a sign-in server. */
export function readDocument(): ReadPage | null {
  const { document: page } = globalThis as unknown as { document: PageDocument };
  const main = page.querySelector('main');
  const name = main?.dataset['page'];
  if (main === null || name === undefined) return null;
  const forms = [...main.querySelectorAll('form')] as unknown as readonly PageForm[];
  const form = forms.find((one) => one.elements.namedItem('formToken') !== null);
  const alerts = [...main.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent?.trim() ?? '');
  return {
    name,
    signInId: main.dataset['signIn'] ?? null,
    error: alerts.find((text) => text !== '') ?? null,
    way:
      form === undefined
        ? null
        : {
            address: new URL(form.getAttribute('action') ?? '', form.baseURI).href,
            formToken: form.elements.namedItem('formToken')?.value ?? '',
          },
    tellsLeaving: main.dataset['leave'] !== undefined,
    signals: main.dataset['signals'] ?? null,
  };
}

/** Sends a form that the page does not have. Takes where it goes, its token and what it asks for. */
export function sendForm({ address, formToken, action }: Way & { readonly action: string }): void {
  const { document: page } = globalThis as unknown as { document: PageDocument };
  const form = page.createElement('form') as PageForm;
  form.setAttribute('method', 'post');
  form.setAttribute('action', address);
  for (const [name, value] of Object.entries({ formToken, action })) {
    const field = page.createElement('input') as PageField;
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  page.body.append(form);
  form.requestSubmit();
}
