import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { ValidationProblem } from '../core/errors.ts';
import { textAtMost, tooLarge } from './data-file.ts';
import { nestedTooDeeply, nestingMax, tooDeepAt } from './yaml-depth.ts';

/** Position in a file. Lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Maximum number of aliases that a YAML file can expand. More are treated as an attack on memory. */
export const aliasesMax = 100;

/** YAML text with its data and the locations in it. */
export class YamlSource {
  readonly file: string;
  readonly data: unknown;
  /** Problems of the YAML syntax. */
  readonly problems: readonly ValidationProblem[];
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #lines = new LineCounter();
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();

  /**
   * Reads a file. `shown` is the displayed name. A file with more than `bytesMax` bytes is not read and has a
   * problem.
   */
  static ofFile(path: string, displayPath: string, bytesMax: number): YamlSource {
    const text = textAtMost(path, bytesMax);
    return text === null ? new YamlSource(displayPath, '', tooLarge(bytesMax)) : new YamlSource(displayPath, text);
  }

  /** Parses a text. `unread` is the reason why the file could not be read, or `null` if it was. */
  constructor(file: string, given: string, unread: string | null = null) {
    this.file = file;
    const deepAt = tooDeepAt(given);
    const text = deepAt === null ? given : '';
    // The parser's own check compares each key with all earlier ones, which would take minutes for a mapping with many
    // keys.
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    nameNullKeys(this.#document);
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
    else if (whole === null) this.problems = faults;
    else {
      const aliasAt = whole === aliasInside ? this.#innerAlias() : null;
      this.problems = [{ location: aliasAt === null ? `${file}:1:1` : this.#at(aliasAt), message: whole }];
    }
  }

  /** Returns the position of a path, or of its nearest parent that exists in the text. */
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

  /** Returns the location of a key, for problems of the key rather than of its value. */
  keyPlace(path: readonly PropertyKey[]): string {
    const holder = this.#nodeAt(path.slice(0, -1));
    const pair = isMap(holder) ? this.#getPair(holder, path.at(-1)) : undefined;
    return isScalar(pair?.key) && pair.key.range ? this.#at(pair.key.range[0]) : this.place(path);
  }

  /** Returns the location of a path as `file:line:column`. */
  place(path: readonly PropertyKey[]): string {
    const { line, column } = this.position(path);
    return `${this.file}:${line}:${column}`;
  }

  #read(): { data: unknown; fault: string | null } {
    try {
      const data: unknown = this.#document.toJS({ maxAliasCount: aliasesMax });
      const fault = findFault(data);
      return fault === null ? { data, fault } : { data: null, fault };
    } catch (error) {
      // Aliases can nest deeper than any part of the text.
      if (error instanceof RangeError) return { data: null, fault: `It ${nestedTooDeeply}.` };
      return { data: null, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Returns the node of a path, or `undefined` if it does not exist. */
  #nodeAt(path: readonly PropertyKey[]): unknown {
    let node: unknown = this.#document.contents;
    for (const key of path) {
      if (isMap(node)) node = this.#getPair(node, key)?.value;
      else node = isSeq(node) ? node.items[Number(key)] : undefined;
    }
    return node;
  }

  /** Returns the pair of a key. A key that is a number is a text in the data. */
  #getPair(map: YAMLMap, key: unknown): Pair | undefined {
    const pairs = this.#getPairs(map);
    return pairs.get(key) ?? map.items.find((pair) => String(getKey(pair)) === key);
  }

  /** Returns the pairs of a mapping by key, and only the first one of each key. */
  #getPairs(map: YAMLMap): ReadonlyMap<unknown, Pair> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map<unknown, Pair>();
    for (const pair of map.items) {
      const key = getKey(pair);
      if (!pairs.has(key)) pairs.set(key, pair);
    }
    this.#pairs.set(map, pairs);
    return pairs;
  }

  /** Returns the offset of the first alias inside the node that it repeats, or `null`. */
  #innerAlias(): number | null {
    const offsets: number[] = [];
    visit(this.#document, {
      Alias: (_, alias, path) => {
        const repeats = path.some((parent) => !isPair(parent) && 'anchor' in parent && parent.anchor === alias.source);
        if (repeats) offsets.push(alias.range?.[0] ?? 0);
      },
    });
    return offsets[0] ?? null;
  }

  #repeatedKeys(): readonly ValidationProblem[] {
    const found: ValidationProblem[] = [];
    visit(this.#document, {
      Map: (_, map) => {
        const keys = new Set<unknown>();
        for (const pair of map.items) {
          const key = getKey(pair);
          const offset = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
          const message = `Map keys must be unique: ${JSON.stringify(key)}`;
          if (keys.has(key)) found.push({ location: this.#at(offset), message });
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

/** Returns the value by which a key is compared, or the key itself if it is not a scalar. */
function getKey({ key }: Pair): unknown {
  return isScalar(key) ? key.value : key;
}

const aliasInside = 'An alias must not be inside the node that it repeats.';

/**
 * Returns the problem of a value with aliases, which can contain itself or be nested too deeply. `holders` are its
 * parents.
 */
function findFault(value: unknown, holders: readonly object[] = []): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (holders.includes(value)) return aliasInside;
  if (holders.length >= nestingMax) return `It ${nestedTooDeeply}.`;
  const within = [...holders, value];
  for (const part of Object.values(value)) {
    const fault = findFault(part, within);
    if (fault !== null) return fault;
  }
  return null;
}

/** Formats an offset as `file:line:column`. */
function placeAt(file: string, text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${file}:${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}

/** Names a key that is written as `null`, which would otherwise be an empty text. */
function nameNullKeys(document: ReturnType<typeof parseDocument>): void {
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === null && key.source) key.value = 'null';
    },
  });
}
