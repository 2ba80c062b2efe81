import type { Parameter } from '../../../src/generate/covering-arrays/array-options.ts';

/**
 * Creates the parameters of a model such as `4^2 3`: two parameters with four values and one with three, named f0, f1
 * and f2.
 */
export function parseParameters(model: string): readonly Parameter[] {
  return model
    .split(' ')
    .flatMap((part) => {
      const [values = 0, count = 1] = part.split('^').map(Number);
      return Array.from({ length: count }, () => values);
    })
    .map((count, at) => ({ name: `f${at}`, values: Array.from({ length: count }, (_, value) => value) }));
}
