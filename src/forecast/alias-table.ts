/**
 * Walker's alias method in Vose's form, over 32-bit words: the upper bits of a word choose a column, the lower ones between its
 * two outcomes. One word draws from any number of outcomes, with probabilities exact to 2^-32 each.
 */
export interface AliasTable {
  /** Columns are a power of two: two to this. */
  readonly bits: number;
  /** For each column, the lower bits of a word below which its own outcome is drawn. */
  readonly thresholds: Uint32Array;
  /** For each column its own outcome in the lower half of the word and the other one in the upper half. */
  readonly outcomes: Uint32Array;
}

/** Outcomes are kept in 16 bits. */
export const outcomesMax = 2 ** 16;

/**
 * A table that draws outcomes by weight. Takes weights, not all 0, and the outcome of each, below 2^16; the order of both is
 * part of the result. `bits` asks for more columns than are needed, so that tables can stand in one row.
 */
export function aliasTable(weights: readonly number[], outcomes: readonly number[], bits = 0): AliasTable {
  const needed = Math.max(1, bits, Math.ceil(Math.log2(weights.length)));
  const columns = 2 ** needed;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scaled = Array.from({ length: columns }, (_, column) => ((weights[column] ?? 0) / total) * columns);
  const aliases = scaled.map((_, column) => column);
  const chances = scaled.map(() => 1);
  const small: number[] = [];
  const large: number[] = [];
  for (const [column, weight] of scaled.entries()) (weight < 1 ? small : large).push(column);
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop() as number;
    const rich = large.pop() as number;
    chances[poor] = scaled[poor] as number;
    aliases[poor] = rich;
    scaled[rich] = (scaled[rich] as number) - (1 - (scaled[poor] as number));
    ((scaled[rich] as number) < 1 ? small : large).push(rich);
  }
  // What rounding leaves over in `small` has no partner; without weight of its own it takes that of the likeliest outcome.
  const likeliest = weights.indexOf(Math.max(...weights));
  for (const column of small) {
    if ((weights[column] ?? 0) === 0) aliases[column] = likeliest;
    if ((weights[column] ?? 0) === 0) chances[column] = 0;
  }
  const range = 2 ** (32 - needed);
  return {
    bits: needed,
    thresholds: Uint32Array.from(chances, (chance) => Math.min(range - 1, Math.round(chance * range))),
    outcomes: Uint32Array.from(chances, (chance, column) => {
      const own = outcomes[column] ?? 0;
      // A column that is all its own holds its outcome twice, so that its threshold does not matter.
      const other = chance === 1 ? own : (outcomes[aliases[column] as number] ?? 0);
      return (other << 16) | own;
    }),
  };
}

/** The outcome that a word draws. Takes a table and any 32-bit word. */
export function sampleAlias({ bits, thresholds, outcomes }: AliasTable, word: number): number {
  const column = word >>> (32 - bits);
  const pair = outcomes[column] as number;
  const rest = word & (-1 >>> bits);
  return rest < (thresholds[column] as number) ? pair & 0xffff : pair >>> 16;
}
