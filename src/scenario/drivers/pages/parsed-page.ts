import { HTMLElement, parse } from 'node-html-parser';
import type { CreationOptionsJson, SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { findAnswerId } from '../../../contract/page-controls.ts';
import { NudgeLabError } from '../../../core/errors.ts';

/** Field of a form. */
export interface ParsedField {
  /** Stable name of the field, or `null` if it is hidden. */
  readonly control: string | null;
  readonly name: string;
  readonly value: string;
  /** Text of a button, or of the label of a field. `null` if it has none. */
  readonly label: string | null;
}

/** Option of a group of which only one can be selected. A browser sends the selected one. */
export interface ParsedChoice {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
}

/** Form without its disabled controls, which a browser neither sends nor lets a user press. */
export interface ParsedForm {
  /** WebAuthn options of the button's ceremony as JSON, or `null` if it starts none. */
  readonly ceremony: string | null;
  /** Target of the form, as written on the page. */
  readonly action: string;
  readonly fields: readonly ParsedField[];
  readonly choices: readonly ParsedChoice[];
  /** Boxes to check. A browser sends only the checked ones. */
  readonly boxes: readonly (ParsedField & { readonly checked: boolean })[];
  readonly buttons: readonly ParsedField[];
}

/** Data that the script of a page needs for automatic passkey creation. */
export interface ParsedUpgrade {
  readonly options: CreationOptionsJson;
  /** Target of the response, as written on the page. */
  readonly action: string;
  readonly formToken: string;
}

/** Content of a page, parsed only from its HTML. */
export interface ParsedPage {
  /** Name of the page, from `data-page`. */
  readonly name: string;
  readonly signInId: string | null;
  /** Number of snoozes left as shown on the page, or `null` if it shows none. */
  readonly snoozesLeft: number | null;
  /** Error message as a screen reader would announce it, or `null` if there is none. */
  readonly error: string | null;
  readonly forms: readonly ParsedForm[];
  /** URLs of links by their stable names. */
  readonly links: Readonly<Record<string, string>>;
  /** Number to enter on the phone, or `null` if the page shows none. */
  readonly number: string | null;
  /** True if the page sends an unload beacon. */
  readonly hasBeacon: boolean;
  /** Signals to authenticators, or `null` if there are none. */
  readonly signals: SignalsJson | null;
  /** Passkey that the browser should create automatically, or `null` if none is requested. */
  readonly upgrade: ParsedUpgrade | null;
}

/** Elements whose content is text, as in browsers, and whether it is kept. */
const textElements = Object.entries({
  ...{ script: false, style: false, noscript: false, template: false, iframe: false },
  ...{ textarea: true, title: true },
});

/**
 * Parses a page. Throws `driver-failed` for a document that is not a page of a sign-in server.
 *
 * @param document - HTML of the page
 * @param hidden - positions of the hidden controls among all controls, which get no name
 */
export function parsePage(document: string, hidden: ReadonlySet<number> = new Set()): ParsedPage {
  const all = listElements(parseElements(hidden.size === 0 ? getMainPart(document) : document));
  const controls = hidden.size === 0 ? [] : all.filter((one) => attribute(one, 'data-control') !== null);
  for (const position of hidden) controls[position]?.removeAttribute('data-control');
  const main = all.find(isNamed('main'));
  const name = main === undefined ? null : attribute(main, 'data-page');
  if (main === undefined || name === null) {
    throw new NudgeLabError('driver-failed', {
      message: 'The response is not a page of the mock server: it has no main element with data-page.',
    });
  }
  const elements = listElements(main);
  const alert = elements.find((one) => attribute(one, 'role') === 'alert' && getText(one) !== '');
  const upgrade = elements.find((one) => attribute(one, 'data-upgrade') !== null);
  const links = elements.filter((one) => isNamed('a')(one) && attribute(one, 'data-control') !== null);
  const signals = attribute(main, 'data-signals');
  return {
    name,
    signInId: attribute(main, 'data-sign-in'),
    snoozesLeft: wholeNumber(attribute(main, 'data-snoozes-left')),
    error: alert === undefined ? null : getText(alert),
    forms: elements.filter(isNamed('form')).map(parseForm),
    links: Object.fromEntries(links.map((link) => [attribute(link, 'data-control'), attribute(link, 'href') ?? ''])),
    number: elements.map((one) => attribute(one, 'data-number')).find((number) => number !== null) ?? null,
    hasBeacon: attribute(main, 'data-leave') !== null,
    signals: signals === null ? null : JSON.parse(signals),
    upgrade: upgrade === undefined ? null : parseUpgrade(upgrade),
  };
}

/** Returns true if a page has a button or a field with this stable name. */
export function hasControl({ forms }: ParsedPage, control: string): boolean {
  return forms.some(({ buttons, fields }) => [...buttons, ...fields].some((one) => one.control === control));
}

/** Returns the ids of the answers of an own campaign that a page offers, in the order of its buttons. */
export function listAnswers({ forms }: ParsedPage): readonly string[] {
  return forms.flatMap(({ buttons }) => buttons.flatMap(({ control }) => findAnswerId(control ?? '') ?? []));
}

/** Returns the button with a stable name and its form, or `null` if the page has no such button. */
export function findButton(page: ParsedPage, control: string): { form: ParsedForm; button: ParsedField } | null {
  for (const form of page.forms) {
    const button = form.buttons.find((one) => one.control === control);
    if (button !== undefined) return { form, button };
  }
  return null;
}

/** Values that a user enters into a form. */
export interface FormEntries {
  /** Texts by the stable names of their fields. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Value of the option to select. The default is the option that is already selected. */
  readonly choice?: string;
  /** Stable names of the boxes to check. */
  readonly checks?: readonly string[];
}

/**
 * Builds the body that a browser sends when a button is pressed. Throws `driver-failed` for a field or an option
 * that the form does not have.
 */
export function buildFormBody(
  form: ParsedForm,
  button: ParsedField,
  { texts = {}, choice, checks = [] }: FormEntries,
): string {
  for (const control of Object.keys(texts)) {
    if (form.fields.some((field) => field.control === control)) continue;
    throw new NudgeLabError('driver-failed', { message: `The page has no field "${control}".` });
  }
  if (choice !== undefined && !form.choices.some(({ value }) => value === choice)) {
    throw new NudgeLabError('driver-failed', { message: `The page has no option "${choice}".` });
  }
  const groups = [...Map.groupBy(form.choices, ({ name }) => name).values()];
  const chosen = groups.flatMap(
    (options) => options.find(({ value }) => value === choice) ?? options.find(({ checked }) => checked) ?? [],
  );
  const sent: readonly { readonly name: string; readonly value: string }[] = [
    ...form.fields.map(({ name, control, value }) => ({ name, value: texts[control ?? ''] ?? value })),
    ...chosen,
    ...form.boxes.filter(({ control, checked }) => checked || checks.includes(control ?? '')),
    button,
  ];
  const body = new URLSearchParams();
  for (const { name, value } of sent) if (name !== '') body.append(name, value.replaceAll(/\r\n|\r|\n/g, '\r\n'));
  return body.toString();
}

/**
 * Returns only the main element, because parsing the rest takes longer, or the whole document if there may be another one. Pages
 * of the server have exactly one, at the start of a line.
 */
function getMainPart(document: string): string {
  const start = document.indexOf('\n<main ');
  const end = document.indexOf('</main>', start);
  const isOnly = document.match(/<\/?main[\s>]/gi)?.length === 2;
  return start < 0 || end < 0 || !isOnly ? document : document.slice(start, end);
}

/**
 * Parses names in any case and elements that are never closed, as browsers do. The library compares every tag with the names of
 * the text elements, so it is given only the names that occur in the document.
 */
function parseElements(document: string): HTMLElement {
  const text = document.toLowerCase();
  const blockTextElements = Object.fromEntries(textElements.filter(([name]) => text.includes(`<${name}`)));
  return parse(document, { lowerCaseTagName: true, parseNoneClosedTags: true, blockTextElements });
}

function parseForm(form: HTMLElement): ParsedForm {
  const elements = listElements(form, isDisabled);
  const inputs = elements.filter(isNamed('input'));
  const byType = Map.groupBy(inputs, (input) => {
    const type = attribute(input, 'type')?.toLowerCase();
    return type === 'radio' || type === 'checkbox' ? type : 'text';
  });
  const labels = new Map(elements.filter(isNamed('label')).map((label) => [attribute(label, 'for'), getText(label)]));
  const findLabel = (field: HTMLElement): string | null => {
    const id = attribute(field, 'id');
    return id === null ? null : (labels.get(id) ?? null);
  };
  const isChecked = (input: HTMLElement): boolean => attribute(input, 'checked') !== null;
  return {
    ceremony: attribute(form, 'data-options'),
    action: attribute(form, 'action') ?? '',
    fields: [
      ...(byType.get('text') ?? []).map((input) => parseField(input, findLabel(input))),
      ...elements.filter(isNamed('textarea')).map((area) => parseField(area, findLabel(area), area.textContent)),
      ...elements
        .filter(isNamed('select'))
        .map((select) => parseField(select, findLabel(select), selectedOption(select))),
    ],
    choices: (byType.get('radio') ?? []).map((radio) => ({
      name: attribute(radio, 'name') ?? '',
      value: attribute(radio, 'value') ?? '',
      checked: isChecked(radio),
    })),
    boxes: (byType.get('checkbox') ?? []).map((box) => ({
      ...parseField(box, findLabel(box)),
      checked: isChecked(box),
    })),
    buttons: elements.filter(isNamed('button')).map((button) => parseField(button, getText(button))),
  };
}

const controlNames: ReadonlySet<string> = new Set(['button', 'input', 'select', 'textarea', 'fieldset']);

function isDisabled(element: HTMLElement): boolean {
  return controlNames.has(element.rawTagName) && attribute(element, 'disabled') !== null;
}

function parseField(
  element: HTMLElement,
  label: string | null,
  value = attribute(element, 'value') ?? '',
): ParsedField {
  return { control: attribute(element, 'data-control'), name: attribute(element, 'name') ?? '', value, label };
}

/** Returns the option that a browser sends: the one marked as selected, or the first one. */
function selectedOption(select: HTMLElement): string {
  const options = listElements(select).filter(isNamed('option'));
  const selected = options.find((option) => attribute(option, 'selected') !== null) ?? options[0];
  return selected === undefined ? '' : (attribute(selected, 'value') ?? getText(selected));
}

function parseUpgrade(element: HTMLElement): ParsedUpgrade {
  return {
    options: JSON.parse(attribute(element, 'data-upgrade') ?? ''),
    action: attribute(element, 'data-address') ?? '',
    formToken: attribute(element, 'data-token') ?? '',
  };
}

/** Lists the elements below another one in document order, without the given ones and what they contain. */
function listElements(
  parent: HTMLElement,
  isLeftOut: (element: HTMLElement) => boolean = () => false,
  list: HTMLElement[] = [],
): readonly HTMLElement[] {
  for (const node of parent.childNodes) {
    if (!(node instanceof HTMLElement) || isLeftOut(node)) continue;
    list.push(node);
    listElements(node, isLeftOut, list);
  }
  return list;
}

function isNamed(name: string): (element: HTMLElement) => boolean {
  return ({ rawTagName }) => rawTagName === name;
}

/** Reads an attribute. Most elements lack it, and then the attributes are not parsed. */
function attribute(element: HTMLElement, name: string): string | null {
  return element.rawAttrs.toLowerCase().includes(name) ? (element.getAttribute(name) ?? null) : null;
}

/** Returns the text of an element without line breaks and repeated spaces. */
function getText(element: HTMLElement): string {
  return element.textContent.replaceAll(/\s+/g, ' ').trim();
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
