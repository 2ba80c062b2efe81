import { nudgeMachine } from '../../../machines/nudge.machine.ts';
import { chartDefinitions, chartNodes, describedTransition } from '../../../machines/statechart.ts';

/** Lists the transitions between the states of a user, which all rulesets have in common. */
export function listStateChanges(): readonly {
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
}[] {
  const moves = chartDefinitions(chartNodes(nudgeMachine))
    .map(describedTransition)
    .filter(({ from, to }) => from !== to);
  return [...Map.groupBy(moves, ({ from, to }) => `${from} ${to}`).values()].flatMap((between) => {
    const [first] = between;
    return first === undefined
      ? []
      : [{ from: first.from, to: first.to, events: [...new Set(between.map(({ event }) => event))] }];
  });
}
