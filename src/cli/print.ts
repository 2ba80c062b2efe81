/**
 * The one writer of what the program prints. Names, keys and titles come from files and servers of others: none of them may move the
 * cursor of a terminal, begin a line that it does not stand on, or command the service that runs a job.
 */
import { visibleCharacter, visibleValues } from '../core/visible-text.ts';
import type { TextSink } from './context.ts';

/** What is seen nowhere, but for the end of a line. */
const hiddenInLines = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

/** What `styleText` writes for the words of a palette, which only terminals are given. */
const emphasis = new RegExp(`(${'\u001b'}\\[(?:1|2|22|31|32|33|39)m)`);

/** Services read commands at the beginning of a line, blanks before it left out: `::stop-commands::word`. */
const commandAtStart = /^([^\S\r\n\u2028\u2029]*)::/gm;

/** And others wherever they stand: `##[add-mask]`, `##vso[task.complete]`, `##teamcity[testFinished]`. */
const commandAnywhere = /##(\w*\[)/g;

/** What JSON leaves as it is though it is not seen. */
const hiddenInJson = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const clearLine = '\r\u001b[2K';
const clearScreen = '\u001b[2J\u001b[H';

/** Makes lines of data, all of whose texts are visible. A list is printed a line each. */
export type Render<T> = (visible: T) => string | readonly string[];

/**
 * Prints text for people. Takes the data that the text is about, of which every character is made visible, and what makes lines of them:
 * line breaks and emphasis are its own alone. Returns false when the receiver is behind.
 */
export function print<T>(sink: TextSink, data: T, render: Render<T>): boolean {
  return sink.write(inertLines(rendered(data, render), sink.isTty));
}

/** Prints a value as JSON on one line, or indented. The value is the same to anyone who reads it; nothing in it is a command or unseen. */
export function printJson(sink: TextSink, value: unknown, indent?: number): boolean {
  return sink.write(`${inertJson(JSON.stringify(value, null, indent))}\n`);
}

/** Prints lines of JSON that are made already, such as those of a log. */
export function printJsonLines(sink: TextSink, lines: string): boolean {
  return sink.write(inertJson(lines));
}

/** Prints what a file would hold, byte for byte: for another program, which has to get it as it is. */
export function printFile(sink: TextSink, text: string): boolean {
  return sink.write(text);
}

/** Prints commands for the service that runs a job, one a line. */
export function printCommands<T>(sink: TextSink, data: T, render: (visible: T) => readonly string[]): void {
  const commands = render(visibleValues(data));
  const inert = (text: string): string =>
    text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, visibleCharacter).replace(commandAnywhere, '#\\#$1');
  sink.write(commands.map((command) => `${inert(command)}\n`).join(''));
}

/** Writes over the last line of a terminal; the next writing takes its place. */
export function printOver<T>(sink: TextSink, data: T, render: (visible: T) => string): void {
  sink.write(`${clearLine}${inertLines(render(visibleValues(data)), true)}`);
}

/** Takes away what `printOver` wrote. */
export function clearOver(sink: TextSink): void {
  sink.write(clearLine);
}

/** Writes over all of a terminal. */
export function printScreen<T>(sink: TextSink, data: T, render: Render<T>): void {
  sink.write(`${clearScreen}${inertLines(rendered(data, render), true)}`);
}

function rendered<T>(data: T, render: Render<T>): string {
  const text = render(visibleValues(data));
  return typeof text === 'string' ? text : text.map((line) => `${line}\n`).join('');
}

/** Lines in which nothing is a command, and nothing unseen but emphasis where that is wanted. */
function inertLines(text: string, emphasized: boolean): string {
  // Parts at odd places are what the expression caught.
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
