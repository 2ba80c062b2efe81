/** Chart together with its data. */
export interface DrawnChart {
  /** Name of the chart's file and anchor on a page. */
  readonly id: string;
  readonly title: string;
  /** Content of the chart in one sentence. */
  readonly description: string;
  readonly svg: string;
  /** Names of the lines, shown as labels at the line ends, which are not visible on narrow screens. */
  readonly lines?: readonly string[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}
