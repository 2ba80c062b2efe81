import { listReads } from '../../../../machines/own/condition.ts';
import { type Condition, isDataGate, isModuleGate, type OwnRules } from '../../../../machines/own/own-ruleset.ts';
import { isPlainObject } from '../../../core/merge-patch.ts';
import type { Path } from '../ruleset-fault.ts';
import type { CheckedRules, Finding } from './checked-rules.ts';
import { toFormula } from './formula.ts';

const warning = (path: Path, message: string): Finding => ({ code: 'RS29', severity: 'warning', path, message });

/** Finds conditions, matrix rows, answers and variants that can never decide (RS29). */
export function checkDecisions(checked: CheckedRules): readonly Finding[] {
  const { matrix, rollout } = checked.rules;
  const rows = Object.entries(matrix ?? {}).filter(([, platforms]) => platforms.length === 0);
  const unused = (rollout?.variants ?? []).flatMap((variant, index) =>
    variant.share === 0 ? [{ variant, index }] : [],
  );
  return [
    ...checkConditions(checked),
    ...rows.map(([row]) => warning(['matrix', row], 'suppresses the prompt on no platform; leave the row out')),
    ...unused.map(({ variant, index }) =>
      warning(
        ['rollout', 'variants', index, 'share'],
        `no sign-in draws the variant ${variant.id}; write a share above 0`,
      ),
    ),
    ...checkAnswers(checked),
    ...checkBlocked(checked),
    ...checkWait(checked.rules),
  ];
}

/** Finds a requirement whose users are all blocked. */
function checkBlocked({ rules: { requirement }, search }: CheckedRules): readonly Finding[] {
  const { required, blocked } = requirement;
  if (required === null || blocked === null || search.excludes(toFormula(required))) return [];
  if (!search.excludes(toFormula(required), { not: toFormula(blocked) })) return [];
  const message = 'blocked holds for everyone for whom this holds, so nothing is required; correct one of them';
  return [warning(['requirement', 'required'], message)];
}

/** Finds a cadence that never keeps a prompt away. */
function checkWait({ cadence: { kind, durations, boundary } }: OwnRules): readonly Finding[] {
  const [every] = durations;
  if (kind !== 'fixed' || boundary !== 'inclusive' || every === undefined || !('constant' in every)) return [];
  const { ms, months } = every.constant;
  if (ms + months > 0) return [];
  return [warning(['cadence', 'every'], 'a wait of no time has no effect; write kind: everySignIn, or a longer time')];
}

function checkConditions({ rules, search }: CheckedRules): readonly Finding[] {
  const { requirement, limit } = rules;
  const conditions: readonly (readonly [Path, Condition | null, string])[] = [
    [['requirement', 'required'], requirement.required, 'so nothing is required'],
    [['requirement', 'blocked'], requirement.blocked, 'so no user is blocked'],
    [['limit', 'when'], limit?.when ?? null, 'so the limit never applies'],
  ];
  return conditions.flatMap(([path, condition, effect]) =>
    condition !== null && search.excludes(toFormula(condition))
      ? [warning(path, `no facts fulfill the condition, ${effect}; correct it, or leave it out`)]
      : [],
  );
}

/** Finds written answers that no prompt offers, and snoozes that nothing reads. */
function checkAnswers(checked: CheckedRules): readonly Finding[] {
  const { rules, written } = checked;
  const answers = isPlainObject(written['answers']) ? Object.keys(written['answers']) : [];
  const isRequired = everyPromptRequired(checked);
  const readsSnooze = snoozeIsRead(rules);
  return answers.flatMap((id): readonly Finding[] => {
    const answer = rules.answers[id];
    if (answer === undefined) return [];
    if (isRequired && id !== 'next' && answer.whenRequired === 'refused') {
      return [
        warning(
          ['answers', id],
          'every prompt is required and refuses this answer; write whenRequired: offered, or leave it out',
        ),
      ];
    }
    const stores = answer.effects.includes('snooze') && !readsSnooze;
    return stores
      ? [warning(['answers', id], 'starts a snooze that nothing reads; write a cadence or a limit, or effect: nothing')]
      : [];
  });
}

function everyPromptRequired({ rules, search, gates }: CheckedRules): boolean {
  const { requirement } = rules;
  if (requirement.required === null) return false;
  const prompts = gates.map(({ passes }) => passes);
  const blocked = requirement.blocked === null ? [] : [{ not: toFormula(requirement.blocked) }];
  if (search.excludes(...prompts, ...blocked)) return false;
  return search.excludes(...prompts, ...blocked, { not: toFormula(requirement.required) });
}

function snoozeIsRead({ cadence, answers, limit, gates, done, requirement }: OwnRules): boolean {
  if (cadence.kind !== 'everySignIn' || limit !== null) return true;
  if (Object.values(answers).some((answer) => answer.for !== null)) return true;
  if (gates.filter(isModuleGate).some(({ reads }) => reads.includes('kept.answeredAt'))) return true;
  const conditions = [...gates.filter(isDataGate).flatMap(({ when, skipIf }) => [when, skipIf]), done];
  const all = [...conditions, requirement.required, requirement.blocked].filter((one) => one !== null);
  return all.flatMap(listReads).includes('kept.answeredAt');
}
