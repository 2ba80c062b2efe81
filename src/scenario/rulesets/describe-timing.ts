import type { Cadence, DeadlineEnd, OwnRollout, OwnRules, Reset } from '../../../machines/own/own-ruleset.ts';
import { toInstant } from '../../core/clock.ts';
import { describeCondition } from './describe-condition.ts';
import { describeDuration, describeInstant, describeOperand, formatValue } from './describe-values.ts';

const anchors: Readonly<Record<Cadence['anchor'], string>> = {
  answer: 'the answer',
  firstShown: 'the first showing',
  lastShown: 'the latest showing',
};

/** Describes when a user is prompted again. */
export function describeCadence(rules: OwnRules): readonly string[] {
  const { kind, durations, signIns, anchor, boundary, measure, zone } = rules.cadence;
  const from = anchors[anchor];
  const exactly = boundary === 'inclusive' ? 'prompted' : 'not yet prompted';
  const counted = measure === 'calendar' ? `, by the calendar of ${zone}` : '';
  switch (kind) {
    case 'everySignIn':
      return ['The user is prompted at every sign-in.'];
    case 'fixed':
    case 'growing': {
      const spans = durations.map((duration) => describeDuration(duration, rules)).join(', then ');
      const last = durations.length > 1 ? ', and from then on always after the last of these' : '';
      return [
        `The user is prompted again ${spans} after ${from}${counted}${last}.`,
        `Exactly at that time, the user is ${exactly}.`,
      ];
    }
    case 'signIns':
      return [
        `After ${from}, the user is prompted at every sign-in with a number that ${signIns === null ? '1' : describeOperand(signIns, rules)} divides, of those that only the time could stop.`,
      ];
    case 'daily':
      return [`The user is prompted at most once a day in ${zone}, counted from ${from}.`];
    case 'once':
      return ['The prompt is shown only once.'];
  }
}

const beforeTexts = {
  skippable: 'the prompt can be turned down',
  required: 'the setup is required',
  none: 'no user is prompted',
} as const;
const thenTexts = {
  required: 'the setup is required',
  blocked: 'the sign-in is blocked',
  none: 'no user is prompted',
} as const;

/** Describes the deadline: when it is, and what holds before and after it. */
export function describeDeadline(rules: OwnRules): readonly string[] {
  const { deadline } = rules;
  if (deadline === null) return [];
  const { ends, choose, opens, before, then, boundary, measure, zone } = deadline;
  const texts = ends.map((end) => describeEnd(end, rules));
  const which = texts.length === 1 ? texts[0] : `the ${choose} of: ${texts.join('; ')}`;
  const from = boundary === 'inclusive' ? 'from it on' : 'after it';
  return [
    `The deadline is ${which}.`,
    ...describeUnknown(ends),
    `Before the deadline, ${beforeTexts[before]}; ${from}, ${thenTexts[then]}.`,
    ...(measure === 'date' ? [`Whole days in ${zone} are compared.`] : []),
    ...(opens === null ? [] : [`The first prompts are ${describeDuration(opens, rules)} before the deadline.`]),
  ];
}

function describeUnknown(ends: readonly DeadlineEnd[]): readonly string[] {
  const unknown = ends.filter(canBeUnknown).length;
  if (unknown === 0) return [];
  if (ends.length === 1) return ['If this is unknown, there is no deadline.'];
  if (unknown < ends.length) return ['A time that is unknown is left out.'];
  return ['A time that is unknown is left out; if all are, there is no deadline.'];
}

function canBeUnknown(end: DeadlineEnd): boolean {
  const from = 'at' in end ? end.at : end.since;
  return typeof from === 'object' && !('constant' in from);
}

function describeEnd(end: DeadlineEnd, rules: OwnRules): string {
  if ('at' in end) return describeInstant(end.at, rules);
  const { after, since } = end;
  const event =
    since === 'created'
      ? 'the account was created'
      : since === 'firstShown'
        ? 'the prompt was first shown'
        : describeInstant(since, rules);
  return `${describeDuration(after, rules)} after ${event}`;
}

