/**
 * Table for Walker's alias method in Vose's form with 32-bit words. The upper bits of a word select a column, and
 * the lower bits select one of its two outcomes. One word draws from any number of outcomes, with probabilities
 * exact to 2^-32 each.
 */
export interface AliasTable {
  /** Base-2 logarithm of the number of columns. */
  readonly bits: number;
  /** Thresholds by column. If the lower bits of a word are below the threshold, the column's own outcome is drawn. */
  readonly thresholds: Uint32Array;
  /**
   * Outcomes by column. The lower half of a word contains the column's own outcome, and the upper half the
   * alternative.
   */
  readonly outcomes: Uint32Array;
}

/** Maximum number of outcomes, because an outcome is stored in 16 bits. */
export const outcomesMax = 2 ** 16;

/**
 * Creates a table that draws outcomes by weight. The result depends on the order of both lists.
 * @param weights - weights, of which at least one is not 0
 * @param outcomes - outcome of each weight, below 2^16
 * @param bits - minimum base-2 logarithm of the number of columns, which lets several tables share one layout
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
  // A column that remains in `small` because of rounding has no partner. If its weight is 0, it gets the likeliest
  // outcome.
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
      // A column without an alternative contains its outcome twice, so its threshold has no effect.
      const other = chance === 1 ? own : (outcomes[aliases[column] as number] ?? 0);
      return (other << 16) | own;
    }),
  };
}

/** Returns the outcome that a 32-bit random word draws from a table. */
export function sampleAlias({ bits, thresholds, outcomes }: AliasTable, word: number): number {
  const column = word >>> (32 - bits);
  const pair = outcomes[column] as number;
  const rest = word & (-1 >>> bits);
  return rest < (thresholds[column] as number) ? pair & 0xffff : pair >>> 16;
}
