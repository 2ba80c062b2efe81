import { isAlias, isCollection, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { rulesetBytesMax } from '../../core/limits.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { textAtMost } from '../data-file.ts';
import { tooDeepAt } from '../yaml-depth.ts';
import { aliasesMax, YamlSource } from '../yaml-source.ts';
import { RulesetFaults } from './ruleset-fault.ts';

/** Limits of a ruleset file besides its size (OC16). */
const depthMax = 24;
const nodesMax = 5_000;

/** Keys that would change the prototype of an object, and the key that merges mappings. No data contains them. */
const prototypeKeys = ['__proto__', 'constructor', 'prototype'];
const refusedKeys = [...prototypeKeys, '<<'];

/** Text of a ruleset with its data, and a collector that already has the faults of its syntax. */
export interface RulesetText {
  readonly source: YamlSource;
  readonly faults: RulesetFaults;
  /** The mapping at the top of the file without refused keys, which are faults; `null` if it could not be read. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/**
 * Reads the text of a ruleset file.
 *
 * @param path - path of the file
 * @param displayPath - path that faults name
 * @returns the text with its data; a file that is larger than the limit has no data and one fault
 */
export function readRulesetFile(path: string, displayPath: string): RulesetText {
  const text = textAtMost(path, rulesetBytesMax);
  if (text !== null) return parseRulesetText(displayPath, text);
  const source = new YamlSource(displayPath, '');
  const faults = new RulesetFaults(source);
  faults.addAt(
    'RS01',
    `${displayPath}:1:1`,
    `the file is larger than ${rulesetBytesMax} bytes; divide the campaign or shorten it`,
  );
  return { source, faults, data: null };
}

/** Parses the text of a ruleset, and checks its syntax and size (OC16). */
export function parseRulesetText(displayPath: string, text: string): RulesetText {
  const source = new YamlSource(displayPath, text);
  const faults = new RulesetFaults(source);
  if (new TextEncoder().encode(text).length > rulesetBytesMax) {
    faults.addAt('RS01', `${displayPath}:1:1`, `the file is larger than ${rulesetBytesMax} bytes`);
    return { source, faults, data: null };
  }
  for (const { location, message } of source.problems) faults.addAt('RS01', location, adviceOn(message));
  const refused = tooDeepAt(text) === null ? checkNodes(displayPath, text, faults) : 0;
  if (faults.count > refused) return { source, faults, data: null };
  const data = refused === 0 ? source.data : withoutRefused(source.data);
  if (isPlainObject(data)) return { source, faults, data };
  faults.addAt('RS01', `${displayPath}:1:1`, 'the file is no mapping; begin with ruleset: and an id');
  return { source, faults, data: null };
}

/** Returns what to write instead, for problems that the parser of YAML words for programmers. */
function adviceOn(message: string): string {
  const [, repeated] = /^Map keys must be unique: (.*)$/.exec(message) ?? [];
  if (repeated !== undefined) return `the key ${repeated} is repeated; keep one of its values`;
  const known = parserMessages.find(([text]) => message.includes(text));
  return known === undefined ? message : known[1];
}

const parserMessages: readonly (readonly [text: string, advice: string])[] = [
  ['multiple documents', 'the file has several documents; keep one, and remove the line ---'],
  ['Excessive alias count', `has too many aliases; ${aliasesMax} are allowed, so repeat the values`],
];

/** Copies a value without refused keys, so that the rest of the file is read. */
function withoutRefused(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefused);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !refusedKeys.includes(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutRefused(part)]));
}

/**
 * Checks what the parser accepts and a ruleset does not: tags, refused keys, depth and number of nodes.
 *
 * @returns the number of refused keys. All other faults prevent that the file is read.
 */
function checkNodes(file: string, text: string, faults: RulesetFaults): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  let nodes = 0;
  let refused = 0;
  let tooDeep = false;
  visit(document, {
    Node: (_key, node, path) => {
      nodes += 1;
      const at = place(node.range?.[0] ?? 0);
      if (!isAlias(node) && node.tag !== undefined) {
        faults.addAt('RS01', at, `tags such as ${node.tag} are not part of the format; write a plain value`);
      }
      const depth = path.filter((parent) => isNode(parent)).length;
      if (depth > depthMax && !tooDeep) {
        tooDeep = true;
        faults.addAt('RS01', at, `is nested deeper than ${depthMax} levels`);
      }
    },
    Pair: (_key, { key }) => {
      if (isCollection(key)) {
        faults.addAt('RS01', place(key.range?.[0] ?? 0), 'a list or mapping is no key; write a name');
      }
      if (!isScalar(key) || typeof key.value !== 'string') return;
      if (!refusedKeys.includes(key.value)) return;
      refused += 1;
      const message = prototypeKeys.includes(key.value)
        ? `the key "${key.value}" is not allowed; choose another name, or leave it out`
        : 'merge keys are not part of the format; repeat the keys';
      faults.addAt('RS01', place(key.range?.[0] ?? 0), message);
    },
  });
  if (nodes > nodesMax) {
    faults.addAt('RS01', `${file}:1:1`, `has ${nodes} nodes; ${nodesMax} are allowed`);
  }
  return refused;
}
