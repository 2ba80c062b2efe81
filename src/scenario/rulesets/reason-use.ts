import { isDataGate, isModuleGate, type OwnRules } from '../../../machines/own/own-ruleset.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { findNearestName } from '../../core/nearest-name.ts';
import { generatedCodes } from './read-texts.ts';
import type { Path, RulesetFaults } from './ruleset-fault.ts';

/** Collects the reason codes that gates use in any period of a ruleset, so that a sentence of none of them is reported. */
export class ReasonUse {
  readonly #codes = new Set<string>(generatedCodes);
  #isWhole = true;

  /** Notes the gates of one period. A gate that was not read can stop with any code. */
  note(gates: OwnRules['gates'], hasUnread: boolean): void {
    const modules = gates.filter(isModuleGate);
    if (hasUnread || modules.some(({ digest }) => digest === null)) this.#isWhole = false;
    const stops = gates.filter(isDataGate).map(({ stop }) => stop);
    for (const code of [...stops, ...modules.flatMap((gate) => Object.keys(gate.reasons))]) this.#codes.add(code);
  }

  /** Reports sentences that a file states for codes that no gate uses, where they are written (RS29). */
  report(data: Readonly<Record<string, unknown>>, faults: RulesetFaults): void {
    if (!this.#isWhole) return;
    const editions: readonly unknown[] = Array.isArray(data['editions']) ? data['editions'] : [];
    this.#reportIn(data, [], faults);
    for (const [index, edition] of editions.entries()) {
      if (isPlainObject(edition)) this.#reportIn(edition['set'], ['editions', index, 'set'], faults);
    }
  }

  #reportIn(part: unknown, path: Path, faults: RulesetFaults): void {
    const reasons = isPlainObject(part) ? part['reasons'] : undefined;
    if (!isPlainObject(reasons)) return;
    // A misspelled code of a gate is a fault already, and this sentence is the one that it means.
    const codes = Object.keys(reasons);
    const meant = new Set(
      [...this.#codes].filter((code) => !codes.includes(code)).map((one) => findNearestName(one, codes)),
    );
    for (const [code, sentence] of Object.entries(reasons)) {
      if (typeof sentence !== 'string' || this.#codes.has(code) || meant.has(code)) continue;
      const message = 'no gate stops with this code; leave it out, or correct the code';
      faults.warn('RS29', [...path, 'reasons', code], message);
    }
  }
}
