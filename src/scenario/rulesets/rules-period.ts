import { isPlainObject } from '../../core/merge-patch.ts';
import { inPatch, isReplaced, nameGates } from './patch-rules.ts';
import type { Path, RulesetFaultCode } from './ruleset-fault.ts';

type Written = Readonly<Record<string, unknown>>;

/**
 * Merged rules of one period of a ruleset, with the faults that were found in them. Each period is checked as a whole, so
 * it has the faults of the period before too, unless its patch corrects them.
 */
export class RulesPeriod {
  readonly #merged: Written;
  readonly #patch: Written;
  readonly #before: RulesPeriod | null;
  readonly #identities = new Set<string>();

  /** Creates a period of the rules after a patch. `before` is the period that the patch changes, if it is checked too. */
  constructor(merged: Written, patch: Written, before: RulesPeriod | null = null) {
    this.#merged = merged;
    this.#patch = patch;
    this.#before = before;
  }

  /** Translates a path of the merged rules to that of the patch. */
  translate(path: Path): Path {
    return inPatch(this.#merged, this.#patch)(path);
  }

  /** Returns the path of the key that names what a file inherits from its base, or `null` for a part of the file. */
  inheritedFrom(path: Path): Path | null {
    const [key] = path;
    const { base } = this.#patch;
    const hasBase = this.#before === null && typeof base === 'string' && base !== 'own';
    return hasBase && key !== undefined && !Object.hasOwn(this.#patch, key) ? ['base'] : null;
  }

  /**
   * Notes a fault, and returns true if the period before already has it and the patch does not write its value again. The
   * advice after the first semicolon does not tell faults apart.
   */
  inherits(code: RulesetFaultCode, path: Path, message: string): boolean {
    const identity = JSON.stringify([code, nameGates(this.#merged, path).map(String), message.split('; ')[0]]);
    this.#identities.add(identity);
    const before = this.#before;
    if (before === null) return false;
    return before.#identities.has(identity) && !this.#writes(path);
  }

  /** Returns true if the patch contains the value of a path, or one that replaces it as a whole. */
  #writes(path: Path): boolean {
    let holder: unknown = this.#patch;
    for (const key of isPlainObject(this.#patch['gates']) ? nameGates(this.#merged, path) : path) {
      if (!isPlainObject(holder) || isReplaced(holder)) return true;
      if (!Object.hasOwn(holder, key)) return false;
      holder = holder[String(key)];
    }
    return !isPlainObject(holder) || isReplaced(holder);
  }
}
