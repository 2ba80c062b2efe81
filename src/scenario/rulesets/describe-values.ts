import type {
  DurationOperand,
  FactDefinition,
  FactValue,
  Operand,
  OwnDuration,
} from '../../../machines/own/condition-data.ts';
import type { OwnRules } from '../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../core/clock.ts';
import { formatCount } from '../../core/format-count.ts';

const unitsMs = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** Formats elapsed milliseconds, such as "1 day 12 hours". */
export function formatMs(ms: number): string {
  let rest = ms;
  const parts = unitsMs.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [formatCount(count, unit)];
  });
  return parts.length === 0 ? 'no time' : parts.join(' ');
}

/** Formats a value of a fact or setting. */
export function formatValue(value: FactValue, type: FactDefinition['type']): string {
  if (value === null) return 'unknown';
  if (typeof value === 'object') return value.length === 0 ? 'none' : value.join(', ');
  if (type === 'duration') return formatMs(Number(value));
  return type === 'instant' ? toInstant(Number(value)) : String(value);
}

/** Describes the value of a rule, with its unit. A setting is shown with its default. */
export function describeOperand(operand: Operand, { settings }: Pick<OwnRules, 'settings'>, unit = ''): string {
  const after = unit === '' ? '' : ` ${unit}`;
  if ('constant' in operand) return `${String(operand.constant)}${after}`;
  if ('fact' in operand) return `${operand.fact}${after}`;
  const setting = settings[operand.setting];
  if (setting === undefined || setting.default === null) return `the setting ${operand.setting}${after}`;
  return `${formatValue(setting.default, setting.type)}${after} (setting ${operand.setting})`;
}

/** Describes a duration of a rule. A setting is shown with its default. */
export function describeDuration(operand: DurationOperand, rules: Pick<OwnRules, 'settings'>): string {
  return 'constant' in operand ? formatDuration(operand.constant) : describeOperand(operand, rules);
}

/** Formats a duration with calendar units, such as "1 month and 12 hours". */
export function formatDuration({ ms, months }: OwnDuration): string {
  const ofMonths = months === 0 ? [] : [formatCount(months, 'month')];
  return [...ofMonths, ...(ms === 0 && months > 0 ? [] : [formatMs(ms)])].join(' and ');
}

/** Describes an instant of a rule. */
export function describeInstant(operand: Operand, rules: Pick<OwnRules, 'settings'>): string {
  if ('constant' in operand && typeof operand.constant === 'number') return toInstant(operand.constant);
  return 'fact' in operand ? `the time in ${operand.fact}` : describeOperand(operand, rules);
}
