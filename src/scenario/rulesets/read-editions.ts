import { parseInstantValue } from '../../contract/ruleset-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { patchRules } from './patch-rules.ts';
import { rowCodes } from './read-shapes.ts';
import { RulesPeriod } from './rules-period.ts';
import type { RulesetFaults } from './ruleset-fault.ts';

/** Keys that an edition cannot change, because ledgers and ids outlive it (RS32). */
const fixedKeys = ['ruleset', 'format', 'facts', 'editions', 'version', 'base'];

/**
 * Reports keys that a patch removes although they are needed.
 *
 * @param patch - changed keys
 * @param needed - keys that a ruleset has at all times
 * @param faults - collector of faults, located in the patch
 */
export function refuseRemoval(
  patch: Readonly<Record<string, unknown>>,
  needed: readonly string[],
  faults: RulesetFaults,
): void {
  for (const key of needed.filter((one) => Object.hasOwn(patch, one) && patch[one] === null)) {
    faults.add(
      rowCodes[key as keyof typeof rowCodes],
      [key],
      `the key ${key} is needed; write a value, or leave it out`,
    );
  }
}

/** How the rules of an edition are read. */
interface EditionReader<Rules> {
  /** Further keys that an edition cannot change, with the reasons. */
  readonly lasting?: Readonly<Record<string, string>>;
  /** Keys that an edition can change, but not remove. */
  readonly needed: readonly string[];
  /** Reads the rules from the patched keys. Faults are located in the patch. */
  read(current: Readonly<Record<string, unknown>>, faults: RulesetFaults, edition: string): Rules | null;
}

/**
 * Reads the editions of a ruleset: each is a merge patch over the result of the ones before (OC57). Faults of a result
 * are located in the patch, and those of the period before are not added again. The shapes of the editions are checked
 * elsewhere; here, what has another shape is left out, so that the rest is read.
 *
 * @param data - keys of the file over those of its bases
 * @param first - rules before the first edition, which were read
 * @param faults - collector of the file's faults
 * @param reader - how the rules of an edition are read
 */
export function readEditions<Rules>(
  data: Readonly<Record<string, unknown>>,
  first: RulesPeriod,
  faults: RulesetFaults,
  { lasting = {}, needed, read }: EditionReader<Rules>,
): readonly { readonly fromMs: number; readonly rules: Rules }[] {
  const editions: { readonly fromMs: number; readonly rules: Rules }[] = [];
  const { editions: written, ...start } = data;
  let current: Readonly<Record<string, unknown>> = start;
  let period = first;
  const heads = new EditionHeads(faults);
  for (const [index, edition] of (Array.isArray(written) ? (written as readonly unknown[]) : []).entries()) {
    if (!isPlainObject(edition)) continue;
    const { name, fromMs } = heads.read(edition, index);
    const inSet = faults.below(['editions', index, 'set']);
    const set = withoutLasting(isPlainObject(edition['set']) ? edition['set'] : {}, lasting, inSet);
    refuseRemoval(set, needed, inSet);
    current = patchRules(current, set, inSet);
    period = new RulesPeriod(current, set, period);
    const rules = read(current, inSet.inPeriod(period), name);
    if (rules !== null && fromMs !== null) editions.push({ fromMs, rules });
  }
  return editions;
}

/** Reads the beginnings and names of editions, which are in order and differ from each other. */
class EditionHeads {
  readonly #faults: RulesetFaults;
  readonly #names = new Set<string>();
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(faults: RulesetFaults) {
    this.#faults = faults;
  }

  read(
    { from, id }: Readonly<Record<string, unknown>>,
    index: number,
  ): { readonly name: string; readonly fromMs: number | null } {
    const path = ['editions', index];
    const name = String(id ?? dateIn(from) ?? index);
    if (this.#names.has(name)) {
      const [at, advice] = id === undefined ? ['from', 'write another id'] : ['id', 'give each edition its own'];
      this.#faults.add('RS32', [...path, at], `"${name}" is the id of an edition before; ${advice}`);
    }
    this.#names.add(name);
    if (typeof from !== 'string') return { name, fromMs: null };
    const start = parseInstantValue(from);
    if ('message' in start) {
      this.#faults.add('RS24', [...path, 'from'], start.message);
      return { name, fromMs: null };
    }
    if (start.value <= this.#lastMs) {
      const message = 'is not later than the edition before; list the editions in order of time';
      this.#faults.add('RS32', [...path, 'from'], message);
    }
    this.#lastMs = Math.max(this.#lastMs, start.value);
    return { name, fromMs: start.value };
  }
}

/** Returns the date of a written instant, the usual id of an edition. */
function dateIn(from: unknown): string | undefined {
  return typeof from === 'string' ? from.slice(0, '2026-01-01'.length) : undefined;
}

/** Returns the patch without keys that an edition cannot change, which are faults. */
function withoutLasting(
  set: Readonly<Record<string, unknown>>,
  lasting: Readonly<Record<string, string>>,
  inSet: RulesetFaults,
): Readonly<Record<string, unknown>> {
  const isLasting = (key: string): boolean => fixedKeys.includes(key) || Object.hasOwn(lasting, key);
  for (const key of Object.keys(set).filter(isLasting)) {
    const why = lasting[key] === undefined ? '' : `, because ${lasting[key]}`;
    inSet.addKey('RS32', [key], `an edition cannot change ${key}${why}`);
  }
  if (isPlainObject(set['ledger']) && Object.hasOwn(set['ledger'], 'keys')) {
    inSet.addKey('RS32', ['ledger', 'keys'], 'an edition cannot change ledger.keys, because the ledger outlives it');
  }
  return Object.fromEntries(Object.entries(set).filter(([key]) => !isLasting(key)));
}
