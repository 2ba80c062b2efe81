import { applyToLookup, beginLookup } from '../src/journal/lookup-state.ts';

/**
 * Prints the memory, in MiB, of the quotas of 100,000 callers. Each caller has as many calls of three tools in the
 * last minute as a token may make. Requires the flag --expose-gc.
 */
const callers = 100_000;
const callsOfEach = 30;
const tools = ['quorvex', 'plimbo', 'all'];
const startMs = 1_767_603_600_000;

const collect = globalThis.gc;
if (collect === undefined) throw new Error('Run it with --expose-gc.');
const lookup = beginLookup(undefined);
collect();
const beforeBytes = process.memoryUsage().heapUsed;
for (let caller = 0; caller < callers; caller += 1) {
  for (let call = 0; call < callsOfEach; call += 1) {
    const tool = tools[call % tools.length] ?? 'all';
    const input = { type: 'lookup.charged', caller: `token:${caller}`, tool, cost: 1 } as const;
    applyToLookup(lookup, input, startMs + call * 1_000);
  }
}
collect();
if (lookup.uses.size !== callers) throw new Error('A caller is missing.');
console.log(((process.memoryUsage().heapUsed - beforeBytes) / 2 ** 20).toFixed(1));
