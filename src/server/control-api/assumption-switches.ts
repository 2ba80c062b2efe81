import type { Rollout, TenantFacts } from '../../../machines/vocabulary.ts';
import type { AssumptionId } from '../../contract/assumption-evidence.ts';
import type { assumptionsResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { mergePatch } from '../../core/merge-patch.ts';
import { fnv1a32 } from '../../core/random.ts';

type SwitchView = NonNullable<ResponseBody<typeof assumptionsResponse>['assumptions'][number]['switch']>;

/** Setting that overrides an assumption. */
interface AssumptionSwitch {
  readonly name: string;
  readonly allowed: SwitchView['allowed'];
  /** Returns the current value, or `null` if it is not one of the allowed values. */
  readonly read: (tenant: TenantFacts) => SwitchView['value'];
  /** Returns the merge patch of the tenant for a value, or `null` if the value is not allowed. */
  readonly patch: (value: unknown, tenant: TenantFacts) => Readonly<Record<string, unknown>> | null;
}

const strictDevice: AssumptionSwitch = {
  name: 'options.strictDevice',
  allowed: [false, true],
  read: ({ options }) => options.strictDevice,
  patch: (value) => (typeof value === 'boolean' ? { options: { strictDevice: value } } : null),
};

const rolloutPreset: AssumptionSwitch = {
  name: 'rollout',
  allowed: { minimum: 0, maximum: 1 },
  read: ({ rollout }) => {
    const switches = new Set(Object.values(rollout));
    return switches.size > 1 ? null : Number(switches.has(true));
  },
  patch: (value, { id }) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? { rollout: createRollout(isRolledOut(id, value)) } : null,
};

const switches: { readonly [Id in AssumptionId]?: AssumptionSwitch } = {
  A9: strictDevice,
  A19: rolloutPreset,
  A47: rolloutPreset,
};

/** A47: returns `true` if a rollout with a preset share, 0 to 1, includes a tenant. FNV-1a hashes its lower-case id. */
export function isRolledOut(tenantId: string, preset: number): boolean {
  return fnv1a32(tenantId.toLowerCase()) / 2 ** 32 < preset;
}

function createRollout(on: boolean): Rollout {
  return { method: on, snoozeDays: on, snoozeLimit: on, targeting: on };
}

/** Finds the setting of an assumption with its current value. Returns `null` if the assumption is fixed. */
export function findSwitch(id: AssumptionId, tenant: TenantFacts): SwitchView | null {
  const known = switches[id];
  return known === undefined ? null : { name: known.name, value: known.read(tenant), allowed: known.allowed };
}

/**
 * Converts values by assumption id to a merge patch of the tenant.
 *
 * @throws NudgeLabError `bad-request` with every assumption that has no setting, every value that is not allowed, and
 *   every two values that contradict each other
 */
export function switchesPatch(values: Readonly<Record<string, unknown>>, tenant: TenantFacts): unknown {
  const problems: ValidationProblem[] = [];
  const set = new Map<AssumptionSwitch, unknown>();
  let patch: unknown = {};
  for (const [id, value] of Object.entries(values)) {
    const known = Object.entries(switches).find(([switched]) => switched === id)?.[1];
    const part = known?.patch(value, tenant);
    const problem = findProblem(known, part, value, set);
    if (problem !== null) problems.push({ location: `body.${id}`, message: problem });
    if (known === undefined || part === undefined || part === null) continue;
    set.set(known, value);
    patch = mergePatch(patch, part);
  }
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
  return patch;
}

function findProblem(
  known: AssumptionSwitch | undefined,
  part: unknown,
  value: unknown,
  set: ReadonlyMap<AssumptionSwitch, unknown>,
): string | null {
  if (known === undefined) return `has no switch; assumptions with a switch: ${Object.keys(switches).join(', ')}`;
  if (part === null) return `${JSON.stringify(value)} is not allowed; it must be ${allowedText(known.allowed)}`;
  if (set.has(known) && set.get(known) !== value) {
    return `${JSON.stringify(value)} contradicts ${JSON.stringify(set.get(known))} for the same switch, ${known.name}`;
  }
  return null;
}

function allowedText(allowed: SwitchView['allowed']): string {
  return 'minimum' in allowed ? `a number from ${allowed.minimum} to ${allowed.maximum}` : allowed.join(' or ');
}
