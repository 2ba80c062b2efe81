/**
 * Traces and metrics of the program. Modules record them here, and `src/telemetry` exports them if the environment
 * asks for it. Without it, nothing is installed and recording costs one comparison.
 */

/** Attributes of a span or a measurement. They must not contain secrets or personal data. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** Options of a new span. */
export interface SpanOptions {
  /** Role of the span. The default is `internal`. */
  readonly kind?: 'internal' | 'server' | 'consumer';
  readonly attributes?: TelemetryAttributes;
  /** Value of `traceparent` that the span continues. The default is the current span. */
  readonly parent?: string | undefined;
  /** Value of `traceparent` of a related span. */
  readonly link?: string | undefined;
  /** Start in milliseconds of real time since the epoch. The default is now. */
  readonly startMs?: number;
}

/** Operation that is being traced. */
export interface TelemetrySpan {
  /** Id of the trace, 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the span, 16 hexadecimal digits. */
  readonly spanId: string;
  /** Value of the header `traceparent` for requests of this operation. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: TelemetryAttributes): void;
  /** Marks the operation as failed. `type` is an error code or a status. */
  fail(type: string): void;
  /** Ends the span, by default now. `endMs` is in milliseconds of real time since the epoch. */
  end(endMs?: number): void;
}

/** Figure that is read when metrics are exported. */
export interface TelemetryReading {
  readonly name: string;
  readonly kind: 'gauge' | 'counter' | 'up-down-counter';
  readonly description: string;
  readonly unit: string;
  read(): number;
}

/** Exporter of traces and metrics. */
export interface Telemetry {
  start(name: string, options?: SpanOptions): TelemetrySpan;
  /** Runs a task with a span as the current one, also for all asynchronous work that it starts. */
  within<T>(span: TelemetrySpan, task: () => T): T;
  /** Returns the ids of the current span, or `null` outside of spans. */
  current(): Pick<TelemetrySpan, 'traceId' | 'spanId' | 'traceparent'> | null;
  /** Records the duration of a served request in seconds. */
  requestServed(seconds: number, attributes: TelemetryAttributes): void;
  /** Exports readings from now on. Returns a function that ends this. */
  observe(readings: readonly TelemetryReading[]): () => void;
}

let installed: Telemetry | null = null;

/** Returns the installed exporter, or `null` if nothing is exported. */
export function getTelemetry(): Telemetry | null {
  return installed;
}

/** Installs an exporter for this process; `null` removes it. */
export function installTelemetry(telemetry: Telemetry | null): void {
  installed = telemetry;
}

/** Returns the fields of log lines that name a span, by default the current one. They are empty outside of spans. */
export function traceFields(ids: Pick<TelemetrySpan, 'traceId' | 'spanId'> | null = installed?.current() ?? null): {
  readonly trace_id?: string;
  readonly span_id?: string;
} {
  return ids === null ? {} : { trace_id: ids.traceId, span_id: ids.spanId };
}

/**
 * Traces an asynchronous task as a span. Without an exporter, it only runs the task. Throws the errors of the task,
 * which mark the span as failed.
 */
export async function inSpan<T>(name: string, options: SpanOptions, task: () => Promise<T>): Promise<T> {
  if (installed === null) return task();
  const span = installed.start(name, options);
  try {
    return await installed.within(span, task);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the code of an error, or the name of its class. Messages may contain personal data, so none is recorded. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
