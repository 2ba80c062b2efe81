import { resolve } from 'node:path';
import type { DestinationStream, Logger } from 'pino';
import { NudgeLabError } from '../../core/errors.ts';
import { traceFields } from '../../core/telemetry.ts';
import { Redactor } from '../../report/redact.ts';
import type { Fault } from '../../server/faults.ts';
import type { Finding } from '../../server/finding.ts';
import type { AnsweredRequest } from '../../server/traffic/traffic.ts';
import type { CommandContext } from '../context.ts';
import { printJsonLines } from '../print.ts';

/** Log levels, from none through internal errors and operator warnings to every request. */
export const logLevels = ['silent', 'error', 'warn', 'info'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Maximum length of a logged error text in characters. */
const failureCharactersMax = 8_192;

const eMailAddress = /[\w.%+-]{1,64}@[\w.-]{1,255}/g;

/** Structured log of a server with one JSON line per event. No line contains personal data or secrets. */
export interface ServerLog {
  /** Logs a completed request; `undefined` if the level excludes requests, which avoids their cost. */
  readonly answered: ((answered: AnsweredRequest) => void) | undefined;
  /** Logs an unexpected error. */
  fault(fault: Fault): void;
  /** Logs a rejection that browsers hide from applications. */
  finding(finding: Finding): void;
  /** Logs a lifecycle event of the server. */
  happened(event: string): void;
  /** Writes all buffered lines. */
  close(): Promise<void>;
}

interface LogArguments {
  readonly logLevel: LogLevel;
  /** Path of the log file; `null` for standard error. */
  readonly log: string | null;
}

/**
 * Opens the log requested by the options. The given secrets are removed from every line. Throws `file-unreadable`.
 */
export async function openLog(
  { logLevel: level, log }: LogArguments,
  context: Pick<CommandContext, 'stderr' | 'cwd'>,
  secrets: readonly string[],
): Promise<ServerLog> {
  const redactor = new Redactor({ keys: [], values: secrets });
  const writer = await createWriter(log, context);
  // The logger is loaded on demand, because most servers log nothing and loading it takes longer than a typical
  // response.
  let loaded: Promise<Logger> | null = null;
  const logger = (): Promise<Logger> => {
    loaded ??= createLogger(level, writer.stream);
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
    answered:
      eager === null
        ? undefined
        : ({ trace, ...answered }) => eager.info({ ...answered, ...traceFields(trace ?? null) }, 'request'),
    fault: (fault) => {
      if (level === 'silent') return;
      const line = { ...faultLine(fault, redactor), ...traceFields() };
      write((to) => to.error(line, 'fault'));
    },
    finding: ({ sandbox, message }) => {
      if (level === 'silent' || level === 'error') return;
      const line = { sandbox, finding: redactor.text(message), ...traceFields() };
      write((to) => to.warn(line, 'finding'));
    },
    happened: (event) => eager?.info(event),
    close: async () => {
      await Promise.allSettled(later);
      writer.close();
    },
  };
}

async function createLogger(level: LogLevel, stream: DestinationStream): Promise<Logger> {
  const { pino } = await import('pino');
  // Process id and host name are omitted, because readers of the log know them and others must not see them.
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

async function createWriter(
  file: string | null,
  { stderr, cwd }: Pick<CommandContext, 'stderr' | 'cwd'>,
): Promise<Writer> {
  if (file === null) return { stream: { write: (line) => void printJsonLines(stderr, line) }, close: () => undefined };
  const { openSync, closeSync, writeSync } = await import('node:fs');
  const path = resolve(cwd, file);
  try {
    // Only the owner can read the file.
    const opened = openSync(path, 'a', 0o600);
    return { stream: { write: (line) => void writeSync(opened, line) }, close: () => closeSync(opened) };
  } catch (cause) {
    throw new NudgeLabError('file-unreadable', { message: `The log file ${file} cannot be written.`, cause });
  }
}

/**
 * Formats an unexpected error for the log. URLs and error texts may contain personal data, so only the method, the
 * route and the redacted stack are logged.
 */
function faultLine({ method, route, error }: Fault, redactor: Redactor): object {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const clean = redactor.text(text.slice(0, failureCharactersMax)).replaceAll(eMailAddress, '[redacted]');
  return { method, route, error: clean };
}
