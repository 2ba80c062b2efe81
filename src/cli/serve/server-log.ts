import { resolve } from 'node:path';
import type { DestinationStream, Logger } from 'pino';
import { NudgeLabError } from '../../core/errors.ts';
import { Redactor } from '../../report/redact.ts';
import type { Fault } from '../../server/faults.ts';
import type { AnsweredRequest } from '../../server/traffic/traffic.ts';
import type { CommandContext } from '../context.ts';
import { printJsonLines } from '../print.ts';

/** How much is logged: failures of the simulator, what an operator should look at, or every request besides. */
export const logLevels = ['silent', 'error', 'warn', 'info'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Level unless another is named. */

/** Characters of a failure's text that are logged. */
const failureCharactersMax = 8_192;

const eMailAddress = /[\w.%+-]{1,64}@[\w.-]{1,255}/g;

/** The structured log of a server: one line of JSON an event. No line tells of a person or has a secret in it. */
export interface ServerLog {
  /** Takes requests that were answered; `undefined` where the level leaves them out, so that they cost nothing. */
  readonly answered: ((answered: AnsweredRequest) => void) | undefined;
  /** Takes a failure that no one expected. */
  fault(fault: Fault): void;
  /** Takes what became of the server. */
  happened(event: string): void;
  /** Writes what is still held back. */
  close(): Promise<void>;
}

interface LogArguments {
  readonly logLevel: LogLevel;
  /** A file; `null` for the standard error output. */
  readonly log: string | null;
}

/** Opens the log that the options ask for. Takes texts that must not stand in it. Throws `file-unreadable`. */
export async function openLog(
  { logLevel: level, log }: LogArguments,
  context: Pick<CommandContext, 'stderr' | 'cwd'>,
  secrets: readonly string[],
): Promise<ServerLog> {
  const redactor = new Redactor({ keys: [], values: secrets });
  const writer = await writerOf(log, context);
  // Most servers log nothing, and the logger takes longer to load than they take to answer.
  let loaded: Promise<Logger> | null = null;
  const logger = (): Promise<Logger> => {
    loaded ??= loggerOf(level, writer.stream);
    return loaded;
  };
  const eager = level === 'info' ? await logger() : null;
  const later = new Set<Promise<void>>();
  const write = (line: (to: Logger) => void): void => {
    const written = logger().then(line);
    later.add(written);
    written.finally(() => later.delete(written)).catch(() => undefined);
  };
  return {
    answered: eager === null ? undefined : (answered) => eager.info(answered, 'request'),
    fault: (fault) => {
      if (level !== 'silent') write((to) => to.error(faultLine(fault, redactor), 'fault'));
    },
    happened: (event) => eager?.info(event),
    close: async () => {
      await Promise.allSettled(later);
      writer.close();
    },
  };
}

async function loggerOf(level: LogLevel, stream: DestinationStream): Promise<Logger> {
  const { pino } = await import('pino');
  // Process and machine are known to anyone who reads the log, and are no one else's business.
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: named } };
  return pino(options, stream);
}

function named(label: string): { readonly level: string } {
  return { level: label };
}

interface Writer {
  readonly stream: DestinationStream;
  close(): void;
}

async function writerOf(file: string | null, { stderr, cwd }: Pick<CommandContext, 'stderr' | 'cwd'>): Promise<Writer> {
  if (file === null) return { stream: { write: (line) => void printJsonLines(stderr, line) }, close: () => undefined };
  const { openSync, closeSync, writeSync } = await import('node:fs');
  const path = resolve(cwd, file);
  try {
    // Only the owner reads it.
    const opened = openSync(path, 'a', 0o600);
    return { stream: { write: (line) => void writeSync(opened, line) }, close: () => closeSync(opened) };
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `The log ${file} cannot be written.`, cause });
  }
}

/** Addresses may name people, and texts of failures anything; what is left says where in the program it went wrong. */
function faultLine({ method, route, error }: Fault, redactor: Redactor): object {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const clean = redactor.text(text.slice(0, failureCharactersMax)).replaceAll(eMailAddress, '[redacted]');
  return { method, route, error: clean };
}
