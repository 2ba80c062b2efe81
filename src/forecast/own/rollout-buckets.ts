import { drawShare } from '../../../machines/own/draw.ts';
import type { OwnFacts, OwnTenant } from '../../../machines/own/own-facts.ts';
import type { FactValue, OwnRollout, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { NudgeLabError } from '../../core/errors.ts';

/** Draw of a rollout: unit and salt, with the positions that it compares, from 0 to 1 (OC28). */
export interface DrawSpec {
  readonly by: OwnRollout['by'];
  readonly salt: string | null;
  readonly positions: readonly number[];
}

/** Share of units between two positions of each draw, with ids of such units. */
export interface Bucket {
  readonly share: number;
  readonly ids: readonly string[];
}

/**
 * Lists the draws of all editions of a ruleset, with the positions that they compare.
 *
 * @param ruleset - ruleset with its editions
 * @param tenant - tenant whose settings and facts they read
 * @param valuesOf - values that a fact of users or sign-ins can have, by its path
 */
export function drawSpecs(
  ruleset: OwnRuleset,
  tenant: OwnTenant,
  valuesOf: (path: string) => readonly FactValue[] = () => [],
): readonly DrawSpec[] {
  const specs = new Map<string, { readonly by: OwnRollout['by']; readonly salt: string | null; at: Set<number> }>();
  const add = (by: OwnRollout['by'], salt: string | null, positions: readonly number[]): void => {
    const key = JSON.stringify([by, salt]);
    const spec = specs.get(key) ?? { by, salt, at: new Set<number>() };
    for (const position of positions) if (position > 0 && position < 1) spec.at.add(position);
    specs.set(key, spec);
  };
  for (const { rollout, settings } of [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)]) {
    if (rollout === null) continue;
    const { by, salt, percent, steps, variants } = rollout;
    const percents =
      'constant' in percent
        ? [percent.constant]
        : 'setting' in percent
          ? [
              tenant.settings[percent.setting] ?? settings[percent.setting]?.default,
              ...variants.map((variant) => variant.settings[percent.setting]),
            ]
          : percent.fact.startsWith('tenant.')
            ? [tenant.facts[percent.fact.slice(percent.fact.lastIndexOf('.') + 1)]]
            : valuesOf(percent.fact);
    const shares = [...percents, ...steps.map((step) => step.percent)].flatMap((one) =>
      typeof one === 'number' ? [one / 100] : [],
    );
    add(by, salt, shares);
    if (variants.length === 0) continue;
    const total = variants.reduce((sum, { share }) => sum + share, 0);
    let before = 0;
    const ends = variants.map(({ share }) => {
      before += share;
      return before / total;
    });
    add(by, salt === null ? 'variant' : `${salt}:variant`, ends);
  }
  return [...specs.values()].map(({ by, salt, at }) => ({ by, salt, positions: [...at].toSorted((a, b) => a - b) }));
}

const triesMax = 20_000_000;

/**
 * Lists the combinations of positions of one kind of unit, each with ids that have them. Ids of a simulation are
 * labels, so the share of a position is drawn, and a unit at this position gets an id that the draw places there.
 */
export function listBuckets(
  specs: readonly DrawSpec[],
  by: OwnRollout['by'],
  idCount: number,
  prefix: string = by === 'signIn' ? 'sign-in' : by,
): readonly Bucket[] {
  const own = specs.filter((spec) => spec.by === by && spec.positions.length > 0);
  let cells: readonly { readonly share: number; readonly ranges: readonly (readonly [number, number])[] }[] = [
    { share: 1, ranges: [] },
  ];
  for (const { positions } of own) {
    const borders = [0, ...positions, 1];
    cells = cells.flatMap(({ share, ranges }) =>
      borders.slice(1).map((to, index) => {
        const from = borders[index] ?? 0;
        return { share: share * (to - from), ranges: [...ranges, [from, to] as const] };
      }),
    );
  }
  return cells.map(({ share, ranges }) => ({ share, ids: findIds(own, ranges, idCount, prefix) }));
}

function findIds(
  specs: readonly DrawSpec[],
  ranges: readonly (readonly [number, number])[],
  count: number,
  prefix: string,
): readonly string[] {
  const ids: string[] = [];
  for (let number = 1; ids.length < count; number += 1) {
    if (number > triesMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: 'A share of the rollout is too small for a forecast; leave it out, or write a larger one.',
      });
    }
    const id = `${prefix}-${number}`;
    const drawn = { tenant: { id }, user: { id }, attempt: { id, deviceId: id, browserId: id } };
    const fits = specs.every((spec, index) => {
      const [from = 0, to = 1] = ranges[index] ?? [];
      const position = drawShare(spec, drawn as Pick<OwnFacts, 'tenant' | 'user' | 'attempt'>);
      return position >= from && position < to;
    });
    if (fits) ids.push(id);
  }
  return ids;
}
