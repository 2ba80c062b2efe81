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

/** Models of the machines by command-line name, each with its alphabet for exploration. */
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

/** Products of machines, by name. */
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

/** Widens the type of a model, so models of several machines fit into one list. */
function loose<M extends AnyStateMachine>(model: Model<M>): Model {
  return model as unknown as Model;
}

/** Results of an exploration. */
export interface ExplorationReport {
  readonly machine: string;
  readonly states: number;
  /** Number of edges: one per state and event or action. */
  readonly edges: number;
  readonly events: number;
  readonly invariants: readonly { readonly id: string; readonly sentence: string; readonly holds: boolean }[];
  readonly violations: readonly Violation[];
}

/**
 * Explores the machine of a model and checks its invariants.
 * @throws the errors of `explore`
 */
export function exploreModel(model: Model): ExplorationReport {
  const { states, edges, events, violations } = explore(model.machine, model);
  const counts = { states: states.length, edges, events: events.length };
  return { machine: model.name, ...counts, invariants: evaluated(model.invariants ?? [], violations), violations };
}

/**
 * Explores a product and checks its invariants and those of its parts.
 * @param limitStates - maximum number of states
 */
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
