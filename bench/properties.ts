import { checkProperties } from '../src/properties/check/check-properties.ts';
import { createBuiltInModel } from '../src/properties/models/built-in-models.ts';
import { readShippedProperties } from '../src/properties/shipped-properties.ts';
import { atRate, type BenchRow } from './measure.ts';

const propertiesChecked = 10;
const rateMin = 1_000_000;

/**
 * Checks ten properties of the specification, safety and liveness, on the product of campaign, user and lifecycle. The
 * rate counts each state of the product once for each property. The time of a property is that from the previous
 * result, so compiling the machines and listing the steps is measured by the first row alone.
 */
export async function benchProperties(): Promise<readonly BenchRow[]> {
  const properties = readShippedProperties().filter(({ machine }) => machine === 'lifecycle');
  const model = createBuiltInModel('tenant-large');
  if (model === null || properties.length < propertiesChecked) throw new Error('The properties are missing.');
  const chosen = properties.slice(-propertiesChecked);
  const began = performance.now();
  const endedMs: number[] = [];
  const results = checkProperties(model, [...chosen.slice(0, 1), ...chosen], {
    onResult: () => endedMs.push(performance.now()),
  });
  const ms = (endedMs.at(-1) ?? 0) - (endedMs[0] ?? 0);
  const states = results[0]?.states ?? 0;
  const rate = (states * propertiesChecked * 1000) / ms;
  const proven = results.slice(1).filter(({ verdict }) => verdict === 'proven').length;
  const stated = { theirs: null, ratio: null } as const;
  return [
    {
      what: `compiling and listing ${(results[0]?.steps ?? 0).toLocaleString('en-GB')} steps, with one property`,
      ours: (endedMs[0] ?? 0) - began,
      unit: 'ms',
      bar: 'stated',
      reached: true,
      ...stated,
    },
    atRate(
      rateMin,
      `${propertiesChecked} properties on ${states.toLocaleString('en-GB')} states, ${proven} proven`,
      rate,
      'states/s and property',
    ),
  ];
}
