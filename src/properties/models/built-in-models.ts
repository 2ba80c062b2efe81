import { dayMs } from '../../../machines/campaign-limits.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { models } from '../../generate/exploration/explorations.ts';
import type { Product } from '../../generate/exploration/product.ts';
import type { Journey } from '../../generate/journey.ts';
import { lifecycleActions, lifecycleProduct } from '../../generate/models/lifecycle-product.ts';
import { type TenantAlphabet, tenantProduct } from '../../generate/models/tenant-product.ts';
import { alwaysPossible, createLifecycleSteps, lifecycleGiven } from '../../generate/suites/lifecycle-journeys.ts';
import { lifecycleFacts } from './lifecycle-facts.ts';
import { machinePropertyModel } from './machine-model.ts';
import { campaignModelNames, modelDefault } from './model-names.ts';
import type { ProductModel } from './property-model.ts';

const lifecycleDays = [1, 2, 3];

const tenant: TenantAlphabet = {
  snoozeDays: [1, 2, 3],
  methods: ['vendorAuthenticator'],
  switches: [],
  prompts: ['p1'],
  users: ['included', 'excluded', 'guest', 'notMfaCapable'],
};

const largeTenant: TenantAlphabet = {
  ...tenant,
  snoozeDays: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  switches: ['snoozeDays', 'snoozeLimit', 'targeting'],
};

/** What a model of the registration campaign depends on. */
export interface ModelSettings {
  /** Ruleset of the sign-ins. Default: `seed`. */
  readonly ruleset?: Ruleset | undefined;
}

/** Models of the registration campaign, whose sign-ins are evaluated by a ruleset. */
const campaignModels: ReadonlyMap<string, (settings: ModelSettings) => ProductModel> = new Map([
  [
    modelDefault,
    ({ ruleset }: ModelSettings) =>
      lifecycleModel(
        lifecycleProduct({ distinguishedDays: 0, snoozeDays: listDays(lifecycleDays, ruleset), ...given(ruleset) }),
        ruleset,
      ),
  ],
  ['tenant', ({ ruleset }: ModelSettings) => tenantModel('tenant', tenantProduct(withDays(tenant, ruleset)))],
  [
    'tenant-large',
    ({ ruleset }: ModelSettings) => tenantModel('tenant-large', tenantProduct(withDays(largeTenant, ruleset))),
  ],
]);

/** Checks whether a model evaluates sign-ins by a ruleset. */
export function usesRuleset(name: string): boolean {
  return (campaignModelNames as readonly string[]).includes(name);
}

/**
 * Creates a built-in model.
 *
 * @param name - name of the model, one of `modelNames`
 * @param settings - ruleset of the sign-ins
 * @returns the model; `null` if there is none with this name
 */
export function createBuiltInModel(name: string, settings: ModelSettings = {}): ProductModel | null {
  const ofCampaign = campaignModels.get(name);
  if (ofCampaign !== undefined) return ofCampaign(settings);
  const create = models.get(name);
  if (create === undefined) return null;
  return machinePropertyModel(create(), name === 'nudge' ? { event: 'time.passed', stepMs: dayMs } : null);
}

function given(ruleset: Ruleset | undefined): { readonly ruleset?: Ruleset } {
  return ruleset === undefined ? {} : { ruleset };
}

function withDays(
  alphabet: TenantAlphabet,
  ruleset: Ruleset | undefined,
): TenantAlphabet & { readonly ruleset?: Ruleset } {
  return { ...alphabet, snoozeDays: listDays(alphabet.snoozeDays, ruleset), ...given(ruleset) };
}

/** Adds the snooze durations that a ruleset file sets to those of a model. */
function listDays(days: readonly number[], ruleset: Ruleset | undefined): readonly number[] {
  const all = ruleset === undefined ? [] : [ruleset, ...(ruleset.editions ?? []).map(({ rules }) => rules)];
  const set = all.flatMap(
    ({ extension }) => extension?.campaign.flatMap((change) => change.set.snoozeDays ?? []) ?? [],
  );
  return [...new Set([...days, ...set])].toSorted((a, b) => a - b);
}

/**
 * Creates the model of one user's lifecycle from its product.
 * @param ruleset - ruleset of the product, which counterexamples name unless it is the default
 */
function lifecycleModel(product: Product, ruleset?: Ruleset): ProductModel {
  const steps = createLifecycleSteps(lifecycleDays);
  return {
    ...tenantModel(modelDefault, product),
    takenWithoutEvent: alwaysPossible,
    toJourney: (name, actions): Journey => ({
      name,
      covers: [],
      tags: ['counterexample'],
      ...(ruleset === undefined ? {} : { ruleset: ruleset.id }),
      given: lifecycleGiven(lifecycleDays[0] ?? 1, ruleset),
      steps: actions.flatMap((action) => steps.get(action) ?? []),
    }),
  };
}

function tenantModel(name: string, product: Product): ProductModel {
  return {
    name,
    product: { ...product, name },
    facts: lifecycleFacts,
    clock: { stepMs: dayMs, advances: ({ action }) => action === lifecycleActions.dayPasses },
    takenWithoutEvent: new Set([lifecycleActions.signsIn]),
    toJourney: null,
  };
}
