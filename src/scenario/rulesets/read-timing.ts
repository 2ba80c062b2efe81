import type {
  Cadence,
  Deadline,
  DeadlineEnd,
  DurationOperand,
  FactValue,
  Limit,
  OwnRollout,
} from '../../../machines/own/own-ruleset.ts';
import { parseDefined } from '../../contract/declared-values.ts';
import { parseInstantValue, parseReference, parseZone } from '../../contract/ruleset-values.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { readCondition } from './read-condition.ts';
import type { ShapedRuleset } from './read-shapes.ts';
import type { Path, RulesetFaultCode } from './ruleset-fault.ts';
import type { RulesetScope } from './ruleset-scope.ts';

const lifetimeDefaultMs = 900_000;

/** Reads the lifetime of an unanswered prompt, in milliseconds. */
export function readLifetime(written: unknown, scope: RulesetScope): number {
  if (written === undefined) return lifetimeDefaultMs;
  const duration = scope.readDuration(written, 'RS17', ['lifetime']);
  if (duration === null) return lifetimeDefaultMs;
  if (!('constant' in duration) || duration.constant.months > 0 || duration.constant.ms === 0) {
    const message =
      'constant' in duration
        ? `${JSON.stringify(written)} is no duration in elapsed units above 0, such as 15m`
        : `${JSON.stringify(written)} is no constant, and a lifetime is one; write a duration such as 15m`;
    scope.faults.add('RS17', ['lifetime'], message);
    return lifetimeDefaultMs;
  }
  return duration.constant.ms;
}

function readZone(written: string | undefined, code: RulesetFaultCode, path: Path, scope: RulesetScope): string {
  return scope.accept(parseZone(written), code, path, (zone) => zone) ?? 'UTC';
}

/** Reads the cadence. Each kind needs its own key, and has no key of another one. */
export function readCadence(written: ShapedRuleset['cadence'], scope: RulesetScope): Cadence {
  const { kind = 'everySignIn', anchor = 'answer', boundary = 'inclusive', measure = 'elapsed' } = written ?? {};
  const needed = { fixed: 'every', growing: 'durations', signIns: 'signIns' } as const;
  for (const [other, key] of Object.entries(needed)) {
    const value = written?.[key];
    if (kind === other && value === undefined) {
      const advice = { every: 'write every: 7d', durations: 'write durations: [1d, 7d]', signIns: 'write signIns: 3' };
      scope.faults.add('RS16', ['cadence'], `the kind ${kind} needs ${key}; ${advice[key]}`);
    }
    if (kind !== other && value !== undefined) {
      scope.faults.addKey(
        'RS16',
        ['cadence', key],
        `the kind ${kind} has no ${key}; write kind: ${other}, or leave it out`,
      );
    }
  }
  const durations =
    kind === 'fixed' && written?.every !== undefined
      ? [scope.readDuration(written.every, 'RS16', ['cadence', 'every'])]
      : (written?.durations ?? []).map((one, index) =>
          scope.readDuration(one, 'RS16', ['cadence', 'durations', index]),
        );
  const number = { type: 'integer', values: null } as const;
  const signIns =
    written?.signIns === undefined ? null : scope.readOperand(written.signIns, number, 'RS16', ['cadence', 'signIns']);
  if (signIns !== null && 'constant' in signIns && Number(signIns.constant) < 1) {
    scope.faults.add('RS16', ['cadence', 'signIns'], `${String(signIns.constant)} is below 1; write 2 or more`);
  }
  if (kind === 'daily' && written?.measure === 'elapsed') {
    scope.faults.add('RS16', ['cadence', 'measure'], 'the kind daily counts calendar days; leave measure out');
  }
  const list = durations.filter((one): one is DurationOperand => one !== null);
  checkGrowing(kind, list, scope);
  return {
    kind,
    durations: list,
    signIns,
    anchor,
    boundary,
    measure,
    zone: readZone(written?.zone, 'RS16', ['cadence', 'zone'], scope),
  };
}

function checkGrowing(kind: Cadence['kind'], durations: readonly DurationOperand[], { faults }: RulesetScope): void {
  if (kind !== 'growing') return;
  const lengths = durations.map((one) =>
    'constant' in one ? one.constant.ms + one.constant.months * 2_629_800_000 : null,
  );
  for (const [index, length] of lengths.entries()) {
    const before = lengths[index - 1];
    if (length !== null && before !== undefined && before !== null && length < before) {
      faults.add(
        'RS31',
        ['cadence', 'durations', index],
        'is shorter than the duration before; a growing list does not fall',
      );
    }
  }
}

/** Reads the limit. */
export function readLimit(written: ShapedRuleset['limit'], scope: RulesetScope): Limit | null {
  if (written === undefined) return null;
  const at = scope.readOperand(written.of, { type: 'integer', values: null }, 'RS17', ['limit', 'of']);
  const when = written.when === undefined ? null : readCondition(written.when, 'RS17', ['limit', 'when'], scope);
  if (at !== null && 'constant' in at && Number(at.constant) < 1) {
    scope.faults.add(
      'RS31',
      ['limit', 'of'],
      `a limit of ${String(at.constant)} is reached before the first prompt; write requirement.required, or 1 or more`,
    );
  }
  // biome-ignore lint/suspicious/noThenProperty: the key of the format.
  return { at: at ?? { constant: 1 }, counts: written.counts, when, then: written.then, after: written.after };
}

