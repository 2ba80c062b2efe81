/** A chart with what it was drawn from. */
export interface DrawnChart {
  /** Names its file and its place on a page. */
  readonly id: string;
  readonly title: string;
  /** A sentence for everybody. */
  readonly description: string;
  readonly svg: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
