import { type HTMLElement, parse } from 'node-html-parser';
import type { CreationOptionsJson, SignalsJson } from '../../../authenticators/webauthn-json.ts';
import { NudgeLabError } from '../../../core/errors.ts';

/** A field of a form, with the label that a person reads; hidden ones have none. */
export interface ShownField {
  readonly name: string;
  readonly label: string | null;
  readonly value: string;
}

/** A button of a form by its text. */
export interface ShownButton {
  readonly label: string;
  readonly name: string | null;
  readonly value: string;
}

/** One of several that exclude each other; a browser sends the one that is marked. */
export interface ShownChoice extends ShownButton {
  readonly name: string;
  readonly checked: boolean;
}

export interface ShownForm {
  /** What its button asks the browser for, as JSON of WebAuthn; `null` where it asks for no passkey. */
  readonly ceremony: string | null;
  /** Where it goes, as the page says it. */
  readonly address: string;
  readonly fields: readonly ShownField[];
  readonly choices: readonly ShownChoice[];
  readonly buttons: readonly ShownButton[];
}

/** What a page offers, read from its HTML alone. */
export interface ShownPage {
  /** Name of the page, from `data-page`. */
  readonly name: string;
  readonly signInId: string | null;
  /** Snoozes that the page says are left; `null` where it says none or that there is no limit. */
  readonly snoozesLeft: number | null;
  /** The message of what went wrong, as a screen reader would announce it. */
  readonly error: string | null;
  readonly forms: readonly ShownForm[];
  readonly links: readonly { readonly label: string; readonly address: string }[];
  /** The number to enter on the phone; `null` where the page shows none. */
  readonly number: string | null;
  /** What the page tells authenticators; `null` where it tells them nothing. */
  readonly signals: SignalsJson | null;
  /** The passkey that the browser is to create by itself; `null` where none is asked for. */
  readonly upgrade: ShownUpgrade | null;
}

/** What the script of a page needs to have the browser create a passkey by itself. */
export interface ShownUpgrade {
  readonly options: CreationOptionsJson;
  /** Where the answer goes, as the page says it. */
  readonly address: string;
  readonly formToken: string;
}

