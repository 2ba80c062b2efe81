import type { Context, Histogram, HrTime, Meter, Span, SpanContext, Tracer } from '@opentelemetry/api';
import { afterDelay, machineNowMs, preciseNowMs } from '../core/clock.ts';
import { withClock } from '../core/sandbox-date.ts';
import type {
  SpanOptions,
  Telemetry,
  TelemetryAttributes,
  TelemetryReading,
  TelemetrySpan,
} from '../core/telemetry.ts';
import { createProviders } from './providers.ts';
import { loadSdkPackages, type SdkPackages } from './sdk-packages.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** Time limit of the last export in milliseconds of real time. A collector that does not respond costs no more. */
const closeMaxMs = 3_000;

/** Bucket bounds in seconds that the semantic conventions recommend for HTTP servers. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

type Providers = ReturnType<typeof createProviders>;

/**
 * Exports traces and metrics with the OpenTelemetry SDK. Spans have explicit times, because the SDK reads the global
 * `Date`, which shows the virtual clock of a sandbox.
 */
export class SdkTelemetry implements Telemetry {
  readonly #packages: SdkPackages;
  readonly #providers: Providers;
  readonly #contexts: InstanceType<SdkPackages['hooks']['AsyncLocalStorageContextManager']>;
  readonly #tracer: Tracer;
  readonly #meter: Meter;
  readonly #durations: Histogram;

  private constructor(packages: SdkPackages, providers: Providers, version: string) {
    this.#packages = packages;
    this.#providers = providers;
    this.#contexts = new packages.hooks.AsyncLocalStorageContextManager();
    this.#tracer = providers.tracerProvider.getTracer('nudgelab', version);
    this.#meter = providers.meterProvider.getMeter('nudgelab', version);
    this.#durations = this.#meter.createHistogram('http.server.request.duration', {
      unit: 's',
      description: 'Time until the end of the response.',
      advice: { explicitBucketBoundaries: durationBounds },
    });
  }

  /**
   * Loads the SDK and starts its exporters. `warn` receives the first failure of an export; later ones are not
   * reported.
   *
   * @throws NudgeLabError `package-missing` if a package is not installed
   */
  static async open(
    settings: TelemetrySettings,
    version: string,
    warn: (message: string) => void,
  ): Promise<SdkTelemetry> {
    const packages = await loadSdkPackages();
    let warned = false;
    packages.core.setGlobalErrorHandler((error) => {
      if (warned) return;
      warned = true;
      const { message } = error instanceof Error ? error : new Error(String(error));
      const to = settings.collectors.join(' or ');
      warn(`Traces or metrics could not be exported to ${to}; further failures are not reported. ${message}`.trim());
    });
    return new SdkTelemetry(packages, createProviders(packages, settings, version), version);
  }

  start(name: string, { kind = 'internal', attributes = {}, parent, link, startMs }: SpanOptions = {}): TelemetrySpan {
    const { trace, SpanKind } = this.#packages.api;
    const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };
    const under = parent === undefined ? this.#contexts.active() : this.#remote(parent);
    const linked = link === undefined ? undefined : trace.getSpanContext(this.#remote(link));
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes,
        startTime: toHrTime(startMs ?? preciseNowMs()),
        ...(linked === undefined ? {} : { links: [{ context: linked }] }),
      },
      under,
    );
    return new SdkSpan(span, trace.setSpan(under, span), this.#packages.api.SpanStatusCode.ERROR);
  }

  within<T>(span: TelemetrySpan, task: () => T): T {
    return this.#contexts.with((span as SdkSpan).context, task);
  }

  current(): Pick<TelemetrySpan, 'traceId' | 'spanId' | 'traceparent'> | null {
    const ids = this.#packages.api.trace.getSpanContext(this.#contexts.active());
    return ids === undefined ? null : { traceId: ids.traceId, spanId: ids.spanId, traceparent: formatTraceparent(ids) };
  }

  requestServed(seconds: number, attributes: TelemetryAttributes): void {
    onMachineClock(() => this.#durations.record(seconds, attributes));
  }

  observe(readings: readonly TelemetryReading[]): () => void {
    const ends = readings.map(({ name, kind, description, unit, read }) => {
      const options = { description, unit };
      const instrument =
        kind === 'counter'
          ? this.#meter.createObservableCounter(name, options)
          : kind === 'gauge'
            ? this.#meter.createObservableGauge(name, options)
            : this.#meter.createObservableUpDownCounter(name, options);
      const show = (result: { observe(value: number): void }): void => result.observe(read());
      instrument.addCallback(show);
      return () => instrument.removeCallback(show);
    });
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * Exports what is left and ends the exporters, within a time limit. Failures were reported to `warn`. Returns `false` if an
   * export has not ended then, which would keep the process alive.
   */
  async close(): Promise<void> {
    const { tracerProvider, meterProvider } = this.#providers;
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const cancel = afterDelay(closeMaxMs, () => resolve(false));
    const ended = Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    const isEnded = await Promise.race([ended.then(reportFailures(this.#packages)), late]);
    cancel();
    if (!isEnded) {
      const reason = new Error(`The last export did not end within ${closeMaxMs / msPerSecond} s.`);
      this.#packages.core.globalErrorHandler(reason);
    }
    this.#contexts.disable();
  }

  /** Returns the context of a span in another process. It is empty if the value is invalid. */
  #remote(traceparent: string): Context {
    const { api, core } = this.#packages;
    const ids = core.parseTraceParent(traceparent);
    return ids === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, { ...ids, isRemote: true });
  }
}

/** Reports failures of the last export, which the SDK only returns. */
function reportFailures({ core }: SdkPackages) {
  return (results: readonly PromiseSettledResult<unknown>[]): true => {
    for (const result of results) if (result.status === 'rejected') core.globalErrorHandler(result.reason);
    return true;
  };
}

/** Span of the SDK with the context of its children. */
class SdkSpan implements TelemetrySpan {
  readonly context: Context;
  readonly #span: Span;
  readonly #errorStatus: number;
  readonly #ids: SpanContext;

  constructor(span: Span, context: Context, errorStatus: number) {
    this.context = context;
    this.#span = span;
    this.#errorStatus = errorStatus;
    this.#ids = span.spanContext();
  }

  get traceId(): string {
    return this.#ids.traceId;
  }

  get spanId(): string {
    return this.#ids.spanId;
  }

  get traceparent(): string {
    return formatTraceparent(this.#ids);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: TelemetryAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type);
    this.#span.setStatus({ code: this.#errorStatus });
  }

  end(endMs: number = preciseNowMs()): void {
    onMachineClock(() => this.#span.end(toHrTime(endMs)));
  }
}

/** Runs a task outside of the virtual clock of a sandbox, also for the timers that it starts. */
function onMachineClock<T>(task: () => T): T {
  return withClock(machineNowMs, task);
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

const msPerSecond = 1_000;
const nanosecondsPerMs = 1_000_000;

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / msPerSecond);
  return [seconds, Math.floor((ms - seconds * msPerSecond) * nanosecondsPerMs)];
}
