import { describe, expect, it } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { type Environment, readTelemetrySettings as readSettings } from '../../src/telemetry/telemetry-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

function readTelemetrySettings(env: Environment) {
  return readSettings(env, (path) => path === 'ca.pem');
}

const notPairs = 'the value is not a list of NAME=VALUE, separated by commas, with percent-encoded special characters';
const notPem = 'the file "none.pem" cannot be read, or is no certificate or key in PEM form';

describe('telemetry settings', () => {
  it.for([
    [{}],
    [{ OTEL_SERVICE_NAME: 'lab' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
    [{ OTEL_TRACES_EXPORTER: 'none' }],
  ])('nothing is exported with %j', ([env]) => {
    expect(readTelemetrySettings(env as Readonly<Record<string, string>>)).toBeNull();
  });

  it.for([
    [endpoint],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://localhost:4318/v1/metrics' }],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'False', OTEL_EXPORTER_OTLP_CERTIFICATE: 'ca.pem' }],
    [{ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=ci, team=a b' }],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic YWI=,x-team=a%20b' }],
  ])('the defaults of the specification apply with %j', ([env]) => {
    expect(readTelemetrySettings(env as Readonly<Record<string, string>>)).toEqual({
      traces: 'otlp',
      metrics: 'otlp',
      sampler: 'parentbased_always_on',
      samplerRatio: 1,
      batch: {
        scheduledDelayMillis: 5_000,
        exportTimeoutMillis: 30_000,
        maxQueueSize: 2_048,
        maxExportBatchSize: 512,
      },
      exportLimitMs: 3_000,
      metricIntervalMs: 60_000,
      metricTimeoutMs: 30_000,
      collectors: expect.arrayContaining([expect.stringContaining('http://localhost:4318/')]),
    });
  });

  it.for<[Readonly<Record<string, string>>, readonly string[]]>([
    [{ '': 'http://ada:secret@lab:1' }, ['http://lab:1/']],
    [{ _TRACES: 'http://lab:2/v1/traces' }, ['http://lab:2/v1/traces', 'http://localhost:4318/']],
    [{ '': 'http://lab:1', _METRICS: 'http://lab:3' }, ['http://lab:1/', 'http://lab:3/']],
    [{ '': 'http://lab:1', _TRACES: 'http://lab:2', _METRICS: 'http://lab:2' }, ['http://lab:2/']],
  ])('messages name the collectors that receive data, without credentials: %j', ([given, collectors]) => {
    const env = Object.entries(given).map(([name, url]) => [`OTEL_EXPORTER_OTLP${name}_ENDPOINT`, url]);
    expect(readTelemetrySettings(Object.fromEntries(env))?.collectors).toEqual(collectors);
  });

  it('messages name no collector of metrics that are not exported', () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://lab:2', OTEL_METRICS_EXPORTER: 'none' };
    expect(readTelemetrySettings(env)?.collectors).toEqual(['http://lab:2/']);
  });

  it('every variable is read, and a batch is at most as large as its queue', () => {
    const settings = readTelemetrySettings({
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_BSP_EXPORT_TIMEOUT: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
      OTEL_METRIC_EXPORT_INTERVAL: '30',
      OTEL_METRIC_EXPORT_TIMEOUT: '40',
    });
    expect(settings).toMatchObject({ traces: 'console', metrics: 'none', sampler: 'traceidratio', samplerRatio: 0.25 });
    expect(settings?.batch).toEqual({
      scheduledDelayMillis: 10,
      exportTimeoutMillis: 20,
      maxQueueSize: 64,
      maxExportBatchSize: 64,
    });
    expect(settings).toMatchObject({ metricIntervalMs: 30, metricTimeoutMs: 40 });
  });

  it.for([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'notaurl', 'notaurl'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://', 'http://'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost:4318/?a=b', 'http://localhost:4318/?a=b'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http//collector.test:4318', 'http//collector.test:4318'],
    ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'ftp://lab:secret@collector.test', '…@collector.test'],
  ] as const)('usage-invalid: %s is not the URL %s', ([name, value, shown]) => {
    expect(() => readTelemetrySettings({ [name]: value })).toThrow(
      expect.objectContaining({
        code: 'usage-invalid',
        problems: [
          {
            location: name,
            message: `"${shown}" is not supported: use a URL that starts with http:// or https://, without a query`,
          },
        ],
      }),
    );
  });

  it.for([
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'abc', '"abc" is not supported: use a whole number from 1 to 2147483647'],
    ['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'zstd', '"zstd" is not supported: use none, gzip'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '1.5', '"1.5" is not supported: use a whole number from 1 to 1000000'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', notPairs],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=Basic %ZZ', notPairs],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team=blue,x=a=b', notPairs],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=1,b', notPairs],
    ['OTEL_SDK_DISABLED', 'yes', '"yes" is not supported: use true or false'],
    ['OTEL_EXPORTER_OTLP_CERTIFICATE', 'none.pem', notPem],
    ['OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY', 'none.pem', notPem],
  ] as const)('usage-invalid: %s=%s', ([name, value, message]) => {
    const problems = [{ location: name, message }];
    expect(() => readTelemetrySettings({ ...endpoint, [name]: value })).toThrow(
      expect.objectContaining({ code: 'usage-invalid', problems }),
    );
  });

  it('usage-invalid: every unsupported value is reported with its variable', () => {
    const bad = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_TRACES_SAMPLER_ARG: '2',
      OTEL_BSP_MAX_QUEUE_SIZE: '0',
    };
    let thrown: unknown = null;
    try {
      readTelemetrySettings(bad);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(NudgeLabError);
    const { code, problems } = thrown as NudgeLabError;
    expect(code).toBe('usage-invalid');
    expect(problems.map(({ location }) => location).sort()).toEqual(
      Object.keys(bad)
        .filter((name) => !name.endsWith('_ENDPOINT'))
        .sort(),
    );
  });
});
