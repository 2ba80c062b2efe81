import { type MatrixPlatform, matrixPlatforms, type PasskeyType, type Ruleset } from '../vocabulary.ts';

/**
 * Reads a row of the R12 matrix as the specification prints it: six cells, 1 = suppresses, in the order of the columns.
 */
export function row(...cells: readonly [0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1]): Ruleset['matrix'][PasskeyType] {
  return Object.fromEntries(matrixPlatforms.map((platform, column) => [platform, cells[column] === 1])) as Record<
    MatrixPlatform,
    boolean
  >;
}
