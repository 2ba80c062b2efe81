import type { OwnRuleset, Reset } from '../../../machines/own/own-ruleset.ts';
import { allRules } from '../../generate/own/own-space.ts';
import type { Formula } from '../language/formula.ts';
import { event } from '../language/formula-builder.ts';
import type { ownEvents } from './step-events.ts';

type OwnEvent = (typeof ownEvents)[number];

/** Events of the model at which a reset takes place. */
const eventOfReset: Readonly<Record<Extract<Reset['on'], string>, readonly OwnEvent[]>> = {
  registered: ['setup.completed'],
  removed: ['method.removed'],
  edition: ['time.passed'],
  control: ['ledger.reset'],
  browserCleared: ['browser.cleared'],
};

/**
 * Lists the events that clear a part of the ledger by the resets of a ruleset. The reset by the control API clears every
 * part under rules without a reset on `control`.
 *
 * @param parts - parts of the key that is cleared; without them, those of any key
 */
export function listResetEvents(
  ruleset: OwnRuleset,
  cleared: Reset['clears'][number],
  parts: readonly string[] | null = null,
): readonly OwnEvent[] {
  const resets = allRules(ruleset).flatMap((rules) => rules.resets);
  const clearsAll = allRules(ruleset).some((rules) => rules.resets.every(({ on }) => on !== 'control'));
  const clearing = resets.filter(
    ({ clears, keys }) =>
      clears.includes(cleared) && (keys === null || parts === null || keys.some((one) => one.join() === parts.join())),
  );
  const events = clearing.flatMap(({ on }): readonly OwnEvent[] => {
    if (typeof on === 'string') return eventOfReset[on];
    return 'settingChanged' in on ? ['tenant.changed'] : ['tenant.changed', 'user.changed'];
  });
  return [...new Set<OwnEvent>([...(clearsAll ? (['ledger.reset'] as const) : []), ...events])];
}

/** Creates the condition that a step sends an event. */
export function toEvent(name: OwnEvent): Formula {
  return event(name);
}
