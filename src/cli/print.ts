/**
 * Single writer of all printed text. Names, keys and titles come from external files and servers. They must not be
 * able to move the terminal cursor, start a new line, or send a command to the CI service.
 */
import { visibleCharacter, visibleValues } from '../core/visible-text.ts';
import type { TextSink } from './context.ts';

/** Invisible characters other than line breaks. */
const hiddenInLines = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** Escape sequences that `styleText` writes for a palette. Only terminals receive them. */
const emphasis = new RegExp(`(${'\u001b'}\\[(?:1|2|22|31|32|33|39)m)`);

/** CI command at the start of a line, such as `::stop-commands::word`. CI services ignore leading spaces. */
const commandAtStart = /^([^\S\r\n\u2028\u2029]*)::/gm;

/** CI command anywhere in a line, such as `##[add-mask]`, `##vso[task.complete]` or `##teamcity[testFinished]`. */
const commandAnywhere = /##(\w*\[)/g;

/** Invisible characters that JSON does not escape. */
const hiddenInJson = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const clearLine = '\r\u001b[2K';
const clearScreen = '\u001b[2J\u001b[H';

/**
 * Function that formats data as lines. All text in the data is already escaped. A list is printed as one line per
 * item.
 */
export type Render<T> = (visible: T) => string | readonly string[];

/**
 * Prints text for people. Every character of the data is made visible, so only the renderer can add line breaks and
 * emphasis.
 * @param data - data for the renderer
 * @param render - function that formats the data as lines
 * @returns `false` if the receiver is behind
 */
export function print<T>(sink: TextSink, data: T, render: Render<T>): boolean {
  return sink.write(inertLines(rendered(data, render), sink.isTty));
}

/**
 * Prints a value as JSON on one line, or indented. Escapes leave the value unchanged but prevent CI commands and
 * invisible characters.
 */
export function printJson(sink: TextSink, value: unknown, indent?: number): boolean {
  return sink.write(`${inertJson(JSON.stringify(value, null, indent))}\n`);
}

/** Prints existing lines of JSON, such as those of a log. */
export function printJsonLines(sink: TextSink, lines: string): boolean {
  return sink.write(inertJson(lines));
}

/** Prints the content of a file byte for byte, because another program needs it unchanged. */
export function printFile(sink: TextSink, text: string): boolean {
  return sink.write(text);
}

/** Prints commands for the CI service, one per line. */
export function printCommands<T>(sink: TextSink, data: T, render: (visible: T) => readonly string[]): void {
  const commands = render(visibleValues(data));
  const inert = (text: string): string =>
    text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, visibleCharacter).replace(commandAnywhere, '#\\#$1');
  sink.write(commands.map((command) => `${inert(command)}\n`).join(''));
}

/** Replaces the last line of a terminal. The next output replaces it again. */
export function printOver<T>(sink: TextSink, data: T, render: (visible: T) => string): void {
  sink.write(`${clearLine}${inertLines(render(visibleValues(data)), true)}`);
}

/** Clears the line that `printOver` wrote. */
export function clearOver(sink: TextSink): void {
  sink.write(clearLine);
}

/** Replaces the whole terminal screen. */
export function printScreen<T>(sink: TextSink, data: T, render: Render<T>): void {
  sink.write(`${clearScreen}${inertLines(rendered(data, render), true)}`);
}

function rendered<T>(data: T, render: Render<T>): string {
  const text = render(visibleValues(data));
  return typeof text === 'string' ? text : text.map((line) => `${line}\n`).join('');
}

/** Escapes CI commands and invisible characters in lines. Emphasis is kept only if it is requested. */
function inertLines(text: string, emphasized: boolean): string {
  // Parts at odd indexes are the matches of the expression.
  const parts = emphasized ? text.split(emphasis) : [text];
  const seen = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(hiddenInLines, visibleCharacter)));
  return seen.join('').replace(commandAtStart, '$1\\::').replace(commandAnywhere, '#\\#$1');
}

function inertJson(text: string): string {
  const escaped = text.replace(hiddenInJson, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return escaped.replace(commandAnywhere, '#\\u0023$1');
}
