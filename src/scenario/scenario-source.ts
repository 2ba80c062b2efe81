import type { Position } from './yaml-source.ts';

/** What a scenario is built from: its data, and a name for each place of it. */
export interface ScenarioSource {
  /** The name to show for it. */
  readonly file: string;
  readonly data: unknown;
  /** Where a path of the data stands. */
  position(path: readonly PropertyKey[]): Position;
  /** The place of a path, for the faults of a value. */
  place(path: readonly PropertyKey[]): string;
  /** The place of a key itself, for the faults of the key. */
  keyPlace(path: readonly PropertyKey[]): string;
}

/** Data that stands in no file: its places are paths, and a step's line is its number from 1. */
export class DataSource implements ScenarioSource {
  readonly file: string;
  readonly data: unknown;

  /** Takes the name to show for the data, and the data. */
  constructor(name: string, data: unknown) {
    this.file = name;
    this.data = data;
  }

  position([part, index]: readonly PropertyKey[]): Position {
    return { line: part === 'steps' && typeof index === 'number' ? index + 1 : 1, column: 1 };
  }

  place([part, index, ...rest]: readonly PropertyKey[]): string {
    const step = part === 'steps' && typeof index === 'number' ? `step ${index + 1}` : undefined;
    const path = step === undefined ? [part, index, ...rest] : [step, ...rest];
    return `${this.file}: ${path
      .filter((key) => key !== undefined)
      .map(String)
      .join('.')}`;
  }

  keyPlace(path: readonly PropertyKey[]): string {
    return this.place(path);
  }
}
