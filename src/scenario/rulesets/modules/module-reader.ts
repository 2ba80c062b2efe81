import type { ModuleGate } from '../../../../machines/own/own-ruleset.ts';
import type { Path } from '../ruleset-fault.ts';
import type { RulesetScope } from '../ruleset-scope.ts';

/** Gate of a module, as the ruleset states it. */
export interface WrittenModuleGate {
  readonly id: string;
  readonly module: string;
  readonly with?: unknown;
}

/** Reads the gates of modules. Only rulesets from files have one: a ruleset from HTTP is data (OC37). */
export interface ModuleReader {
  /** Returns the gate, or `null` if it has faults, which were added. */
  read(written: WrittenModuleGate, at: Path, place: GatePlace): ModuleGate | null;
}

/** What the gate of a module can name. */
export interface GatePlace {
  /** Id of the ruleset, which errors of the gate name. */
  readonly ruleset: string;
  readonly scope: RulesetScope;
  readonly methodIds: readonly string[];
}

/** Reader that leaves modules out: nothing is run, and each of their gates passes (`--no-modules`). */
export const skippedModules: ModuleReader = {
  read: ({ id, module, with: settings = {} }) => ({
    id,
    summary: `The module ${module} was not loaded.`,
    source: [],
    module,
    appliesTo: 'both',
    reads: [],
    reasons: {},
    samples: {},
    with: settings,
    digest: null,
    evaluate: () => ({ outcome: 'met', saw: {} }),
  }),
};

/** Reader for rulesets that are no files, such as those of the control API. */
export const refusedModules: ModuleReader = {
  read: (_written, at, { scope: { faults } }) => {
    faults.add('RS34', [...at, 'module'], 'a module is loaded only for a ruleset file; state the gate as data');
    return null;
  },
};
