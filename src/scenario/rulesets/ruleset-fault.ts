import type { YamlSource } from '../yaml-source.ts';

/** Codes of the faults of a ruleset file: one for each row of the format, then those of its check. */
export type RulesetFaultCode = `RS${number}`;

/** Fault or warning of a ruleset file. */
export interface RulesetFault {
  readonly code: RulesetFaultCode;
  readonly severity: 'fault' | 'warning';
  /** `file:line:column`. */
  readonly location: string;
  /** Path of the key in the file, such as `cadence.every`. */
  readonly path: string;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

export type Path = readonly PropertyKey[];

/** Formats a path as it is written in messages. */
function formatPath(path: Path): string {
  return path.map(String).join('.');
}

/** Period of a ruleset whose merged rules are read, as faults see it. */
interface FaultPeriod {
  /** Translates a path of the merged rules to that of the patch. */
  translate(path: Path): Path;
  /** Returns the path of the key that names what a file inherits from its base, or `null` for a part of the file. */
  inheritedFrom(path: Path): Path | null;
  /** Notes a fault, and returns true if the period before already has it. */
  inherits(code: RulesetFaultCode, path: Path, message: string): boolean;
}

/** Faults of a file, and how many were not added because an earlier period of its rules already has them. */
interface CollectedFaults {
  readonly list: RulesetFault[];
  inherited: number;
}

/** Collects the faults of a file with their locations, so all of them are shown at once. */
export class RulesetFaults {
  readonly #source: YamlSource;
  readonly #base: Path;
  readonly #collected: CollectedFaults;
  readonly #period: FaultPeriod | null;

  /** Creates a collector. `base` is the path in the file of the value that is read: that of an edition's patch. */
  constructor(
    source: YamlSource,
    base: Path = [],
    collected: CollectedFaults = { list: [], inherited: 0 },
    period: FaultPeriod | null = null,
  ) {
    this.#source = source;
    this.#base = base;
    this.#collected = collected;
    this.#period = period;
  }

  /** Returns a collector for a part of the file that adds to the same list. */
  below(base: Path): RulesetFaults {
    return new RulesetFaults(this.#source, [...this.#base, ...base], this.#collected);
  }

  /**
   * Returns a collector for the merged rules of a period that adds to the same list. Their paths become those of the
   * patch, and what the period before already has is counted alone.
   */
  inPeriod(period: FaultPeriod): RulesetFaults {
    return new RulesetFaults(this.#source, this.#base, this.#collected, period);
  }

  /** Faults so far in their order in the file. */
  get list(): readonly RulesetFault[] {
    return this.#collected.list.toSorted((a, b) => {
      const [line, column] = positionIn(a.location);
      const [otherLine, otherColumn] = positionIn(b.location);
      return line - otherLine || column - otherColumn;
    });
  }

  get count(): number {
    const { list, inherited } = this.#collected;
    return list.filter(({ severity }) => severity === 'fault').length + inherited;
  }

  /** Adds a fault of a value. */
  add(code: RulesetFaultCode, path: Path, message: string): void {
    this.#addValue('fault', code, path, message);
  }

  /** Adds a fault of a key, such as one that is unknown. */
  addKey(code: RulesetFaultCode, path: Path, message: string): void {
    const whole = this.#locate(path);
    const holder = formatPath(whole.slice(0, -1));
    const location = this.#source.keyPlace(whole);
    const fault: RulesetFault = { code, severity: 'fault', location, path: holder, message };
    if (!this.#inherits(fault, path)) this.#push(fault);
  }

  /** Adds a warning about a value. */
  warn(code: RulesetFaultCode, path: Path, message: string): void {
    this.#addValue('warning', code, path, message);
  }

  /** Adds a fault of the file itself. */
  addAt(code: RulesetFaultCode, location: string, message: string): void {
    this.#push({ code, severity: 'fault', location, path: '', message });
  }

  #addValue(severity: RulesetFault['severity'], code: RulesetFaultCode, path: Path, message: string): void {
    const whole = this.#locate(path);
    const location = this.#source.place(this.#period?.inheritedFrom(path) ?? whole);
    const fault: RulesetFault = { code, severity, location, path: formatPath(whole), message };
    if (!this.#inherits(fault, path)) this.#push(fault);
  }

  #locate(path: Path): Path {
    return [...this.#base, ...(this.#period?.translate(path) ?? path)];
  }

  /** Counts a fault that the period before already has, and returns whether it has it. */
  #inherits({ code, severity, message }: RulesetFault, path: Path): boolean {
    if (this.#period?.inherits(code, path, message) !== true) return false;
    if (severity === 'fault') this.#collected.inherited += 1;
    return true;
  }

  #push(fault: RulesetFault): void {
    const { list } = this.#collected;
    const same = list.some(
      ({ code, location, message }) => code === fault.code && location === fault.location && message === fault.message,
    );
    if (!same) list.push(fault);
  }
}

function positionIn(location: string): readonly [line: number, column: number] {
  const [line = 0, column = 0] = location.split(':').slice(-2).map(Number);
  return [line, column];
}

/** Formats a fault as one line: code, location, path and message. */
export function formatFault({ code, severity, location, path, message }: RulesetFault): string {
  const subject = path === '' ? message : `${path}: ${message}`;
  return `${code} ${location} ${severity === 'warning' ? 'warning: ' : ''}${subject}`;
}
