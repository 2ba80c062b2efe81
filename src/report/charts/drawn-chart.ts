/** A chart with what it was drawn from. */
export interface DrawnChart {
  /** Names its file and its place on a page. */
  readonly id: string;
  readonly title: string;
  /** A sentence for everyone. */
  readonly description: string;
  readonly svg: string;
  /** Names of its lines, which stand at their ends and are out of sight on a narrow screen. */
  readonly lines?: readonly string[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
