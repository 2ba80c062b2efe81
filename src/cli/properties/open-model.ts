import { basename, resolve } from 'node:path';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { givenModel } from '../../generate/exploration/given-model.ts';
import type { LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { createBuiltInModel, usesRuleset } from '../../properties/models/built-in-models.ts';
import { machinePropertyModel } from '../../properties/models/machine-model.ts';
import { modelDefault, modelNames } from '../../properties/models/model-names.ts';
import type { ExploredModel, PropertyModel } from '../../properties/models/property-model.ts';
import { createOwnModel } from '../../properties/own/own-model.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { compiledOr } from '../compiled-or.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext } from '../context.ts';
import { requireCampaign } from '../named-ruleset.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import { loadUserModule } from '../user-module.ts';
import type { PropertiesArguments } from './properties-options.ts';

/** What works for a ruleset without finitely many states. */
const fallback = 'scenarios, fuzz and generate --engine search work without tables';

/** Models of a command line, each of which is explored once. */
export class ModelSource {
  readonly #args: PropertiesArguments;
  readonly #context: CommandContext;
  readonly #registry: RulesetRegistry;
  readonly #chosen: LoadedRuleset | null;
  readonly #known = new Map<string, Promise<PropertyModel>>();

  private constructor(
    args: PropertiesArguments,
    context: CommandContext,
    { registry, chosen }: { readonly registry: RulesetRegistry; readonly chosen: LoadedRuleset | null },
  ) {
    this.#args = args;
    this.#context = context;
    this.#registry = registry;
    this.#chosen = chosen;
  }

  /** Opens the ruleset of the command line or of the configuration. Throws its errors. */
  static async open(args: PropertiesArguments, context: CommandContext): Promise<ModelSource> {
    const config = await loadConfig(args.config, context.cwd);
    return new ModelSource(args, context, await openRulesets(args, config, context.cwd));
  }

  /** Machine of properties that name none: the own ruleset that was chosen, or the lifecycle. */
  get machineDefault(): string {
    if (this.#args.machine !== null) return this.#args.machine;
    return this.#chosen?.base === 'own' ? this.#chosen.id : modelDefault;
  }

  /** Returns the own ruleset that a machine is, to list its properties; `null` for another machine. */
  async findOwn(name: string): Promise<OwnRuleset | null> {
    const loaded = await this.#findLoaded(name);
    return loaded?.base === 'own' ? loaded.ruleset : null;
  }

  /**
   * Refuses a ruleset that has no effect on any of some machines.
   *
   * @throws NudgeLabError `usage-invalid`
   */
  requireUse(machines: readonly string[]): void {
    const isUsed = (name: string): boolean =>
      usesRuleset(name) || (this.#chosen?.base === 'own' && name === this.#chosen.id);
    if (this.#args.ruleset === null || machines.some(isUsed)) return;
    const one = machines.length === 1 ? `machine ${machines[0]} evaluates` : `machines ${machines.join(', ')} evaluate`;
    throw usage(`The ${one} no sign-ins, so --ruleset has no effect on ${machines.length === 1 ? 'it' : 'them'}.`);
  }

  /**
   * Returns the model of a machine.
   *
   * @throws NudgeLabError `usage-invalid`, `ruleset-invalid`, `ruleset-not-compiled`, and those of a module
   */
  model(name: string): Promise<PropertyModel> {
    const known = this.#known.get(name) ?? this.#create(name);
    this.#known.set(name, known);
    return known;
  }

  async #create(name: string): Promise<PropertyModel> {
    const own = await this.#findLoaded(name);
    if (own !== null) return this.#createOwn(own);
    const chosen = this.#chosen;
    const ruleset = chosen === null || !usesRuleset(name) ? undefined : requireCampaign(chosen, `the machine ${name}`);
    const builtIn = createBuiltInModel(name, { ruleset });
    if (builtIn !== null) return builtIn;
    if (!/[./\\]/.test(name)) {
      const unknown = describeUnknownName(name, modelNames);
      throw usage(endSentence(`${unknown}, or the path of a module or a ruleset`));
    }
    return machinePropertyModel(givenModel(basename(name), await loadUserModule(resolve(this.#context.cwd, name))));
  }

  #createOwn(loaded: LoadedRuleset): ExploredModel {
    if (loaded.base !== 'own') {
      throw usage(`${loaded.origin} has the base registration-campaign; name it with --ruleset.`);
    }
    // Origins are relative to the folder of the process.
    const path = resolve(loaded.origin);
    return compiledOr({ path, cwd: this.#context.cwd, fallback }, () => createOwnModel(loaded.ruleset, path));
  }

  /** Finds the ruleset that a machine names by its file, or the chosen own one by its id. */
  async #findLoaded(name: string): Promise<LoadedRuleset | null> {
    if (this.#chosen?.base === 'own' && name === this.#chosen.id) return this.#chosen;
    if (!isRulesetFile(name)) return null;
    return loadNamed(name, '--machine', this.#registry, this.#context.cwd);
  }
}

function usage(message: string): NudgeLabError {
  return new NudgeLabError('usage-invalid', { message });
}
