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

/** Collects the faults of a file with their locations, so all of them are shown at once. */
export class RulesetFaults {
  readonly #source: YamlSource;
  readonly #base: Path;
  readonly #list: RulesetFault[];
  readonly #translate: (path: Path) => Path;

  /** Creates a collector. `base` is the path in the file of the value that is read: that of an edition's patch. */
  constructor(
    source: YamlSource,
    base: Path = [],
    list: RulesetFault[] = [],
    translate: (path: Path) => Path = (path) => path,
  ) {
    this.#source = source;
    this.#base = base;
    this.#list = list;
    this.#translate = translate;
  }

  /** Returns a collector for a part of the file that adds to the same list. */
  below(base: Path): RulesetFaults {
    return new RulesetFaults(this.#source, [...this.#base, ...base], this.#list);
  }

  /** Returns a collector that adds to the same list, where paths of the merged rules become those of a patch. */
  translated(translate: (path: Path) => Path): RulesetFaults {
    return new RulesetFaults(this.#source, this.#base, this.#list, translate);
  }

  /** Faults so far in the order of the file's lines. */
  get list(): readonly RulesetFault[] {
    return this.#list.toSorted((a, b) => lineIn(a.location) - lineIn(b.location));
  }

  get count(): number {
    return this.#list.filter(({ severity }) => severity === 'fault').length;
  }

  /** Adds a fault of a value. */
  add(code: RulesetFaultCode, path: Path, message: string): void {
    const whole = [...this.#base, ...this.#translate(path)];
    this.#push({ code, severity: 'fault', location: this.#source.place(whole), path: formatPath(whole), message });
  }

  /** Adds a fault of a key, such as one that is unknown. */
  addKey(code: RulesetFaultCode, path: Path, message: string): void {
    const whole = [...this.#base, ...this.#translate(path)];
    const holder = formatPath(whole.slice(0, -1));
    this.#push({ code, severity: 'fault', location: this.#source.keyPlace(whole), path: holder, message });
  }

  /** Adds a warning about a value. */
  warn(code: RulesetFaultCode, path: Path, message: string): void {
    const whole = [...this.#base, ...this.#translate(path)];
    this.#push({ code, severity: 'warning', location: this.#source.place(whole), path: formatPath(whole), message });
  }

  /** Adds a fault of the file itself. */
  addAt(code: RulesetFaultCode, location: string, message: string): void {
    this.#push({ code, severity: 'fault', location, path: '', message });
  }

  #push(fault: RulesetFault): void {
    const same = this.#list.some(
      ({ code, location, message }) => code === fault.code && location === fault.location && message === fault.message,
    );
    if (!same) this.#list.push(fault);
  }
}

function lineIn(location: string): number {
  return Number(location.split(':').at(-2) ?? 0);
}

/** Formats a fault as one line: code, location, path and message. */
export function formatFault({ code, severity, location, path, message }: RulesetFault): string {
  const subject = path === '' ? message : `${path}: ${message}`;
  return `${code} ${location} ${severity === 'warning' ? 'warning: ' : ''}${subject}`;
}
