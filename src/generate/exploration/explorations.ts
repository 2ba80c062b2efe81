import type { AnyStateMachine, Model, Violation } from '../../compiled/model.ts';
import { campaignModel } from '../models/campaign-model.ts';
import { documentModel } from '../models/document-model.ts';
import { eligibilityModel } from '../models/eligibility-model.ts';
import { listPolicies, nudgeModel } from '../models/nudge-model.ts';
import { signInModel } from '../models/sign-in-model.ts';
import { tenantProduct } from '../models/tenant-product.ts';
import { explore } from './explore.ts';
import { CompiledProduct } from './explore-product.ts';
import type { Product } from './product.ts';

const snoozeDays = [1, 2, 3];

/** The machines of the model by the names that commands know them by, each with the alphabet it is explored under. */
export const models: ReadonlyMap<string, () => Model> = new Map<string, () => Model>([
  [
    'nudge',
    () => loose(nudgeModel({ policies: listPolicies(snoozeDays), prompts: ['p1'], methods: ['vendorAuthenticator'] })),
  ],
  ['sign-in', () => loose(signInModel)],
  [
    'campaign',
    () =>
      loose(
        campaignModel({
          snoozeDays,
          methods: ['vendorAuthenticator', 'fido2'],
          switches: ['method', 'snoozeDays', 'snoozeLimit'],
        }),
      ),
  ],
  ['passkey-eligibility', () => loose(eligibilityModel)],
  ['document', () => loose(documentModel)],
]);

/** Products of machines by name. */
export const products: ReadonlyMap<string, () => Product> = new Map([
  [
    'tenant',
    () =>
      tenantProduct({
        snoozeDays,
        methods: ['vendorAuthenticator'],
        switches: [],
        prompts: ['p1'],
        users: ['included', 'excluded', 'guest', 'notMfaCapable'],
      }),
  ],
]);

/** Forgets which machine a model is of, so that models of several machines can stand in one list. */
function loose<M extends AnyStateMachine>(model: Model<M>): Model {
  return model as unknown as Model;
}

/** What an exploration found, as it is reported. */
export interface ExplorationReport {
  readonly machine: string;
  readonly states: number;
  /** Every event or action is one edge of every state. */
  readonly edges: number;
  readonly events: number;
  readonly invariants: readonly { readonly id: string; readonly sentence: string; readonly holds: boolean }[];
  readonly violations: readonly Violation[];
}

/** Explores a machine and checks its invariants. Takes its model; throws what `explore` throws. */
export function exploreModel(model: Model): ExplorationReport {
  const { states, edges, events, violations } = explore(model.machine, model);
  const counts = { states: states.length, edges, events: events.length };
  return { machine: model.name, ...counts, invariants: evaluated(model.invariants ?? [], violations), violations };
}

/** Explores a product, with the invariants of its parts. Takes the product and how many states there may be. */
export function exploreProduct(product: Product, limitStates?: number): ExplorationReport {
  const explored = new CompiledProduct(product).search(limitStates);
  const { states, edges, violations } = explored;
  const all = [...product.parts.flatMap((part) => part.invariants ?? []), ...product.invariants];
  const events = product.actions.length;
  return { machine: product.name, states, edges, events, invariants: evaluated(all, violations), violations };
}

function evaluated(
  invariants: readonly { readonly id: string; readonly sentence: string }[],
  violations: readonly Violation[],
): ExplorationReport['invariants'] {
  const broken = new Set(violations.map(({ id }) => id));
  return invariants.map(({ id, sentence }) => ({ id, sentence, holds: !broken.has(id) }));
}
