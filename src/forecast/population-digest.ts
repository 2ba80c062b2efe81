/**
 * A digest of how every user ended: FNV-1a over the words of the population, 32 bits. Takes one word for each user, in their order;
 * returns eight hex digits.
 */
export function digestOfPopulation(population: Uint32Array): string {
  let hash = 0x811c9dc5;
  for (const word of population) hash = Math.imul(hash ^ word, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
