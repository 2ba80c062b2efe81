import { NudgeLabError } from '../core/errors.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import type { LoadedRuleset, RulesetRegistry } from '../journal/ruleset-registry.ts';

/** Rulesets of a server: the built-in ones, those of its files, and those that the control API received (OC34, OC36). */
export interface RulesetService {
  /** Rulesets that sandboxes can name. */
  readonly registry: Pick<RulesetRegistry, 'list' | 'find'>;
  /** `true` if the control API accepts rulesets. */
  readonly accepts: boolean;
  /** Reads the rulesets that other servers of the same store received since the last call. */
  refresh(): Promise<void>;
  /**
   * Adds a ruleset as data. Resolves when the store has it.
   *
   * @returns the ruleset, and whether it is new
   * @throws NudgeLabError `ruleset-module-refused`, `ruleset-invalid` with every fault, `ruleset-exists`,
   *   `too-many-rulesets`, and the errors of the store
   */
  add(data: Readonly<Record<string, unknown>>): Promise<{ readonly loaded: LoadedRuleset; readonly isNew: boolean }>;
  /** Returns the data of a ruleset that the control API received, or `null` for another one. */
  findData(id: string): Readonly<Record<string, unknown>> | null;
}

/** Creates the service of a server that only reads the rulesets of a registry. */
export function readOnlyRulesets(registry: RulesetService['registry']): RulesetService {
  return {
    registry,
    accepts: false,
    refresh: async () => undefined,
    add: () => Promise.reject(new NudgeLabError('rulesets-read-only')),
    findData: () => null,
  };
}

/**
 * Rejects the id of a ruleset that the server does not know.
 *
 * @throws NudgeLabError `bad-request` with the known ids
 */
export async function refuseUnknownRuleset(id: string, rulesets: RulesetService): Promise<void> {
  if (rulesets.registry.find(id) === undefined) await rulesets.refresh();
  if (rulesets.registry.find(id) !== undefined) return;
  const known = rulesets.registry.list().map((one) => one.id);
  throw new NudgeLabError('bad-request', {
    problems: [{ location: 'ruleset', message: describeUnknownName(id, known) }],
  });
}
