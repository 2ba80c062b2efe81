import type { Position } from './yaml-source.ts';

/** Source of a scenario: its data, and the location of each part of it. */
export interface ScenarioSource {
  /** Displayed file name. */
  readonly file: string;
  readonly data: unknown;
  /** Returns the position of a path in the data. */
  position(path: readonly PropertyKey[]): Position;
  /** Returns the location of a path, for problems of its value. */
  place(path: readonly PropertyKey[]): string;
  /** Returns the location of a key, for problems of the key itself. */
  keyPlace(path: readonly PropertyKey[]): string;
}

/**
 * Source without a file. Locations in the source are paths, and the line of a step is its number, starting at 1.
 */
export class DataSource implements ScenarioSource {
  readonly file: string;
  readonly data: unknown;

  /** Creates a source with a displayed name. */
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
