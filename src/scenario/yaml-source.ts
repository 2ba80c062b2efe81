import { isMap, isNode, isScalar, isSeq, LineCounter, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import type { ValidationProblem } from '../core/errors.ts';
import { textAtMost, tooLarge } from './data-file.ts';
import { nestedTooDeeply, nestingMax, tooDeepAt } from './yaml-depth.ts';

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
  readonly problems: readonly ValidationProblem[];
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #lines = new LineCounter();
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

  /** Reads a file. Takes its path, the name to show for it, and the bytes that it may have: one with more is not read, and its fault. */
  static ofFile(path: string, shown: string, bytesMax: number): YamlSource {
    const text = textAtMost(path, bytesMax);
    return text === null ? new YamlSource(shown, '', tooLarge(bytesMax)) : new YamlSource(shown, text);
  }

  /** Takes the name to show for the file, its text, and why it could not be read, if so. */
  constructor(file: string, given: string, unread: string | null = null) {
    this.file = file;
    const deepAt = tooDeepAt(given);
    const text = deepAt === null ? given : '';
    // The parser compares each key of a mapping with all before it, which a file of many keys makes last for minutes.
    this.#document = parseDocument(text, { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false });
    const { errors } = this.#document;
    const faults =
      errors.length > 0
        ? errors.map(({ message, pos }) => ({ location: this.#at(pos[0]), message }))
        : this.#repeatedKeys();
    const { data, fault } = faults.length > 0 ? { data: null, fault: null } : this.#read();
    this.data = data;
    const whole = unread ?? fault;
    if (deepAt !== null)
      this.problems = [{ location: placeAt(file, given, deepAt), message: `It ${nestedTooDeeply}.` }];
    else this.problems = whole === null ? faults : [{ location: `${file}:1:1`, message: whole }];
  }

  /** Where a path of the data stands; where it is not written, the nearest part that is. */
  position(path: readonly PropertyKey[]): Position {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node = this.#nodeAt(path.slice(0, depth));
      if (isNode(node) && node.range) {
        const { line, col } = this.#lines.linePos(node.range[0]);
        return { line, column: col };
      }
    }
    return { line: 1, column: 1 };
  }

  /** The place of a key itself, for faults of the key rather than of its value. */
  keyPlace(path: readonly PropertyKey[]): string {
    const holder = this.#nodeAt(path.slice(0, -1));
    const pair = isMap(holder) ? this.#pairsOf(holder).get(path.at(-1)) : undefined;
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
      const fault = faultOf(data);
      return fault === null ? { data, fault } : { data: null, fault };
    } catch (error) {
      // Aliases go deeper than any part of the text.
      if (error instanceof RangeError) return { data: null, fault: `It ${nestedTooDeeply}.` };
      return { data: null, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The node of a path; `undefined` where nothing is written there. */
  #nodeAt(path: readonly PropertyKey[]): unknown {
    let node: unknown = this.#document.contents;
    for (const key of path) {
      if (isMap(node)) node = this.#pairsOf(node).get(key)?.value;
      else node = isSeq(node) ? node.items[Number(key)] : undefined;
    }
    return node;
  }

  /** Pairs of a mapping by key, the first of each. */
  #pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map<unknown, Pair>();
    for (const pair of map.items) {
      const key = keyOf(pair);
      if (!pairs.has(key)) pairs.set(key, pair);
    }
    this.#pairs.set(map, pairs);
    return pairs;
  }

  #repeatedKeys(): readonly ValidationProblem[] {
    const found: ValidationProblem[] = [];
    visit(this.#document, {
      Map: (_, map) => {
        const keys = new Set<unknown>();
        for (const pair of map.items) {
          const key = keyOf(pair);
          const offset = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
          if (keys.has(key)) found.push({ location: this.#at(offset), message: 'Map keys must be unique' });
          keys.add(key);
        }
      },
    });
    return found;
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }
}

/** What a key is compared by: its value, or itself where it is no single one. */
function keyOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : key;
}

/** What is wrong with a value that aliases made: some part of it holds itself, or is held by too many. Takes the parts that hold this one. */
function faultOf(value: unknown, holders: readonly object[] = []): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (holders.includes(value)) return 'An alias stands within what it repeats.';
  if (holders.length >= nestingMax) return `It ${nestedTooDeeply}.`;
  const within = [...holders, value];
  for (const part of Object.values(value)) {
    const fault = faultOf(part, within);
    if (fault !== null) return fault;
  }
  return null;
}

/** An offset as `file:line:column`. */
function placeAt(file: string, text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${file}:${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}
