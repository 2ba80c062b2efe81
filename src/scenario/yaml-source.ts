import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../core/errors.ts';

/** A place in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Aliases that a YAML file may expand; more is taken for an attack on memory. */
const aliasesMax = 100;

/** A YAML text with its data and the places of it. */
export class YamlSource {
  readonly file: string;
  readonly data: unknown;
  /** Faults of the YAML itself. */
  readonly problems: readonly Problem[];
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #lines = new LineCounter();

  /** Takes the name to show for the file and its text. */
  constructor(file: string, text: string) {
    this.file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, uniqueKeys: true, prettyErrors: false });
    const faults = this.#document.errors.map(({ message, pos }) => ({ place: this.#at(pos[0]), message }));
    const { data, fault } = faults.length > 0 ? { data: null, fault: null } : this.#read();
    this.data = data;
    this.problems = fault === null ? faults : [{ place: `${file}:1:1`, message: fault }];
  }

  /** Where a path of the data stands; where it is not written, the nearest part that is. */
  position(path: readonly PropertyKey[]): Position {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node = depth === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) {
        const { line, col } = this.#lines.linePos(node.range[0]);
        return { line, column: col };
      }
    }
    return { line: 1, column: 1 };
  }

  /** The place of a key itself, for faults of the key rather than of its value. */
  keyPlace(path: readonly PropertyKey[]): string {
    const holder = path.length === 1 ? this.#document.contents : this.#document.getIn(path.slice(0, -1), true);
    const pair = isMap(holder) ? holder.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
    return isScalar(pair?.key) && pair.key.range ? this.#at(pair.key.range[0]) : this.place(path);
  }

  /** The place of a path as `file:line:column`. */
  place(path: readonly PropertyKey[]): string {
    const { line, column } = this.position(path);
    return `${this.file}:${line}:${column}`;
  }

  #read(): { data: unknown; fault: string | null } {
    try {
      const data: unknown = this.#document.toJS({ maxAliasCount: aliasesMax });
      return isEndless(data) ? { data: null, fault: 'An alias stands within what it repeats.' } : { data, fault: null };
    } catch (error) {
      return { data: null, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }
}

/** Whether some part of a value holds itself. Takes the parts that hold this one. */
function isEndless(value: unknown, holders: readonly object[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (holders.includes(value)) return true;
  const within = [...holders, value];
  return Object.values(value).some((part) => isEndless(part, within));
}
