import type { DurationOperand, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { allRules } from '../../generate/own/own-space.ts';
import type { FactScalar, Formula, Property } from '../language/formula.ts';
import {
  all,
  always,
  any,
  defineProperty,
  event,
  fact,
  next,
  not,
  previously,
  unless,
  when,
} from '../language/formula-builder.ts';
import type { ExploredModel } from '../models/property-model.ts';
import { findAgreed } from './agreed-rules.ts';
import { evaluated } from './condition-formula.ts';
import { listResetEvents, toEvent } from './reset-events.ts';
import { keyField } from './step-events.ts';

/** Key of the ledger of which the model has prompts. */
interface UsedKey {
  readonly parts: readonly string[];
  readonly field: string;
  readonly value: FactScalar;
}

/** Duration of a snooze, and the setting that has to have this value. */
interface Window {
  readonly ms: number;
  readonly setting: Formula | null;
}

/** Lists the properties of answers that keep a prompt away: for a time, for the session, or forever. */
export function listWindowProperties(ruleset: OwnRuleset, model: ExploredModel): readonly Property[] {
  const keys = listUsedKeys(ruleset, model);
  return [
    ...listSnoozes(ruleset, model, keys),
    ...listShowings(ruleset, model, keys),
    ...listAnswersForEver(ruleset, keys),
    ...listAnswersForSession(ruleset, model),
    ...listEnds(ruleset),
  ];
}

function listUsedKeys(ruleset: OwnRuleset, { explored }: ExploredModel): readonly UsedKey[] {
  const all = allRules(ruleset).flatMap(({ ledger }) => ledger.keys);
  const unique = [...new Map(all.map((parts) => [parts.join(), parts])).values()];
  const shown = explored.steps.flatMap(({ events }) => events.filter(({ type }) => type === 'prompt.shown'));
  return unique.flatMap((parts) => {
    const field = keyField(parts);
    const values = shown.map((one) => (one as Readonly<Record<string, FactScalar>>)[field] ?? null);
    return [...new Set(values)].flatMap((value) => (value === null ? [] : [{ parts, field, value }]));
  });
}

/** A prompt of a key that the cadence has to keep away. A duty does not wait for it (OC23). */
function createDueFormula(ruleset: OwnRuleset, { field, value }: UsedKey): Formula {
  const hasDuty = allRules(ruleset).some(
    ({ requirement, deadline }) => requirement.required !== null || requirement.blocked !== null || deadline !== null,
  );
  return event('prompt.shown', { [field]: value, ...(hasDuty ? { required: false } : {}) });
}

/** Changes of a tenant or a user can end a snooze by another duration (A7). */
const changes: readonly Formula[] = [event('tenant.changed'), event('user.changed')];

function createEndFormula(
  ruleset: OwnRuleset,
  cleared: Parameters<typeof listResetEvents>[1],
  { parts }: UsedKey,
): Formula {
  return any(...listResetEvents(ruleset, cleared, parts).map(toEvent), ...changes);
}

function listSnoozes(ruleset: OwnRuleset, model: ExploredModel, keys: readonly UsedKey[]): readonly Property[] {
  const cadence = findAgreed(ruleset, (rules) => rules.cadence);
  const answers = findAgreed(ruleset, (rules) => rules.answers);
  const tickMs = model.clock?.stepMs ?? null;
  if (cadence === null || answers === null || tickMs === null) return [];
  const isAfterAnswer = cadence.anchor === 'answer' && (cadence.kind === 'fixed' || cadence.kind === 'growing');
  const parts = Object.entries(answers).flatMap(([id, answer]) => {
    if (!answer.effects.includes('snooze') || ['close', 'expire', 'next'].includes(id)) return [];
    const durations = answer.for !== null ? [answer.for] : isAfterAnswer ? cadence.durations : [];
    return keys.flatMap((key) =>
      durations.flatMap((operand, number) => {
        const isLast = number === durations.length - 1;
        const count = fact('snoozes');
        const counted = durations.length === 1 ? null : isLast ? count.atLeast(number + 1) : count.is(number + 1);
        return listWindows(operand, model).flatMap(({ ms, setting }) => {
          const lastMs = cadence.boundary === 'inclusive' ? ms - tickMs : ms;
          if (lastMs < 0) return [];
          const answered = event('prompt.answered', { answer: id, accepted: true, [key.field]: key.value });
          const conditions = [answered, ...(setting === null ? [] : [setting]), ...(counted === null ? [] : [counted])];
          return [
            when(
              all(...conditions),
              keepAway(createDueFormula(ruleset, key), lastMs, createEndFormula(ruleset, 'timer', key)),
            ),
          ];
        });
      }),
    );
  });
  return named(parts, {
    id: 'no-prompt-while-snoozed',
    title: 'After an answer that snoozes, no prompt is shown until its time is over',
    covers: ['OC24', 'OC26'],
  });
}

/** Prompts after which the next one waits: once only, or for a time from the latest showing. */
function listShowings(ruleset: OwnRuleset, model: ExploredModel, keys: readonly UsedKey[]): readonly Property[] {
  const cadence = findAgreed(ruleset, (rules) => rules.cadence);
  const tickMs = model.clock?.stepMs ?? null;
  if (cadence === null || tickMs === null) return [];
  const { kind, anchor, durations } = cadence;
  const [operand] = durations;
  const windows =
    kind === 'fixed' && anchor === 'lastShown' && operand !== undefined ? listWindows(operand, model) : [];
  const parts = keys.flatMap((key) => {
    const shown = event('prompt.shown', { [key.field]: key.value });
    const again = createDueFormula(ruleset, key);
    const ends = createEndFormula(ruleset, 'shown', key);
    if (kind === 'once') return [when(shown, next(unless(not(again), ends)))];
    return windows.flatMap(({ ms, setting }) =>
      // The step after the showing can be one of the clock, so one less is left.
      ms < 2 * tickMs
        ? []
        : [when(all(shown, ...(setting === null ? [] : [setting])), next(keepAway(again, ms - 2 * tickMs, ends)))],
    );
  });
  return named(parts, {
    id: 'no-prompt-after-a-showing',
    title: 'After a prompt, no other one is shown until its time is over',
    covers: ['OC26'],
  });
}

function listAnswersForEver(ruleset: OwnRuleset, keys: readonly UsedKey[]): readonly Property[] {
  const parts = listAnswers(ruleset, 'never').flatMap((id) =>
    keys.map((key) =>
      when(
        event('prompt.answered', { answer: id, accepted: true, [key.field]: key.value }),
        unless(not(createDueFormula(ruleset, key)), any(...listResetEvents(ruleset, 'never', key.parts).map(toEvent))),
      ),
    ),
  );
  return named(parts, {
    id: 'never-is-for-ever',
    title: 'After an answer forever, no prompt is shown until a reset',
    covers: ['OC24'],
  });
}

function listAnswersForSession(ruleset: OwnRuleset, { explored }: ExploredModel): readonly Property[] {
  const sent = explored.steps.flatMap(({ events }) => events.filter(({ type }) => type === 'prompt.answered'));
  const browsers = new Set(sent.map((one) => (one as Readonly<Record<string, FactScalar>>)['browser'] ?? null));
  const ends = listResetEvents(ruleset, 'session').map(toEvent);
  const parts = listAnswers(ruleset, 'session').flatMap((answer) =>
    [...browsers].map((browser) =>
      when(
        event('prompt.answered', { answer, accepted: true, browser }),
        unless(
          not(event('prompt.shown', { browser, session: 'same', required: false })),
          any(event(evaluated, { browser, session: 'new' }), event('browser.cleared'), ...ends),
        ),
      ),
    ),
  );
  return named(parts, {
    id: 'session-answer-holds',
    title: 'After an answer for the session, no prompt is shown in it',
    covers: ['OC24'],
  });
}

function listEnds(ruleset: OwnRuleset): readonly Property[] {
  const cadence = findAgreed(ruleset, (rules) => rules.cadence);
  if (cadence === null || (cadence.kind !== 'fixed' && cadence.kind !== 'growing')) return [];
  return [
    defineProperty({
      id: 'snooze-ends',
      title: 'Every wait for the next prompt ends, as long as time goes on',
      covers: ['OC26'],
      fair: [{ kind: 'time' }],
      property: always(
        when(fact('waiting').is(true), { kind: 'eventually', of: fact('waiting').is(false), withinMs: null }),
      ),
    }),
  ];
}

/** Lists the buttons with an effect in all editions. */
function listAnswers(ruleset: OwnRuleset, effect: 'never' | 'session'): readonly string[] {
  const answers = findAgreed(ruleset, (rules) => rules.answers) ?? {};
  return Object.entries(answers).flatMap(([id, { effects }]) =>
    effects.includes(effect) && !['close', 'expire', 'next'].includes(id) ? [id] : [],
  );
}

/** Formats that nothing happens for a time, or until an end that comes before. */
function keepAway(of: Formula, forMs: number, ends: Formula): Formula {
  return any({ kind: 'always', of: not(of), forMs }, unless(not(of), ends));
}

/** Lists the values of a duration: the constant, or those that the setting has in the model. */
function listWindows(operand: DurationOperand, { facts, clock }: ExploredModel): readonly Window[] {
  const tickMs = clock?.stepMs ?? 1;
  if ('constant' in operand) {
    const { ms, months } = operand.constant;
    return months > 0 || ms % tickMs !== 0 ? [] : [{ ms, setting: null }];
  }
  if (!('setting' in operand)) return [];
  const path = `tenant.settings.${operand.setting}`;
  const values = facts.find(({ name }) => name === path)?.values ?? [];
  return values.flatMap((ms) =>
    typeof ms === 'number' && ms > 0 && ms % tickMs === 0 ? [{ ms, setting: previously(fact(path).is(ms)) }] : [],
  );
}

function named(
  parts: readonly Formula[],
  { id, title, covers }: { readonly id: string; readonly title: string; readonly covers: readonly string[] },
): readonly Property[] {
  return parts.length === 0 ? [] : [defineProperty({ id, title, covers, property: always(all(...parts)) })];
}