/** Reads the deadline. */
export function readDeadline(written: ShapedRuleset['deadline'], scope: RulesetScope): Deadline | null {
  if (written === undefined) return null;
  const ends = written.ends.flatMap((end, index): readonly DeadlineEnd[] => {
    const path = ['deadline', 'ends', index];
    if ('at' in end) {
      const at = scope.readOperand(end.at, { type: 'instant', values: null }, 'RS18', [...path, 'at']);
      return at === null ? [] : [{ at }];
    }
    const after = scope.readDuration(end.after, 'RS18', [...path, 'after']);
    if (after === null) return [];
    if (end.since === 'created' || end.since === 'firstShown') return [{ after, since: end.since }];
    if (parseReference(end.since) === null) {
      scope.faults.add(
        'RS18',
        [...path, 'since'],
        `${JSON.stringify(end.since)} is not created, firstShown, { fact } or { setting }`,
      );
      return [];
    }
    const since = scope.readOperand(end.since, { type: 'instant', values: null }, 'RS18', [...path, 'since']);
    return since === null ? [] : [{ after, since }];
  });
  const opens = written.opens === undefined ? null : scope.readDuration(written.opens, 'RS18', ['deadline', 'opens']);
  // An end with a fault may be the longest one.
  if (ends.length === written.ends.length) checkOpens(ends, opens, scope);
  return {
    ends,
    choose: written.choose ?? 'earliest',
    opens,
    before: written.before ?? 'skippable',
    // biome-ignore lint/suspicious/noThenProperty: the key of the format.
    then: written.then ?? 'required',
    boundary: written.boundary ?? 'inclusive',
    measure: written.measure ?? 'elapsed',
    zone: readZone(written.zone, 'RS18', ['deadline', 'zone'], scope),
  };
}

function checkOpens(ends: readonly DeadlineEnd[], opens: DurationOperand | null, { faults }: RulesetScope): void {
  if (opens === null || !('constant' in opens)) return;
  const { constant } = opens;
  // A period since a time that facts or settings state can open before that time.
  const spans = ends.flatMap((end) =>
    'after' in end && typeof end.since === 'string' && 'constant' in end.after ? [end.after.constant] : [],
  );
  const isLonger =
    spans.length === ends.length && spans.every(({ ms, months }) => constant.ms > ms && constant.months >= months);
  if (isLonger) faults.add('RS31', ['deadline', 'opens'], 'is longer than the period of the deadline itself');
}

const percentStep = 10_000;

/** Reads the rollout. `id` is the id of the ruleset, the usual salt. */
export function readRollout(written: ShapedRuleset['rollout'], id: string, scope: RulesetScope): OwnRollout | null {
  if (written === undefined) return null;
  const { faults } = scope;
  const percent =
    written.percent === undefined
      ? { constant: written.steps === undefined ? 100 : 0 }
      : scope.readOperand(written.percent, { type: 'number', values: null }, 'RS22', ['rollout', 'percent']);
  if (percent !== null && 'constant' in percent) {
    const value = Number(percent.constant);
    if (value < 0 || value > 100) faults.add('RS22', ['rollout', 'percent'], `${value} is not from 0 to 100`);
    else if (!Number.isInteger(Math.round(value * percentStep * 1e6) / 1e6)) {
      faults.add('RS22', ['rollout', 'percent'], `${value} has more than four decimals`);
    }
  }
  return {
    percent: percent ?? { constant: 100 },
    by: written.by ?? 'user',
    salt: written.salt === undefined ? id : written.salt,
    steps: readSteps(written.steps ?? [], scope),
    variants: (written.variants ?? []).map((variant, index) => ({
      ...variant,
      settings: readVariant(variant.settings, ['rollout', 'variants', index, 'settings'], scope),
    })),
  };
}

function readSteps(
  written: NonNullable<NonNullable<ShapedRuleset['rollout']>['steps']>,
  { faults }: RulesetScope,
): OwnRollout['steps'] {
  const steps: OwnRollout['steps'][number][] = [];
  for (const [index, { from, percent }] of written.entries()) {
    const path = ['rollout', 'steps', index];
    const read = parseInstantValue(from);
    if ('message' in read) {
      faults.add('RS22', [...path, 'from'], read.message);
      continue;
    }
    const before = steps.at(-1);
    if (before !== undefined && read.value <= before.fromMs) {
      faults.add('RS22', [...path, 'from'], 'is not later than the step before; list the steps in order of time');
    }
    if (before !== undefined && percent < before.percent) {
      faults.warn('RS31', [...path, 'percent'], `falls from ${before.percent} to ${percent}`);
    }
    steps.push({ fromMs: read.value, percent });
  }
  return steps;
}

function readVariant(
  written: Readonly<Record<string, unknown>>,
  path: Path,
  scope: RulesetScope,
): Readonly<Record<string, FactValue>> {
  const values: Record<string, FactValue> = {};
  for (const [name, value] of Object.entries(written)) {
    const definition = scope.settings[name];
    if (definition === undefined)
      scope.faults.addKey(
        'RS22',
        [...path, name],
        `no setting has the name "${name}"${suggestName(name, Object.keys(scope.settings))}`,
      );
    else
      scope.accept(parseDefined(value, definition), 'RS22', [...path, name], (read) =>
        Object.assign(values, { [name]: read }),
      );
  }
  return values;
}
