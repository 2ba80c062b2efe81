import { describe, expect, it } from 'vitest';
import { faultDelayMaxMs, type LookupFault } from '../../../src/contract/fault.schema.ts';
import { randomSource } from '../../../src/core/random.ts';
import { applyResponseFault } from '../../../src/sandbox/lookup/response-faults.ts';

const result = {
  found: true,
  username: 'ada',
  name: 'Ada',
  avatar: 'https://x/a.svg',
  profile_url: 'https://x/a',
  followers: 7,
};
const good = { query: 'ada', type: 'username', results: { wexlar: result, krintle: { found: false } } };

/** Applies faults to a response, each with its own random values. */
function bent(faults: readonly object[], latencyMs = 0, draws: readonly number[] | null = null) {
  const met = faults.map((fault, place) => {
    const source = randomSource(place + 1);
    let next = 0;
    return {
      fault: { probability: 1, ...fault } as LookupFault,
      draw: draws === null ? source : () => draws[next++] ?? 0,
    };
  });
  const { status, text, effect } = applyResponseFault(good, met, latencyMs);
  return { status, body: JSON.parse(text) as { results: Record<string, Record<string, unknown>> }, effect };
}

/** Applies a fault to one tool and returns the differences from its original result. */
function changed(fault: object, draws: readonly number[] = [0]): unknown {
  const { wexlar, krintle } = bent([{ tool: 'wexlar', ...fault }], 0, draws).body.results;
  expect(krintle).toEqual({ found: false });
  const keys = new Set([...Object.keys(result), ...Object.keys(wexlar ?? {})]);
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const [before, after] = [(result as Record<string, unknown>)[key], wexlar?.[key]];
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [[key, after]];
    }),
  );
}

describe('L10: faults of lookups', () => {
  it('without a fault, the response is unchanged and takes as long as its tools', () => {
    expect(bent([], 30)).toEqual({
      status: 200,
      body: { success: true, ...good },
      effect: { delayMs: 30, end: 'answer' },
    });
  });

  it.for([
    [['lookup-timeout'], 'hang'],
    [['lookup-connection-reset'], 'cut'],
    [['lookup-connection-reset', 'lookup-timeout'], 'hang'],
    [['lookup-null-avatar'], 'answer'],
  ] as const)('%j: the connection ends with "%s"', ([kinds, end]) => {
    const { status, effect } = bent(kinds.map((kind) => ({ kind })));
    expect([status, effect]).toEqual([200, { delayMs: 0, end }]);
  });

  it('a failed call contains no results', () => {
    const { status, body } = bent([{ kind: 'lookup-server-error' }]);
    expect([status, body]).toMatchObject([500, { success: false }]);
    expect(body).not.toHaveProperty('results');
    expect(bent([{ kind: 'lookup-server-error' }, { kind: 'lookup-connection-reset' }]).effect.end).toBe('cut');
  });

  it('the longest delay applies to the response', () => {
    const slow = (fixedMs: number) => ({ kind: 'lookup-delay', latency: { fixedMs } });
    expect(bent([slow(50), slow(80), { kind: 'lookup-connection-reset' }], 60).effect.delayMs).toBe(80);
    expect(bent([slow(50)], 60).effect.delayMs).toBe(60);
  });

  it.for([
    // Box-Muller transform: with the random values u and v, the normal value is √(−2 ln(1−u)) · cos(2πv).
    [100, 1, [0, 0], 100],
    [100, 1, [1 - Math.exp(-0.5), 0], 272],
    [100, 1, [1 - Math.exp(-0.5), 0.5], 37],
    [100, 0, [0.9, 0.3], 100],
    [100, 2, [1 - Math.exp(-0.5), 0], 739],
    [10_000, 3, [1 - Math.exp(-2), 0], faultDelayMaxMs],
  ] as const)('draws a latency with median %i ms and sigma %i', ([medianMs, sigma, draws, delayMs]) => {
    expect(bent([{ kind: 'lookup-delay', latency: { medianMs, sigma } }], 0, draws).effect.delayMs).toBe(delayMs);
  });

  it.for([
    [{ kind: 'lookup-missing-field', field: 'name' }, { name: undefined }],
    [{ kind: 'lookup-missing-field', field: 'other' }, {}],
    [{ kind: 'lookup-unexpected-field', field: 'extra' }, { extra: { version: 3, items: [null] } }],
    [{ kind: 'lookup-null-avatar' }, { avatar: null }],
    [
      { kind: 'lookup-tool-error', message: 'Gone.' },
      {
        found: false,
        error: 'Gone.',
        username: undefined,
        name: undefined,
        avatar: undefined,
        profile_url: undefined,
        followers: undefined,
      },
    ],
    [
      { kind: 'lookup-long-name', characters: 8 },
      { username: 'adaadaad', name: 'AdaAdaAd' },
    ],
    [
      { kind: 'lookup-long-name', characters: 2 },
      { username: 'ad', name: 'Ad' },
    ],
    [{ kind: 'lookup-malformed-value', field: 'found' }, { found: 'yes' }],
    [{ kind: 'lookup-malformed-value', field: 'followers' }, { followers: '7,0' }],
    [{ kind: 'lookup-malformed-value', field: 'name' }, { name: ['Ada'] }],
    [{ kind: 'lookup-malformed-value', field: 'avatar' }, { avatar: 'http//not an address' }],
    [{ kind: 'lookup-malformed-value', field: 'profile_url' }, { profile_url: 'http//not an address' }],
    [{ kind: 'lookup-malformed-value', field: 'other' }, {}],
    [{ kind: 'lookup-malformed-value' }, { found: 'yes' }],
  ] as const)('%j changes only its own tool', ([fault, expected]) => {
    expect(changed(fault)).toEqual(expected);
  });

  it('a malformed value without a field name affects a random field, even of a tool without a match', () => {
    expect(changed({ kind: 'lookup-malformed-value' }, [0.99])).toEqual({ followers: '7,0' });
    const { krintle } = bent([{ kind: 'lookup-malformed-value', tool: 'krintle', field: 'found' }]).body.results;
    expect(krintle).toEqual({ found: 'no' });
    expect(bent([{ kind: 'lookup-null-avatar', tool: 'krintle' }]).body.results['krintle']).toEqual({ found: false });
  });

  it('control characters are appended to every name', () => {
    const { username, name, found } =
      bent([{ kind: 'lookup-control-characters', tool: 'all' }]).body.results['wexlar'] ?? {};
    expect(String(username)).toMatch(/^ada\p{Cc}/u);
    expect(String(name)).toMatch(/^Ada\p{Cc}/u);
    expect(found).toBe(true);
  });

  it('faults without a tool change the results of all tools, one fault after another', () => {
    const { results } = bent([
      { kind: 'lookup-missing-field', field: 'found' },
      { kind: 'lookup-unexpected-field', field: 'found' },
    ]).body;
    for (const found of [results['wexlar']?.['found'], results['krintle']?.['found']]) {
      expect(found).toEqual({ version: 3, items: [null] });
    }
  });
});
