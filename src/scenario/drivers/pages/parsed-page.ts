import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { CreationOptionsJson, SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { NudgeLabError } from '../../../core/errors.ts';

/** A field of a form. */
export interface ParsedField {
  /** Its stable name; `null` for a hidden field. */
  readonly control: string | null;
  readonly name: string;
  readonly value: string;
}

/** One of several options that exclude each other; a browser sends the one that is checked. */
export interface ParsedChoice {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
}

export interface ParsedForm {
  /** The WebAuthn options of its ceremony, as JSON; `null` without one. */
  readonly ceremony: string | null;
  /** Where it goes, as stated on the page. */
  readonly action: string;
  readonly fields: readonly ParsedField[];
  readonly choices: readonly ParsedChoice[];
  readonly buttons: readonly ParsedField[];
}

/** What the script of a page needs to have the browser create a passkey by itself. */
export interface ParsedUpgrade {
  readonly options: CreationOptionsJson;
  /** Where the response goes, as stated on the page. */
  readonly action: string;
  readonly formToken: string;
}

/** What a page offers, parsed from its HTML only. */
export interface ParsedPage {
  /** Name of the page, from `data-page`. */
  readonly name: string;
  readonly signInId: string | null;
  /** Number of snoozes that the page states as left; `null` without a number. */
  readonly snoozesLeft: number | null;
  /** The error message, as a screen reader would announce it. */
  readonly error: string | null;
  readonly forms: readonly ParsedForm[];
  /** URLs of links by their stable names. */
  readonly links: Readonly<Record<string, string>>;
  /** The number to enter on the phone; `null` where the page shows none. */
  readonly number: string | null;
  /** Whether it sends an unload beacon. */
  readonly hasBeacon: boolean;
  /** The signals to authenticators; `null` without any. */
  readonly signals: SignalsJson | null;
  /** The passkey that the browser is to create by itself; `null` where none is requested. */
  readonly upgrade: ParsedUpgrade | null;
}

type Node = Tree.Node;
type Element = Tree.Element;

/**
 * Parses a page. Takes the document and the positions of its hidden controls among all of them, which are left unnamed. Throws
 * `driver-failed` for a document that is no page of a sign-in server.
 */
export function parsePage(document: string, hidden: ReadonlySet<number> = new Set()): ParsedPage {
  const all = listElements(parse(document));
  all
    .filter((one) => attribute(one, 'data-control') !== null)
    .forEach((one, position) => {
      if (hidden.has(position)) one.attrs = one.attrs.filter(({ name }) => name !== 'data-control');
    });
  const main = all.find(({ tagName }) => tagName === 'main');
  const name = main === undefined ? null : attribute(main, 'data-page');
  if (main === undefined || name === null) {
    throw new NudgeLabError('driver-failed', {
      message: 'The response is not a page of the mock server: it has no main element with data-page.',
    });
  }
  const elements = listElements(main);
  const alert = elements.find((one) => attribute(one, 'role') === 'alert' && textOf(one) !== '');
  const upgrade = elements.find((one) => attribute(one, 'data-upgrade') !== null);
  const links = elements.filter((one) => one.tagName === 'a' && attribute(one, 'data-control') !== null);
  const signals = attribute(main, 'data-signals');
  return {
    name,
    signInId: attribute(main, 'data-sign-in'),
    snoozesLeft: wholeNumber(attribute(main, 'data-snoozes-left')),
    error: alert === undefined ? null : textOf(alert),
    forms: elements.filter(({ tagName }) => tagName === 'form').map(parseForm),
    links: Object.fromEntries(links.map((link) => [attribute(link, 'data-control'), attribute(link, 'href') ?? ''])),
    number: elements.map((one) => attribute(one, 'data-number')).find((number) => number !== null) ?? null,
    hasBeacon: attribute(main, 'data-leave') !== null,
    signals: signals === null ? null : JSON.parse(signals),
    upgrade: upgrade === undefined ? null : parseUpgrade(upgrade),
  };
}

/** Whether a page has a button or a field of this stable name. */
export function hasControl({ forms }: ParsedPage, control: string): boolean {
  return forms.some(({ buttons, fields }) => [...buttons, ...fields].some((one) => one.control === control));
}

/** Finds a button by its stable name, with its form; `null` when the page does not have it. */
export function findButton(page: ParsedPage, control: string): { form: ParsedForm; button: ParsedField } | null {
  for (const form of page.forms) {
    const button = form.buttons.find((one) => one.control === control);
    if (button !== undefined) return { form, button };
  }
  return null;
}

/** What a user enters into a form. */
export interface FormEntries {
  /** Texts by the stable names of their fields. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The value of the option that is chosen; the one that is checked unless given. */
  readonly choice?: string;
}

/**
 * Builds the body that a browser sends when a button is pressed. Throws `driver-failed` for a field or an option that the form
 * does not have.
 */
export function buildFormBody(form: ParsedForm, button: ParsedField, { texts = {}, choice }: FormEntries): string {
  for (const control of Object.keys(texts)) {
    if (form.fields.some((field) => field.control === control)) continue;
    throw new NudgeLabError('driver-failed', { message: `The page has no field "${control}".` });
  }
  const body = new URLSearchParams();
  for (const { name, control, value } of form.fields) {
    body.append(name, (control === null ? undefined : texts[control]) ?? value);
  }
  const chosen = form.choices.find(({ value, checked }) => (choice === undefined ? checked : value === choice));
  if (choice !== undefined && chosen === undefined) {
    throw new NudgeLabError('driver-failed', { message: `The page has no option "${choice}".` });
  }
  if (chosen !== undefined) body.append(chosen.name, chosen.value);
  if (button.name !== '') body.append(button.name, button.value);
  return body.toString();
}

function parseForm(form: Element): ParsedForm {
  const elements = listElements(form);
  const inputs = elements.filter(({ tagName }) => tagName === 'input');
  const isRadio = (input: Element): boolean => attribute(input, 'type') === 'radio';
  return {
    ceremony: attribute(form, 'data-options'),
    action: attribute(form, 'action') ?? '',
    fields: [
      ...inputs.filter((input) => !isRadio(input)).map((input) => parseField(input)),
      ...elements
        .filter(({ tagName }) => tagName === 'select')
        .map((select) => parseField(select, selectedOption(select))),
    ],
    choices: inputs.filter(isRadio).map((radio) => ({
      name: attribute(radio, 'name') ?? '',
      value: attribute(radio, 'value') ?? '',
      checked: attribute(radio, 'checked') !== null,
    })),
    buttons: elements.filter(({ tagName }) => tagName === 'button').map((button) => parseField(button)),
  };
}

function parseField(element: Element, value = attribute(element, 'value') ?? ''): ParsedField {
  return { control: attribute(element, 'data-control'), name: attribute(element, 'name') ?? '', value };
}

/** A browser sends the option that is marked, or else the first one. */
function selectedOption(select: Element): string {
  const options = listElements(select).filter(({ tagName }) => tagName === 'option');
  const selected = options.find((option) => attribute(option, 'selected') !== null) ?? options[0];
  return selected === undefined ? '' : (attribute(selected, 'value') ?? textOf(selected));
}

function parseUpgrade(element: Element): ParsedUpgrade {
  return {
    options: JSON.parse(attribute(element, 'data-upgrade') ?? ''),
    action: attribute(element, 'data-address') ?? '',
    formToken: attribute(element, 'data-token') ?? '',
  };
}

/** Lists the elements below a node in document order. */
function listElements(node: Node): readonly Element[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return children.flatMap((child) => ('tagName' in child ? [child, ...listElements(child)] : []));
}

function attribute({ attrs }: Element, name: string): string | null {
  return attrs.find((one) => one.name === name)?.value ?? null;
}

/** The text of an element without line breaks and repeated spaces. */
function textOf(element: Element): string {
  return contentOf(element).replaceAll(/\s+/g, ' ').trim();
}

function contentOf(node: Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value;
  return 'childNodes' in node ? node.childNodes.map(contentOf).join('') : '';
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
