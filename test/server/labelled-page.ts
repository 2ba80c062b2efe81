import { type HTMLElement, parse } from 'node-html-parser';
import type { CreationOptionsJson, SignalsJson } from '../../src/authenticators/webauthn-json.ts';
import { arabic } from '../../src/server/identity/texts/arabic.ts';
import { english, type TextKey } from '../../src/server/identity/texts/english.ts';

/** English label for each Arabic one, so a test uses the same name for a control in both languages. */
const englishLabels: ReadonlyMap<string, string> = new Map(
  (Object.keys(english) as TextKey[]).map((key) => [arabic[key], english[key]]),
);

function inEnglish(label: string): string {
  return englishLabels.get(label) ?? label;
}

/** Form field with its visible label. Hidden fields have no label. */
export interface ShownField {
  readonly name: string;
  readonly label: string | null;
  readonly value: string;
}

/** Form button, identified by its text. */
export interface ShownButton {
  readonly label: string;
  readonly control?: string | null;
  readonly name: string | null;
  readonly value: string;
}

/** Option of a mutually exclusive group. A browser sends the marked option. */
export interface ShownChoice extends ShownButton {
  readonly name: string;
  readonly checked: boolean;
}

export interface ShownForm {
  /** WebAuthn options that the button passes to the browser, as JSON. `null` if the button starts no ceremony. */
  readonly ceremony: string | null;
  /** Target of the form or link, as written in the page. */
  readonly address: string;
  readonly fields: readonly ShownField[];
  readonly choices: readonly ShownChoice[];
  readonly buttons: readonly ShownButton[];
}

/** Content of a page, read only from its HTML. */
export interface ShownPage {
  /** Name of the page, from `data-page`. */
  readonly name: string;
  readonly signInId: string | null;
  /** Snoozes left according to the page. `null` if the page shows no number or snoozes are unlimited. */
  readonly snoozesLeft: number | null;
  /** Error message, as a screen reader would announce it. */
  readonly error: string | null;
  readonly forms: readonly ShownForm[];
  readonly links: readonly { readonly label: string; readonly address: string }[];
  /** Number to enter on the phone. `null` if the page shows none. */
  readonly number: string | null;
  /** Signals that the page sends to authenticators. `null` if it sends none. */
  readonly signals: SignalsJson | null;
  /** Passkey that the browser creates automatically. `null` if the page requests none. */
  readonly upgrade: ShownUpgrade | null;
}

/** Data that the page script needs for an automatic passkey creation. */
export interface ShownUpgrade {
  readonly options: CreationOptionsJson;
  /** Target of the authenticator response, as written in the page. */
  readonly address: string;
  readonly formToken: string;
}

/** Parses a page document by its visible labels, unlike the drivers. */
export function readPage(document: string): ShownPage {
  const main = parse(document).getElementsByTagName('main')[0];
  const name = main?.getAttribute('data-page');
  if (main === undefined || name === undefined) {
    throw new Error('The response is not a page: it has no main element with data-page.');
  }
  const tagged = createFinder(main);
  const alert = tagged('p').find((element) => element.getAttribute('role') === 'alert' && element.text.trim() !== '');
  return {
    name,
    signInId: main.getAttribute('data-sign-in') ?? null,
    snoozesLeft: wholeNumber(main.getAttribute('data-snoozes-left')),
    error: alert === undefined ? null : alert.text.trim(),
    forms: tagged('form').map(readForm),
    links: tagged('a').map((link) => ({
      label: inEnglish(link.text.trim()),
      address: link.getAttribute('href') ?? '',
    })),
    number: numberShown(main),
    signals: main.hasAttribute('data-signals') ? JSON.parse(main.getAttribute('data-signals') ?? '') : null,
    upgrade: upgradeShown(main),
  };
}

function upgradeShown(main: HTMLElement): ShownUpgrade | null {
  const place = main.querySelector('[data-upgrade]');
  if (place === null) return null;
  return {
    options: JSON.parse(place.getAttribute('data-upgrade') ?? ''),
    address: place.getAttribute('data-address') ?? '',
    formToken: place.getAttribute('data-token') ?? '',
  };
}

