import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { hideUserInfo } from '../core/hide-user-info.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Exporters of one kind of data. */
export const exporterNames = ['otlp', 'console', 'none'] as const;
export type ExporterName = (typeof exporterNames)[number];

/** Samplers by the names of the specification. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** Settings of the SDK that its packages do not read from the environment by themselves. */
export interface TelemetrySettings {
  readonly traces: ExporterName;
  readonly metrics: ExporterName;
  readonly sampler: SamplerName;
  /** Share of sampled traces, from 0 to 1. */
  readonly samplerRatio: number;
  /** Limits of the queue of ended spans. */
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
  };
  /** Time limit of one export, or `undefined` if a variable of the exporters gives it. */
  readonly exportLimitMs: number | undefined;
  readonly metricIntervalMs: number;
  readonly metricTimeoutMs: number;
  /** URLs of the collectors without credentials, for messages. */
  readonly collectors: readonly string[];
}

/** Variables with the URL of a collector, which the exporters read. An invalid one would be ignored there. */
const endpoints = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const;

/** URL of the collector that the exporters use if no variable names one. */
const collectorDefault = 'http://localhost:4318';

/** Variables that ask for an export if they have a value. */
const asking = [...endpoints, 'OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER'] as const;

/** Variables with time limits of exports, which the exporters read. */
const timeouts = [
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
  'OTEL_EXPORTER_OTLP_METRICS_TIMEOUT',
] as const;

/** Default time limit of one export. The process ends no later, so it is shorter than the 10 s of the specification. */
const exportLimitMs = 3_000;

const protocol = 'http/protobuf';

/**
 * Variables with a list of `NAME=VALUE`, which the exporters and the resource read, with the form of one pair. A value
 * can be a secret. The SDK ignores the whole list if one pair is malformed.
 */
const lists = [
  ['OTEL_EXPORTER_OTLP_HEADERS', /^[^=]+=/],
  ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', /^[^=]+=/],
  ['OTEL_EXPORTER_OTLP_METRICS_HEADERS', /^[^=]+=/],
  ['OTEL_RESOURCE_ATTRIBUTES', /^[^=]+=[^=]*$/],
] as const;

/** Variables with the path of a PEM file. The exporters ignore a file that they cannot use. */
const pemFiles = ['', '_TRACES', '_METRICS'].flatMap((part) =>
  ['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'].map((file) => `OTEL_EXPORTER_OTLP${part}_${file}`),
);

/** Compressions of exports, which the exporters read. */
const compressions = ['none', 'gzip'] as const;

/** Largest accepted number of milliseconds and of queued spans. */
const numberMax = 2 ** 31 - 1;

/**
 * Reads the standard variables of OpenTelemetry. Returns `null` if none asks for an export, or if
 * `OTEL_SDK_DISABLED` is true.
 *
 * @param env - environment of the process
 * @param isPem - returns true if the file at a path can be read and has the form PEM
 * @throws NudgeLabError `usage-invalid` with every variable that has an unsupported value
 */
