import { optionalPackage } from '../core/optional-package.ts';

/** Packages to install together. */
const install = [
  'api',
  'context-async-hooks',
  'core',
  'exporter-metrics-otlp-proto',
  'exporter-trace-otlp-proto',
  'resources',
  'sdk-metrics',
  'sdk-trace',
]
  .map((name) => `@opentelemetry/${name}`)
  .join(' ');

/**
 * Loads the packages of the OpenTelemetry SDK.
 *
 * @throws NudgeLabError `package-missing` if one of them is not installed
 */
export async function loadSdkPackages() {
  const need = 'The exports that OTEL_* variables ask for require';
  const load = <T>(name: string, importing: () => Promise<T>): Promise<T> =>
    optionalPackage(`@opentelemetry/${name}`, need, importing, install);
  const [api, hooks, core, resources, traces, metrics, traceExport, metricExport] = await Promise.all([
    load('api', () => import('@opentelemetry/api')),
    load('context-async-hooks', () => import('@opentelemetry/context-async-hooks')),
    load('core', () => import('@opentelemetry/core')),
    load('resources', () => import('@opentelemetry/resources')),
    load('sdk-trace', () => import('@opentelemetry/sdk-trace')),
    load('sdk-metrics', () => import('@opentelemetry/sdk-metrics')),
    load('exporter-trace-otlp-proto', () => import('@opentelemetry/exporter-trace-otlp-proto')),
    load('exporter-metrics-otlp-proto', () => import('@opentelemetry/exporter-metrics-otlp-proto')),
  ]);
  return { api, hooks, core, resources, traces, metrics, traceExport, metricExport };
}

/** Packages of the OpenTelemetry SDK. */
export type SdkPackages = Awaited<ReturnType<typeof loadSdkPackages>>;
