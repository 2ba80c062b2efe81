import type { NearestFit, RejectionCode } from '../contract/conformance-report.ts';
import { formatCount } from '../core/format-count.ts';

/** Formats one change after which an event fits. */
export function formatNearest(fit: NearestFit): string {
  switch (fit.edit) {
    case 'another-event':
      return `it is ${fit.kind}`;
    case 'another-value':
      return `the ${fit.fact} is ${fit.value}`;
    case 'another-time':
      return `it is at ${fit.at}, ${formatDuration(Math.abs(fit.byMs))} ${fit.byMs < 0 ? 'earlier' : 'later'}`;
    case 'missing-event':
      return `${fit.kind} is missing before it`;
    case 'dropped':
      return 'it is dropped';
  }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** Formats a duration in its largest unit and the next smaller one. */
function formatDuration(ms: number): string {
  const at = Math.max(
    0,
    units.findIndex(([, length]) => ms >= length),
  );
  const [name, unit] = units[at] ?? units[0];
  const smaller = units[at + 1];
  const rest = smaller === undefined ? 0 : Math.floor((ms % unit) / smaller[1]);
  const first = formatCount(Math.floor(ms / unit), name);
  return smaller === undefined || rest === 0 ? first : `${first} ${formatCount(rest, smaller[0])}`;
}

/** Formats a share; one below 1 does not look like 100 %. */
export function formatPercent(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

/** Names the rule that an impossible event contradicts, or what it contradicts without one. */
export function ruleName(rule: string | null, code: RejectionCode): string {
  return rule ?? (code === 'time-goes-back' ? 'order of times' : 'no such rule');
}
