import type { LookupFault } from '../../contract/fault.schema.ts';
import { faultDelayMaxMs } from '../../contract/fault.schema.ts';
import { asciiJson, lookupFailure } from '../../contract/lookup-responses.ts';
import type { RandomSource } from '../../core/random.ts';
import type { MetLookupFault } from '../fault-injector.ts';
import type { ToolResult } from './lookup-results.ts';

/** Effect of faults on the delivery of a response. */
export interface LineEffect {
  /** Delay of the response, in milliseconds of real time. */
  readonly delayMs: number;
  /** End of the response. `hang` never sends it, and `cut` closes the connection in the middle of the body. */
  readonly end: 'answer' | 'hang' | 'cut';
}

export const noEffect: LineEffect = { delayMs: 0, end: 'answer' };

/** Response after all faults were applied. */
export interface FaultedResponse {
  readonly status: number;
  readonly text: string;
  readonly effect: LineEffect;
}

interface GoodAnswer {
  readonly query: string;
  readonly type: string;
  readonly results: Readonly<Record<string, ToolResult>>;
}

/**
 * Applies faults to a response. Result faults change only the results of their tool. Call faults delay the
 * response, cut it off or replace it with an error (L10). `latencyMs` is the latency of the tools themselves. All
 * randomness comes from the random seed of the sandbox.
 */
export function applyResponseFault(
  answer: GoodAnswer,
  met: readonly MetLookupFault[],
  latencyMs: number,
): FaultedResponse {
  const delayMs = Math.max(latencyMs, ...met.map(({ fault, draw }) => computeDelay(fault, draw)));
  const has = (kind: LookupFault['kind']) => met.some(({ fault }) => fault.kind === kind);
  const end = has('lookup-timeout') ? 'hang' : has('lookup-connection-reset') ? 'cut' : 'answer';
  if (has('lookup-server-error')) {
    const failure = lookupFailure(500, 'An injected fault of this sandbox makes the request fail.');
    return { status: 500, text: asciiJson(failure), effect: { delayMs, end } };
  }
  const results = Object.fromEntries(
    Object.entries(answer.results).map(([tool, result]) => [tool, bentResult(result, tool, met)]),
  );
  const { query, type } = answer;
  return { status: 200, text: asciiJson({ success: true, query, type, results }), effect: { delayMs, end } };
}

function computeDelay(fault: LookupFault, draw: RandomSource): number {
  if (fault.kind !== 'lookup-delay') return 0;
  const { latency } = fault;
  if ('fixedMs' in latency) return latency.fixedMs;
  return Math.min(faultDelayMaxMs, Math.round(latency.medianMs * Math.exp(latency.sigma * normal(draw))));
}

/** Returns a random value of the standard normal distribution (Box-Muller method). */
function normal(draw: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

function bentResult(result: ToolResult, tool: string, met: readonly MetLookupFault[]): ToolResult {
  return met
    .filter(({ fault }) => fault.tool === undefined || fault.tool === tool || fault.tool === 'all')
    .reduce<ToolResult>((soFar, { fault, draw }) => bentBy(fault, soFar, draw), result);
}

/** C0 characters, DEL and a bidirectional control character, which careless clients print unescaped. */
const controlCharacters = '\u0000\u0007\u001b[2J\r\n\u007f\u202e';

function bentBy(fault: LookupFault, result: ToolResult, draw: RandomSource): ToolResult {
  switch (fault.kind) {
    case 'lookup-malformed-value':
      return malformed(result, fault.field, draw);
    case 'lookup-missing-field': {
      const { [fault.field]: _missing, ...rest } = result;
      return rest;
    }
    case 'lookup-unexpected-field':
      return { ...result, [fault.field]: { version: 3, items: [null] } };
    case 'lookup-null-avatar':
      return 'avatar' in result ? { ...result, avatar: null } : result;
    case 'lookup-control-characters':
      return renamed(result, (name) => `${name}${controlCharacters}`);
    case 'lookup-long-name':
      return renamed(result, (name) => name.padEnd(fault.characters, name || 'x').slice(0, fault.characters));
    case 'lookup-tool-error':
      return { found: false, error: fault.message };
    default:
      return result;
  }
}

/** Changes the names in a result: the name of the account, and the name of its owner if the tool returns it. */
function renamed(result: ToolResult, change: (name: string) => string): ToolResult {
  const names = Object.entries(result).filter(([field]) => field === 'username' || field === 'name');
  return { ...result, ...Object.fromEntries(names.map(([field, name]) => [field, change(String(name))])) };
}

/** Replaces a field with a value of another type. */
function malformed(result: ToolResult, field: string | undefined, draw: RandomSource): ToolResult {
  const fields = Object.keys(result);
  const chosen = field ?? fields[Math.floor(draw() * fields.length)] ?? 'found';
  if (!(chosen in result)) return result;
  const value = result[chosen];
  if (typeof value === 'boolean') return { ...result, [chosen]: value ? 'yes' : 'no' };
  if (typeof value === 'number') return { ...result, [chosen]: `${value},0` };
  return { ...result, [chosen]: chosen.endsWith('_url') || chosen === 'avatar' ? 'http//not an address' : [value] };
}
