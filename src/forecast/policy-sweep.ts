import { snoozeDaysDefault, snoozeDaysMax, snoozeDaysMin } from '../../machines/campaign-limits.ts';
import { allUsersId } from '../../machines/membership.ts';
import { type CampaignSettings, type TargetedMethod, targetedMethods } from '../../machines/vocabulary.ts';
import type { ForecastDescription } from '../contract/forecast.schema.ts';
import type { ForecastFigures, PolicyVariant } from '../contract/forecast-report.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forecastVariantsMax } from '../core/limits.ts';

/** Values to vary in a sweep. Settings that are not listed keep the values of the description. */
interface SweepAxes {
  readonly snoozeDays: readonly number[];
  readonly limited: readonly boolean[];
  readonly method: readonly TargetedMethod[];
}

type AxisName = keyof SweepAxes;
const axisNames: readonly AxisName[] = ['snoozeDays', 'limited', 'method'];

/** Description with one policy of a sweep. */
export interface SweptDescription {
  readonly policy: Pick<PolicyVariant, 'snoozeDays' | 'limited' | 'method'>;
  readonly description: ForecastDescription;
}

/**
 * Creates the descriptions of a sweep: every combination of the given values, each with an enabled campaign. The
 * texts are key-value pairs such as `snoozeDays=0`, `1`, `limited=true`, where a value without a key belongs to the
 * previous key.
 * @throws `usage-invalid`
 */
export function sweptDescriptions(
  description: ForecastDescription,
  written: readonly string[],
): readonly SweptDescription[] {
  const axes = readAxes(written);
  const { campaign } = description.tenant;
  const current = {
    snoozeDays: campaign.snoozeDurationInDays ?? snoozeDaysDefault,
    limited: campaign.enforceRegistrationAfterAllowedSnoozes ?? true,
    method: campaign.includeTargets[0]?.targetedAuthenticationMethod ?? 'vendorAuthenticator',
  };
  const or = <T>(given: readonly T[], otherwise: T): readonly T[] => (given.length > 0 ? given : [otherwise]);
  const policies = or(axes.method, current.method).flatMap((method) =>
    or(axes.limited, current.limited).flatMap((limited) =>
      or(axes.snoozeDays, current.snoozeDays).map((snoozeDays) => ({ method, limited, snoozeDays })),
    ),
  );
  if (policies.length > forecastVariantsMax)
    throw badSweep(`${policies.length} policies exceed the maximum of ${forecastVariantsMax}`);
  return policies.map((policy) => ({ policy, description: withPolicy(description, policy) }));
}

function readAxes(written: readonly string[]): SweepAxes {
  const found: Record<AxisName, string[]> = { snoozeDays: [], limited: [], method: [] };
  let key: AxisName | null = null;
  for (const item of written) {
    const [name, value] = item.includes('=')
      ? [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]
      : [null, item];
    if (name !== null) {
      key = axisNames.find((axis) => axis === name) ?? null;
      if (key === null) throw badSweep(`${JSON.stringify(name)} is not one of ${axisNames.join(', ')}`);
    }
    if (key === null)
      throw badSweep(`${JSON.stringify(value)} has no key; put one of ${axisNames.join(', ')} and = before it`);
    found[key].push(value);
  }
  return {
    snoozeDays: unique(found.snoozeDays.map(readDays)),
    limited: unique(found.limited.map((value) => readWord(value, ['true', 'false']) === 'true')),
    method: unique(found.method.map((value) => readWord(value, targetedMethods))),
  };
}

function readDays(value: string): number {
  const days = Number(value);
  if (/^\d+$/.test(value) && days >= snoozeDaysMin && days <= snoozeDaysMax) return days;
  throw badSweep(
    `snoozeDays: ${JSON.stringify(value)} must be a whole number from ${snoozeDaysMin} to ${snoozeDaysMax}`,
  );
}

function readWord<W extends string>(value: string, words: readonly W[]): W {
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  throw badSweep(`${JSON.stringify(value)} is not one of ${words.join(', ')}`);
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function badSweep(message: string): NudgeLabError {
  return new NudgeLabError('usage-invalid', { problems: [{ location: '--sweep', message }] });
}

function withPolicy(
  description: ForecastDescription,
  { snoozeDays, limited, method }: SweptDescription['policy'],
): ForecastDescription {
  const { tenant } = description;
  const targets = tenant.campaign.includeTargets;
  const everybody = { targetType: 'group' as const, id: allUsersId, targetedAuthenticationMethod: method };
  const campaign: CampaignSettings = {
    ...tenant.campaign,
    state: 'enabled',
    snoozeDurationInDays: snoozeDays,
    enforceRegistrationAfterAllowedSnoozes: limited,
    includeTargets:
      targets.length === 0
        ? [everybody]
        : targets.map((target) => ({ ...target, targetedAuthenticationMethod: method })),
  };
  return {
    ...description,
    tenant: {
      ...tenant,
      campaign: {
        ...campaign,
        includeTargets: [...campaign.includeTargets],
        excludeTargets: [...campaign.excludeTargets],
      },
    },
  };
}

/**
 * Marks the Pareto-optimal policies, for which no other policy registers as many users with fewer prompts per user.
 * Returns the policies in the same order.
 */
export function markParetoOptimal<Variant extends { readonly figures: ForecastFigures }>(
  variants: readonly Variant[],
): readonly (Variant & Pick<PolicyVariant, 'paretoOptimal'>)[] {
  return variants.map((variant) => ({
    ...variant,
    paretoOptimal: !variants.some(({ figures }) => beats(figures, variant.figures)),
  }));
}

function beats(one: ForecastFigures, other: ForecastFigures): boolean {
  const noWorse = one.registeredShare >= other.registeredShare && one.promptsPerUser <= other.promptsPerUser;
  return noWorse && (one.registeredShare > other.registeredShare || one.promptsPerUser < other.promptsPerUser);
}
