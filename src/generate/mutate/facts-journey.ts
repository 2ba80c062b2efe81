import type { FactSpace } from '../../compiled/fact-space.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import { mergePatch } from '../../core/merge-patch.ts';
import type { Journey } from '../journey.ts';
import { axesBase } from '../models/eligibility-axes.ts';
import type { FactsDifference } from './facts-difference.ts';

/**
 * Creates a journey with one sign-in on given facts. Unusual tenant and user values are set as initial data, and
 * unusual attempt values are set in the sign-in step.
 */
export function factsJourney(
  space: FactSpace,
  { ruleset, places }: FactsDifference,
  { name, covers }: Pick<Journey, 'name' | 'covers'>,
): Journey {
  const said = { tenant: axesBase.tenant, user: { groups: ['staff'] }, attempt: {} } as Readonly<
    Record<string, unknown>
  >;
  const facts = space.axes.reduce((known, axis, at) => {
    const place = places[at] ?? 0;
    // The first value of an axis is usual and mostly the default. Only the campaign targets are always written.
    if (place === 0 && axis.name !== 'campaign') return known;
    const sets = Object.entries(axis.values[place]?.sets ?? {});
    return sets.reduce(
      (all, [path, value]) => mergePatch(all, nested(path.split('.'), value), 'keep'),
      known as unknown,
    );
  }, said as unknown) as { readonly tenant: object; readonly user: object; readonly attempt: object };
  const { attempt } = facts;
  return {
    name,
    covers,
    ...(ruleset === 'seed' ? {} : { ruleset }),
    given: { tenant: facts.tenant, users: { ada: facts.user } } as ScenarioGiven,
    steps: [{ signIn: { user: 'ada', ...attempt } } as WrittenStep],
  };
}

function nested([key = '', ...rest]: readonly string[], value: unknown): unknown {
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
}