/**
 * Indexes the elements of a subtree by tag in one traversal, because each further traversal takes as long as the
 * first.
 */
function createFinder(part: HTMLElement): (tag: string) => readonly HTMLElement[] {
  const byTag = Map.groupBy(part.getElementsByTagName('*'), ({ rawTagName }) => rawTagName.toLowerCase());
  return (tag) => byTag.get(tag) ?? [];
}

function numberShown(main: HTMLElement): string | null {
  return main.querySelector('[data-number]')?.getAttribute('data-number') ?? null;
}

/** Finds a button by its text or its stable name, with its form. Returns `null` if the page does not have it. */
export function findButton(page: ShownPage, label: string): { form: ShownForm; button: ShownButton } | null {
  for (const form of page.forms) {
    const button = form.buttons.find((one) => one.label === label || one.control === label);
    if (button !== undefined) return { form, button };
  }
  return null;
}

/**
 * Builds the body that a browser sends when a button is pressed. Typed texts are given by field label and the
 * selected option by its label. With `null`, the marked option is used.
 */
export function createBody(
  form: ShownForm,
  button: ShownButton,
  typed: Readonly<Record<string, string>>,
  chosen: string | null = null,
): string {
  for (const label of Object.keys(typed)) {
    if (form.fields.some((field) => field.label === label)) continue;
    throw new Error(`The page has no field "${label}".`);
  }
  const body = new URLSearchParams();
  for (const { name, label, value } of form.fields) body.append(name, (label === null ? null : typed[label]) ?? value);
  const choice = form.choices.find(({ label, checked }) => (chosen === null ? checked : label === chosen));
  if (chosen !== null && choice === undefined) {
    throw new Error(`The page has no choice "${chosen}".`);
  }
  if (choice !== undefined) body.append(choice.name, choice.value);
  if (button.name !== null) body.append(button.name, button.value);
  return body.toString();
}

function readForm(form: HTMLElement): ShownForm {
  const tagged = createFinder(form);
  const labels = new Map(
    tagged('label').map((label) => [label.getAttribute('for'), inEnglish(label.text.trim())] as const),
  );
  const findLabel = (element: HTMLElement): string | null => {
    const id = element.getAttribute('id');
    return id === undefined ? null : (labels.get(id) ?? null);
  };
  const [radios, others] = parted(tagged('input'), isRadio);
  const inputs = others.map((input) => ({
    name: input.getAttribute('name') ?? '',
    label: findLabel(input),
    value: input.getAttribute('value') ?? '',
  }));
  const selects = tagged('select').map((select) => ({
    name: select.getAttribute('name') ?? '',
    label: findLabel(select),
    value: chosenOption(select),
  }));
  return {
    ceremony: form.getAttribute('data-options') ?? null,
    address: form.getAttribute('action') ?? '',
    fields: [...inputs, ...selects],
    choices: radios.map((radio) => ({
      name: radio.getAttribute('name') ?? '',
      label: findLabel(radio) ?? radio.closest('label')?.text.trim() ?? '',
      value: radio.getAttribute('value') ?? '',
      checked: radio.hasAttribute('checked'),
    })),
    buttons: tagged('button').map((button) => ({
      label: inEnglish(button.text.trim()),
      control: button.getAttribute('data-control') ?? null,
      name: button.getAttribute('name') ?? null,
      value: button.getAttribute('value') ?? '',
    })),
  };
}

function isRadio(input: HTMLElement): boolean {
  return input.getAttribute('type') === 'radio';
}

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Returns the marked option, or the first one if none is marked, as a browser does. */
function chosenOption(select: HTMLElement): string {
  const options = select.getElementsByTagName('option');
  const chosen = options.find((option) => option.hasAttribute('selected')) ?? options[0];
  return chosen?.getAttribute('value') ?? chosen?.text.trim() ?? '';
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}
