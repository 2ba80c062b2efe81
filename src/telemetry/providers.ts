import type { MetricReader } from '@opentelemetry/sdk-metrics';
import type { Sampler, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { SdkPackages } from './sdk-packages.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** Name of the service, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` give another one. */
const serviceName = 'nudgelab';

/**
 * Creates the providers of traces and metrics. The resource and the exporters read their own variables, such as
 * `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export function createProviders(packages: SdkPackages, settings: TelemetrySettings, version: string) {
  const { resources, traces, metrics } = packages;
  const own = resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
  const given = resources.detectResources({
    detectors: [resources.envDetector, resources.serviceInstanceIdDetector],
  });
  const resource = resources.defaultResource().merge(own).merge(given);
  const tracerProvider = new traces.TracerProvider({
    resource,
    sampler: createSampler(packages, settings),
    spanProcessors: createProcessors(packages, settings),
  });
  const meterProvider = new metrics.MeterProvider({ resource, readers: createReaders(packages, settings) });
  return { tracerProvider, meterProvider };
}

function createProcessors({ traces, traceExport }: SdkPackages, settings: TelemetrySettings): SpanProcessor[] {
  if (settings.traces === 'none') return [];
  const exporter =
    settings.traces === 'otlp'
      ? new traceExport.OTLPTraceExporter(createLimit(settings))
      : new traces.ConsoleSpanExporter();
  return [new traces.BatchSpanProcessor({ exporter, ...settings.batch })];
}

function createReaders({ metrics, metricExport }: SdkPackages, settings: TelemetrySettings): MetricReader[] {
  if (settings.metrics === 'none') return [];
  const exporter =
    settings.metrics === 'otlp'
      ? new metricExport.OTLPMetricExporter(createLimit(settings))
      : new metrics.ConsoleMetricExporter();
  const exportIntervalMillis = settings.metricIntervalMs;
  // The reader refuses a time limit beyond its interval.
  const exportTimeoutMillis = Math.min(settings.metricTimeoutMs, exportIntervalMillis);
  return [new metrics.PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis })];
}

function createLimit({ exportLimitMs }: TelemetrySettings): { timeoutMillis?: number } {
  return exportLimitMs === undefined ? {} : { timeoutMillis: exportLimitMs };
}

function createSampler({ traces }: SdkPackages, { sampler, samplerRatio }: TelemetrySettings): Sampler {
  const name = sampler.replace('parentbased_', '');
  const root =
    name === 'always_on'
      ? new traces.AlwaysOnSampler()
      : name === 'always_off'
        ? new traces.AlwaysOffSampler()
        : new traces.TraceIdRatioBasedSampler(samplerRatio);
  return name === sampler ? root : new traces.ParentBasedSampler({ root });
}