export function readTelemetrySettings(env: Environment, isPem: (path: string) => boolean): TelemetrySettings | null {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return null;
  if (asking.every((name) => isEmpty(env[name]) || env[name]?.trim() === 'none')) return null;
  const problems: ValidationProblem[] = [];
  const refuse = (location: string, value: string, allowed: string): void => {
    problems.push({ location, message: `"${value}" is not supported: use ${allowed}` });
  };
  const disabled = env['OTEL_SDK_DISABLED']?.trim().toLowerCase() ?? '';
  if (disabled !== '' && disabled !== 'false') refuse('OTEL_SDK_DISABLED', disabled, 'true or false');
  const choose = <T extends string>(name: string, allowed: readonly T[], initial: T): T => {
    const given = env[name]?.trim() ?? '';
    if (given === '') return initial;
    const known = allowed.find((one) => one === given);
    if (known === undefined) refuse(name, given, allowed.join(', '));
    return known ?? initial;
  };
  const number = (name: string, initial: number, [least, most] = [0, numberMax]): number => {
    const given = env[name]?.trim() ?? '';
    if (given === '') return initial;
    const value = Number(given);
    const isWhole = most === 1 || Number.isInteger(value);
    if (Number.isFinite(value) && isWhole && value >= least && value <= most) return value;
    refuse(name, given, `${most === 1 ? 'a number' : 'a whole number'} from ${least} to ${most}`);
    return initial;
  };
  for (const name of endpoints) {
    const given = env[name]?.trim() ?? '';
    if (given !== '' && !isWebAddress(given)) {
      refuse(name, hideUserInfo(given), 'a URL that starts with http:// or https://, without a query');
    }
  }
  for (const name of ['', '_TRACES', '_METRICS']) choose(`OTEL_EXPORTER_OTLP${name}_PROTOCOL`, [protocol], protocol);
  for (const name of ['', '_TRACES', '_METRICS']) choose(`OTEL_EXPORTER_OTLP${name}_COMPRESSION`, compressions, 'none');
  for (const name of timeouts) number(name, exportLimitMs, [1, numberMax]);
  problems.push(...findFaultyLists(env), ...findFaultyFiles(env, isPem));
  const maxQueueSize = number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048, [1, 1_000_000]);
  const settings: TelemetrySettings = {
    traces: choose('OTEL_TRACES_EXPORTER', exporterNames, 'otlp'),
    metrics: choose('OTEL_METRICS_EXPORTER', exporterNames, 'otlp'),
    sampler: choose('OTEL_TRACES_SAMPLER', samplerNames, 'parentbased_always_on'),
    samplerRatio: number('OTEL_TRACES_SAMPLER_ARG', 1, [0, 1]),
    batch: {
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxQueueSize,
      maxExportBatchSize: Math.min(maxQueueSize, number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, [1, 1_000_000])),
    },
    exportLimitMs: timeouts.every((name) => isEmpty(env[name])) ? exportLimitMs : undefined,
    metricIntervalMs: number('OTEL_METRIC_EXPORT_INTERVAL', 60_000, [1, numberMax]),
    metricTimeoutMs: number('OTEL_METRIC_EXPORT_TIMEOUT', 30_000, [1, numberMax]),
    collectors: [],
  };
  if (problems.length > 0) throw new NudgeLabError('usage-invalid', { problems });
  if (settings.traces === 'none' && settings.metrics === 'none') return null;
  return { ...settings, collectors: listCollectors(env, settings) };
}

/** Lists the URLs that receive traces and metrics, each once. */
function listCollectors(
  env: Environment,
  { traces, metrics }: Pick<TelemetrySettings, 'traces' | 'metrics'>,
): string[] {
  const [common, ofTraces, ofMetrics] = endpoints.map((name) => env[name]?.trim() || null);
  const used = [
    ...(traces === 'otlp' ? [ofTraces ?? common ?? collectorDefault] : []),
    ...(metrics === 'otlp' ? [ofMetrics ?? common ?? collectorDefault] : []),
  ];
  return [...new Set(used.map(withoutCredentials))];
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

function findFaultyLists(env: Environment): readonly ValidationProblem[] {
  const message = 'the value is not a list of NAME=VALUE, separated by commas, with percent-encoded special characters';
  return lists.flatMap(([name, form]) => {
    const pairs = (env[name] ?? '').split(',').map((pair) => pair.trim());
    const isSound = pairs.every((pair) => pair === '' || (form.test(pair) && isDecodable(pair)));
    return isSound ? [] : [{ location: name, message }];
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function findFaultyFiles(env: Environment, isPem: (path: string) => boolean): readonly ValidationProblem[] {
  return pemFiles.flatMap((name) => {
    const path = env[name]?.trim() ?? '';
    const message = `the file "${path}" cannot be read, or is no certificate or key in PEM form`;
    return path === '' || isPem(path) ? [] : [{ location: name, message }];
  });
}

function isEmpty(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^?#]*$/i.test(text) && URL.canParse(text);
}
