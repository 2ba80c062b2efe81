/**
 * Decoder of OTLP requests. It shares no code with the exporter: the wire format and the field numbers are copied from
 * the protocol definitions of OpenTelemetry (`trace/v1/trace.proto`, `metrics/v1/metrics.proto`, `common/v1/common.proto`).
 */

type Decoded = Readonly<Record<string, unknown>>;
type Kind = 'string' | 'hex' | 'int' | 'fixed64' | 'double' | 'packed64' | 'packedDouble' | Message;
interface Message {
  readonly [field: number]: readonly [name: string, kind: Kind, repeated?: 'many'];
}

const anyValue: Message = { 1: ['string', 'string'], 2: ['bool', 'int'], 3: ['int', 'int'], 4: ['double', 'double'] };
const keyValue: Message = { 1: ['key', 'string'], 2: ['value', anyValue] };
const resource: Message = { 1: ['attributes', keyValue, 'many'] };
const scope: Message = { 1: ['name', 'string'], 2: ['version', 'string'] };
const link: Message = { 1: ['traceId', 'hex'], 2: ['spanId', 'hex'] };
const status: Message = { 2: ['message', 'string'], 3: ['code', 'int'] };
const span: Message = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'string'],
  6: ['kind', 'int'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes', keyValue, 'many'],
  13: ['links', link, 'many'],
  15: ['status', status],
};
const scopeSpans: Message = { 1: ['scope', scope], 2: ['spans', span, 'many'] };
const resourceSpans: Message = { 1: ['resource', resource], 2: ['scopeSpans', scopeSpans, 'many'] };
const tracesRequest: Message = { 1: ['resourceSpans', resourceSpans, 'many'] };
const numberPoint: Message = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['asDouble', 'double'],
  6: ['asInt', 'fixed64'],
  7: ['attributes', keyValue, 'many'],
};
const histogramPoint: Message = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['bucketCounts', 'packed64'],
  7: ['explicitBounds', 'packedDouble'],
  9: ['attributes', keyValue, 'many'],
};
const numbers: Message = { 1: ['dataPoints', numberPoint, 'many'], 3: ['isMonotonic', 'int'] };
const histogram: Message = { 1: ['dataPoints', histogramPoint, 'many'] };
const metric: Message = {
  1: ['name', 'string'],
  3: ['unit', 'string'],
  5: ['gauge', numbers],
  7: ['sum', numbers],
  9: ['histogram', histogram],
};
const scopeMetrics: Message = { 1: ['scope', scope], 2: ['metrics', metric, 'many'] };
const resourceMetrics: Message = { 1: ['resource', resource], 2: ['scopeMetrics', scopeMetrics, 'many'] };
const metricsRequest: Message = { 1: ['resourceMetrics', resourceMetrics, 'many'] };

/** Attributes by key. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Span with the attributes of its resource. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 5 consumer. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly resource: Attributes;
}

/** Point of a metric. Histograms have a count and a sum. */
export interface ReceivedPoint {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly value: number;
  readonly sum: number;
  readonly timeMs: number;
  readonly startMs: number;
  readonly attributes: Attributes;
}

/** Decodes the body of a request with spans. */
export function decodeSpans(body: Uint8Array): readonly ReceivedSpan[] {
  return many(decode(body, tracesRequest)['resourceSpans']).flatMap((group) =>
    many(group['scopeSpans']).flatMap((inner) =>
      many(inner['spans']).map((one) => ({
        traceId: String(one['traceId']),
        spanId: String(one['spanId']),
        parentSpanId: String(one['parentSpanId'] ?? ''),
        name: String(one['name']),
        kind: Number(one['kind']),
        startMs: toMs(one['startTimeUnixNano']),
        endMs: toMs(one['endTimeUnixNano']),
        attributes: toAttributes(one['attributes']),
        links: many(one['links']) as unknown as ReceivedSpan['links'],
        status: Number((one['status'] as Decoded | undefined)?.['code'] ?? 0),
        resource: toAttributes((group['resource'] as Decoded)['attributes']),
      })),
    ),
  );
}

/** Decodes the body of a request with metrics. */
export function decodePoints(body: Uint8Array): readonly ReceivedPoint[] {
  return many(decode(body, metricsRequest)['resourceMetrics'])
    .flatMap((group) => many(group['scopeMetrics']))
    .flatMap((inner) => many(inner['metrics']))
    .flatMap((one) =>
      (['gauge', 'sum', 'histogram'] as const).flatMap((kind) =>
        many((one[kind] as Decoded | undefined)?.['dataPoints']).map((point) => ({
          name: String(one['name']),
          unit: String(one['unit']),
          kind,
          value: Number(point['count'] ?? point['asInt'] ?? point['asDouble'] ?? 0),
          sum: Number(point['sum'] ?? 0),
          timeMs: toMs(point['timeUnixNano']),
          startMs: toMs(point['startTimeUnixNano']),
          attributes: toAttributes(point['attributes']),
        })),
      ),
    );
}

function many(value: unknown): readonly Decoded[] {
  return (value ?? []) as readonly Decoded[];
}

function toMs(nanoseconds: unknown): number {
  return Number((nanoseconds as bigint) / 1_000n) / 1_000;
}

function toAttributes(pairs: unknown): Attributes {
  return Object.fromEntries(
    many(pairs).map(({ key, value }) => [String(key), Object.values(value as Decoded)[0] as string | number]),
  );
}

function decode(bytes: Uint8Array, message: Message): Decoded {
  const decoded: Record<string, unknown> = {};
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.byteLength) {
    const tag = Number(varint());
    const [wire, field] = [tag & 7, message[tag >> 3]];
    let value: unknown;
    if (wire === 0) value = Number(BigInt.asIntN(64, varint()));
    else if (wire === 1) {
      value = field?.[1] === 'double' ? view.getFloat64(at, true) : view.getBigUint64(at, true);
      at += 8;
    } else if (wire === 2) {
      const length = Number(varint());
      value = field === undefined ? null : decodeBytes(bytes.subarray(at, at + length), field[1]);
      at += length;
    } else if (wire === 5) at += 4;
    else throw new Error(`Wire type ${wire} is not part of protocol buffers, version 3.`);
    if (field === undefined) continue;
    const [name, , repeated] = field;
    if (repeated === undefined) decoded[name] = value;
    else decoded[name] = [...((decoded[name] as unknown[] | undefined) ?? []), value];
  }
  return decoded;
}

function decodeBytes(bytes: Uint8Array, kind: Kind): unknown {
  if (typeof kind === 'object') return decode(bytes, kind);
  if (kind === 'hex') return Buffer.from(bytes).toString('hex');
  if (kind === 'string') return Buffer.from(bytes).toString('utf8');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, index) =>
    kind === 'packedDouble' ? view.getFloat64(index * 8, true) : Number(view.getBigUint64(index * 8, true)),
  );
}