/** Describes who must complete the setup, or is blocked. */
export function describeDuties(rules: OwnRules): readonly string[] {
  const { limit, requirement, failure } = rules;
  const { required, blocked } = requirement;
  const when = (text: string) => (text === 'always' ? '' : ` if ${text}`);
  return [
    ...(limit === null ? [] : [describeLimit(limit, rules)]),
    ...(required === null ? [] : [`The setup is required${when(describeCondition(required))}.`]),
    ...(blocked === null ? [] : [`The sign-in is blocked${when(describeCondition(blocked))}.`]),
    failure.skip === 'refused'
      ? 'A failed setup cannot be skipped.'
      : `After a failed setup, the user can sign in without it${failure.stores === 'snooze' ? ', which counts as a snooze' : ''}.`,
  ];
}

function describeLimit(limit: NonNullable<OwnRules['limit']>, rules: OwnRules): string {
  const { at, counts, when, then, after } = limit;
  const unit = counts === 'shown' ? 'showing' : 'snooze';
  const isOne = 'constant' in at && at.constant === 1;
  const number = describeOperand(at, rules, isOne ? unit : `${unit}s`);
  const condition = when === null ? '' : ` if ${describeCondition(when)}`;
  const effect = {
    required: 'the prompt can no longer be turned down',
    never: 'the user is not prompted again',
    blocked: 'the sign-in is blocked',
  }[then];
  const start = then === 'never' ? '' : after === 'wait' ? ' once it is time to prompt again' : ' at the next sign-in';
  return `After ${number}${condition}, ${effect}${start}.`;
}

const resetTexts = {
  registered: 'A completed setup',
  removed: 'The removal of a method',
  edition: 'A new edition',
  control: 'A reset through the control API',
  browserCleared: 'Clearing the data of the browser',
} as const;
const clearedTexts: Readonly<Record<Reset['clears'][number], string>> = {
  count: 'the snooze count',
  timer: 'the time of the latest snooze',
  never: 'permanent answers',
  session: 'answers for the session',
  shown: 'the showings',
};

/** Describes what clears stored answers. */
export function describeResets({ resets }: OwnRules): readonly string[] {
  return resets.map(({ on, clears, keys }) => {
    const event =
      typeof on === 'string'
        ? resetTexts[on]
        : 'settingChanged' in on
          ? `A change of the setting ${on.settingChanged}`
          : `A higher value of ${on.newVersion}`;
    const where = keys === null ? '' : ` stored for ${keys.map((parts) => parts.join(' and ')).join('; ')}`;
    return `${event} clears ${listWords(clears.map((part) => clearedTexts[part]))}${where}.`;
  });
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const unitTexts: Readonly<Record<OwnRollout['by'], string>> = {
  user: 'users',
  tenant: 'tenants',
  device: 'devices',
  browser: 'browsers',
  signIn: 'sign-ins',
};

/** Describes the share that the campaign reaches, its steps in time, and its variants. */
export function describeRollout(rules: OwnRules): readonly string[] {
  const { rollout } = rules;
  if (rollout === null) return [];
  const { percent, by, steps, variants } = rollout;
  const weights = variants.reduce((sum, one) => sum + one.share, 0);
  const share = `The campaign reaches ${describeOperand(percent, rules, `percent of ${unitTexts[by]}`)}.`;
  return [
    ...(steps.length === 0 && 'constant' in percent && percent.constant === 100 ? [] : [share]),
    ...steps.map((step) => `From ${toInstant(step.fromMs)}: ${step.percent} percent.`),
    ...variants.map(({ id, share: weight, settings }) => {
      const values = Object.entries(settings).map(
        ([name, value]) => `${name} is ${formatValue(value, rules.settings[name]?.type ?? 'text')}`,
      );
      return `Variant ${id} (${Number(((100 * weight) / weights).toFixed(2))} percent): ${values.join(', ') || 'the same settings'}.`;
    }),
  ];
}
