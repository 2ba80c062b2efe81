import { isDataGate, type OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { allRules } from '../../generate/own/own-space.ts';
import type { Formula, Property } from '../language/formula.ts';
import {
  all,
  always,
  any,
  atMostTimes,
  defineProperty,
  event,
  fact,
  never,
  not,
  page,
  when,
} from '../language/formula-builder.ts';
import type { ExploredModel } from '../models/property-model.ts';
import { findAgreed } from './agreed-rules.ts';
import { evaluated, type IsReached, translateCondition } from './condition-formula.ts';
import { describeDeadline } from './deadline-formula.ts';
import { listResetEvents, toEvent } from './reset-events.ts';
import { listWindowProperties } from './window-properties.ts';

/** A sign-in that no gate stops: the user is prompted or blocked. */
const asks: Formula = any(
  event(evaluated, { outcome: 'skippable' }),
  event(evaluated, { outcome: 'required' }),
  event(evaluated, { outcome: 'blocked' }),
);

/**
 * Lists the properties that every own ruleset has by the format (OC22 to OC30): a snooze, an answer forever and one for
 * the session are kept; counts fall only by a reset; a required prompt takes no answer that is refused there; and gates,
 * what is done and deadlines decide as they are written. What a ruleset does not use has no property, and neither has
 * what its editions state differently or what properties cannot say, such as the age of an account.
 *
 * @param ruleset - ruleset that the properties are derived from
 * @param model - its model, whose clock limits are rounded to
 * @returns the properties, for `checkProperties`
 */
export function createRulesetProperties(ruleset: OwnRuleset, model: ExploredModel): readonly Property[] {
  const isReached: IsReached = (path, value) =>
    model.facts.find(({ name }) => name === path)?.values.includes(value) ?? false;
  return [
    ...listWindowProperties(ruleset, model),
    ...listCountProperties(ruleset),
    ...listAnswerProperties(ruleset),
    ...listDutyProperties(ruleset, isReached),
    ...listGateProperties(ruleset, isReached),
    ...listPageProperties(ruleset, model),
  ];
}

function listCountProperties(ruleset: OwnRuleset): readonly Property[] {
  const counts = allRules(ruleset).some(({ answers }) => Object.values(answers).some((answer) => answer.counts));
  if (!counts) return [];
  const isOfUser = allRules(ruleset).every(({ ledger }) => ledger.keys.every((parts) => parts.join() === 'user'));
  // The count is that of the latest sign-in's key, which another device or browser changes.
  const other = isOfUser ? [] : [event(evaluated), event('browser.cleared')];
  const resets = [...listResetEvents(ruleset, 'count').map(toEvent), ...other];
  const falls = defineProperty({
    id: 'count-never-falls',
    title: 'The snooze count falls only by a reset',
    covers: ['OC24', 'OC29'],
    property: never(all(fact('snoozes').falls(), not(any(...resets)))),
  });
  const storesOnce = allRules(ruleset).every(
    ({ answers, failure }) => failure.stores === 'nothing' && answers['next']?.counts !== true,
  );
  if (!storesOnce) return [falls];
  return [
    falls,
    defineProperty({
      id: 'prompt-counts-once',
      title: 'A prompt counts at most once',
      covers: ['OC24', 'OC30'],
      property: atMostTimes(
        1,
        all(fact('snoozes').rises(), not(event(evaluated))),
        event('prompt.shown'),
        event('prompt.shown'),
      ),
    }),
  ];
}

function listAnswerProperties(ruleset: OwnRuleset): readonly Property[] {
  const canRequire = allRules(ruleset).some(
    ({ requirement, deadline, limit }) =>
      requirement.required !== null ||
      deadline?.before === 'required' ||
      deadline?.then === 'required' ||
      limit?.then === 'required',
  );
  const ids = [...new Set(allRules(ruleset).flatMap(({ answers }) => Object.keys(answers)))];
  const refused = ids.filter((id) => allRules(ruleset).every(({ answers }) => answers[id]?.whenRequired !== 'offered'));
  const buttons = refused.filter((id) => !['close', 'expire', 'next'].includes(id));
  if (!canRequire || buttons.length === 0) return [];
  return [
    defineProperty({
      id: 'required-is-not-answered',
      title: 'A required prompt takes no answer that is not offered there',
      covers: ['OC24'],
      property: always(
        when(event('prompt.answered', { required: true }), event('prompt.answered', { accepted: false })),
      ),
    }),
  ];
}

function listDutyProperties(ruleset: OwnRuleset, isReached: IsReached): readonly Property[] {
  const blocked = findAgreed(ruleset, ({ requirement }) => requirement.blocked);
  const formula = blocked === null ? null : translateCondition(blocked, isReached);
  const onlyByRequirement = allRules(ruleset).every(
    ({ deadline, limit }) => deadline?.then !== 'blocked' && limit?.then !== 'blocked',
  );
  const prompt = event('prompt.shown');
  const ofRequirement =
    formula === null
      ? []
      : [
          defineProperty({
            id: 'blocked-by-requirement',
            title: 'A sign-in that must be blocked shows no prompt, and no other one is blocked',
            covers: ['OC23'],
            property: always(
              all(
                when(prompt, not(formula)),
                ...(onlyByRequirement ? [when(event(evaluated, { outcome: 'blocked' }), formula)] : []),
              ),
            ),
          }),
        ];
  const deadline = findAgreed(ruleset, (rules) => rules.deadline);
  const over = deadline === null ? null : describeDeadline(deadline, isReached);
  if (deadline === null || over === null) return ofRequirement;
  const late = deadline.then === 'required' ? event('prompt.shown', { required: false }) : prompt;
  return [
    ...ofRequirement,
    defineProperty({
      id: 'deadline-is-kept',
      title: `After the deadline, ${deadline.then === 'required' ? 'no prompt can be turned down' : 'no prompt is shown'}`,
      covers: ['OC27'],
      property: always(when(late, not(over))),
    }),
  ];
}

function listGateProperties(ruleset: OwnRuleset, isReached: IsReached): readonly Property[] {
  const gates = findAgreed(ruleset, (rules) => rules.gates.filter(isDataGate)) ?? [];
  const properties = gates.flatMap(({ id, summary, when: condition, skipIf }): readonly Property[] => {
    const holds = translateCondition(condition, isReached);
    const skips = skipIf === null ? any() : translateCondition(skipIf, isReached);
    if (holds === null || skips === null) return [];
    const title = `No user is prompted unless: ${summary}`;
    return [
      defineProperty({
        id: `gate-${id}`,
        title,
        covers: [id, 'OC22'],
        property: always(when(asks, any(skips, holds))),
      }),
    ];
  });
  const done = findAgreed(ruleset, (rules) => rules.done);
  const isDone = done === null ? null : translateCondition(done, isReached);
  return [
    ...properties,
    ...(isDone === null
      ? []
      : [
          defineProperty({
            id: 'done-is-not-prompted',
            title: 'Who has done what the prompt is for is not prompted again',
            covers: ['OC22'],
            property: always(when(asks, not(isDone))),
          }),
        ]),
  ];
}

function listPageProperties(ruleset: OwnRuleset, { clock }: ExploredModel): readonly Property[] {
  const lifetimeMs = findAgreed(ruleset, (rules) => rules.lifetimeMs);
  const tickMs = clock?.stepMs ?? null;
  if (lifetimeMs === null || tickMs === null) return [];
  const withinMs = Math.ceil(lifetimeMs / tickMs) * tickMs;
  return [
    defineProperty({
      id: 'prompt-expires',
      title: 'No prompt stays open for longer than its lifetime',
      covers: ['OC30'],
      property: always(when(not(page(null)), { kind: 'eventually', of: page(null), withinMs })),
    }),
  ];
}