/** Reads a page. Takes the document. Throws `driver-failed` when it is no page of a sign-in server. */
export function readPage(document: string): ShownPage {
  const text = mainPartOf(document);
  const main = parse(text).getElementsByTagName('main')[0];
  const name = main?.getAttribute('data-page');
  if (main === undefined || name === undefined) {
    throw new NudgeLabError('driver-failed', {
      message: 'The answer is no page: it has no main part with a data-page.',
    });
  }
  const tagged = elementsOf(main);
  const alert = tagged('p').find((element) => element.getAttribute('role') === 'alert' && element.text.trim() !== '');
  return {
    name,
    signInId: main.getAttribute('data-sign-in') ?? null,
    snoozesLeft: wholeNumber(main.getAttribute('data-snoozes-left')),
    error: alert === undefined ? null : alert.text.trim(),
    forms: tagged('form').map(readForm),
    links: tagged('a').map((link) => ({ label: link.text.trim(), address: link.getAttribute('href') ?? '' })),
    // Most pages show none, and looking for one reads the attributes of every element.
    number: text.includes('data-number') ? numberShown(main) : null,
    signals: main.hasAttribute('data-signals') ? JSON.parse(main.getAttribute('data-signals') ?? '') : null,
    upgrade: text.includes('data-upgrade') ? upgradeShown(main) : null,
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

/** The elements of a part by their tag, found in one walk: each further walk takes as long as the first. */
function elementsOf(part: HTMLElement): (tag: string) => readonly HTMLElement[] {
  const byTag = Map.groupBy(part.getElementsByTagName('*'), ({ rawTagName }) => rawTagName.toLowerCase());
  return (tag) => byTag.get(tag) ?? [];
}

function numberShown(main: HTMLElement): string | null {
  return main.querySelector('[data-number]')?.getAttribute('data-number') ?? null;
}

/** What may stand before the main part and hold a text that only looks like one. */
const misleading = /<!--|<(?:script|style|template|noscript|textarea|iframe)\b/i;

/** Whether a title begins that does not end. */
function hasOpenTitle(text: string): boolean {
  const begin = [...text.matchAll(/<title\b/gi)].at(-1)?.index;
  return begin !== undefined && !/<\/title/i.test(text.slice(begin));
}

/** The text of the main part, which is all that is read; the whole document where a plain search might be misled. */
function mainPartOf(document: string): string {
  const begin = document.search(/<main[\s>]/i);
  const end = document.lastIndexOf('</main>');
  if (begin === -1 || end < begin || misleading.test(document.slice(0, begin))) return document;
  if (hasOpenTitle(document.slice(0, begin))) return document;
  return document.slice(begin, end + '</main>'.length);
}

/** A button by its text, with the form it is in; `null` when the page does not have it. */
export function findButton(page: ShownPage, label: string): { form: ShownForm; button: ShownButton } | null {
  for (const form of page.forms) {
    const button = form.buttons.find((one) => one.label === label);
    if (button !== undefined) return { form, button };
  }
  return null;
}

/**
 * The body that a browser sends when a button is pressed. Takes what was typed, by the label of its field, and the label of
 * the choice that was made; `null` leaves what is marked. Throws `driver-failed` for a label that the form does not have.
 */
export function encodeForm(
  form: ShownForm,
  button: ShownButton,
  typed: Readonly<Record<string, string>>,
  chosen: string | null = null,
): string {
  for (const label of Object.keys(typed)) {
    if (form.fields.some((field) => field.label === label)) continue;
    throw new NudgeLabError('driver-failed', { message: `The page has no field "${label}".` });
  }
  const body = new URLSearchParams();
  for (const { name, label, value } of form.fields) body.append(name, (label === null ? null : typed[label]) ?? value);
  const choice = form.choices.find(({ label, checked }) => (chosen === null ? checked : label === chosen));
  if (chosen !== null && choice === undefined) {
    throw new NudgeLabError('driver-failed', { message: `The page has no choice "${chosen}".` });
  }
  if (choice !== undefined) body.append(choice.name, choice.value);
  if (button.name !== null) body.append(button.name, button.value);
  return body.toString();
}

function readForm(form: HTMLElement): ShownForm {
  const tagged = elementsOf(form);
  const labels = new Map(tagged('label').map((label) => [label.getAttribute('for'), label.text.trim()] as const));
  const labelOf = (element: HTMLElement): string | null => {
    const id = element.getAttribute('id');
    return id === undefined ? null : (labels.get(id) ?? null);
  };
  const [radios, others] = parted(tagged('input'), isRadio);
  const inputs = others.map((input) => ({
    name: input.getAttribute('name') ?? '',
    label: labelOf(input),
    value: input.getAttribute('value') ?? '',
  }));
  const selects = tagged('select').map((select) => ({
    name: select.getAttribute('name') ?? '',
    label: labelOf(select),
    value: chosenOption(select),
  }));
  return {
    ceremony: form.getAttribute('data-options') ?? null,
    address: form.getAttribute('action') ?? '',
    fields: [...inputs, ...selects],
    choices: radios.map((radio) => ({
      name: radio.getAttribute('name') ?? '',
      label: labelOf(radio) ?? radio.closest('label')?.text.trim() ?? '',
      value: radio.getAttribute('value') ?? '',
      checked: radio.hasAttribute('checked'),
    })),
    buttons: tagged('button').map((button) => ({
      label: button.text.trim(),
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

/** A browser chooses the option that is marked, or else the first one. */
function chosenOption(select: HTMLElement): string {
  const options = select.getElementsByTagName('option');
  const chosen = options.find((option) => option.hasAttribute('selected')) ?? options[0];
  return chosen?.getAttribute('value') ?? chosen?.text.trim() ?? '';
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}
