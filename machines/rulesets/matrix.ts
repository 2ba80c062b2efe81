import { type MatrixPlatform, matrixPlatforms, type PasskeyType, type Ruleset } from '../vocabulary.ts';

/**
 * Parses a row of the R12 suppression matrix in the format of the specification: six cells in column order, where 1
 * means that the passkey type suppresses the prompt.
 */
export function row(...cells: readonly [0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1]): Ruleset['matrix'][PasskeyType] {
  return Object.fromEntries(matrixPlatforms.map((platform, column) => [platform, cells[column] === 1])) as Record<
    MatrixPlatform,
    boolean
  >;
}
