import type { FactSpace } from '../../compiled/fact-space.ts';
import type { ScenarioGiven, WrittenStep } from '../../contract/scenario.schema.ts';
import { mergePatch } from '../../core/merge-patch.ts';
import type { Journey } from '../journey.ts';
import { axesBase } from '../models/eligibility-axes.ts';
import type { FactsDifference } from './facts-difference.ts';

/**
 * The journey of one sign-in on given facts: what is not as usual of tenant and user is given, what is not as usual of the
 * attempt is said by the sign-in. Takes the space, the combination, and what the journey is called.
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
    // What an axis sets first is the usual, and mostly the default; whom the campaign reaches is always said.
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
