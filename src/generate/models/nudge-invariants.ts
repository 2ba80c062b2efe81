import { snoozeLimit } from '../../../machines/campaign-limits.ts';
import type { NudgeEvent, nudgeMachine, OpenPrompt } from '../../../machines/nudge.machine.ts';
import type { Edge, Invariant } from '../../compiled/model.ts';

type NudgeEdge = Edge<typeof nudgeMachine>;

/** Invariants of every user's lifecycle, written without the machine's own guards. */
export const nudgeInvariants: readonly Invariant<typeof nudgeMachine>[] = [
  {
    id: 'nudge.limit-holds',
    sentence: 'No skip, close or expiry is counted while the limit is on and three snoozes are used (R6, A42).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      !('limited' in event && event.limited && before.context.count >= snoozeLimit) ||
      after.context.count <= before.context.count,
  },
  {
    id: 'nudge.count-falls-by-control',
    sentence: 'The count falls only when the control API sets the nudge status (R7, A3).',
    of: 'edge',
    holds: ({ before, event, after }) => event.type === 'snooze.set' || after.context.count >= before.context.count,
  },
  {
    id: 'nudge.count-rises-by-prompts',
    sentence: 'The count rises by at most one for each prompt that ends, and only when a prompt ends (R7, A26).',
    of: 'edge',
    holds: (edge) => edge.after.context.count - edge.before.context.count <= ended(edge).length,
  },
  {
    id: 'nudge.error-skip-counts-nothing',
    sentence: 'Skipping or leaving an error screen does not count (A10, A12).',
    of: 'edge',
    holds: (edge) =>
      edge.event.type === 'prompt.skipped' ||
      rises(edge) <= (edge.event.type === 'errorScreen.skipped' ? 0 : endedOffErrors(edge)),
  },
  {
    id: 'nudge.required-ends-rightly',
    sentence:
      'An open required prompt ends only when the user registers or skips an error screen, when it expires or its window closes without counting, or when registration is no longer required (R6, A1, A2).',
    of: 'edge',
    holds: (edge) => ended(edge).every((prompt) => !prompt.required || endsRequired(edge)),
  },
  {
    id: 'nudge.answered-once',
    sentence: 'An action on a prompt that is not open changes nothing (A26).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      !('promptId' in event) ||
      event.type === 'prompt.shown' ||
      before.context.openPrompts.some(({ id }) => id === event.promptId) ||
      before === after ||
      JSON.stringify([before.value, before.context]) === JSON.stringify([after.value, after.context]),
  },
  {
    id: 'nudge.registering-ends-all',
    sentence: 'Registering ends every open prompt and keeps the count (A3, A27).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      !registers(event, before.context.openPrompts) ||
      (after.value === 'registered' &&
        after.context.openPrompts.length === 0 &&
        after.context.count === before.context.count),
  },
  {
    id: 'nudge.snooze-has-begun',
    sentence: 'A user is snoozed only while a snooze is recorded (R5, R7).',
    of: 'state',
    holds: ({ value, context }) => value !== 'snoozed' || context.snoozedAtMs !== null,
  },
  {
    id: 'nudge.prompted-has-prompt',
    sentence: 'A user who is prompted has an open prompt (A38).',
    of: 'state',
    holds: ({ value, context }) => value !== 'prompted' || context.openPrompts.length > 0,
  },
];

function rises({ before, after }: NudgeEdge): number {
  return after.context.count - before.context.count;
}

function endedOffErrors(edge: NudgeEdge): number {
  return ended(edge).filter(({ phase }) => phase !== 'error').length;
}

/** Lists the prompts that the event ended. */
function ended({ before, event, after }: NudgeEdge): readonly OpenPrompt[] {
  // A prompt that is shown again with the same id replaces the old one.
  if (event.type === 'prompt.shown') return [];
  return before.context.openPrompts.filter(({ id }) => !after.context.openPrompts.some((open) => open.id === id));
}

function registers(event: NudgeEvent, open: readonly OpenPrompt[]): boolean {
  return (
    event.type === 'method.registered' ||
    (event.type === 'setup.completed' && open.some(({ id }) => id === event.promptId))
  );
}

function endsRequired(edge: NudgeEdge): boolean {
  const { before, event } = edge;
  switch (event.type) {
    case 'setup.completed':
    case 'method.registered':
    case 'errorScreen.skipped':
      return true;
    case 'prompt.skipped':
      return !event.limited || before.context.count < snoozeLimit;
    case 'time.passed':
    case 'pendingClose.settled':
      return rises(edge) <= ended(edge).filter(({ required }) => !required).length;
    default:
      return false;
  }
}
