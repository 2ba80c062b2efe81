import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/contract/assumptions.ts';
import { ruleCatalogue } from '../../src/contract/rule-catalogue.ts';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import { createBuiltInModel } from '../../src/properties/models/built-in-models.ts';
import { modelDefault } from '../../src/properties/models/model-names.ts';
import type { PropertyModel } from '../../src/properties/models/property-model.ts';
import { readShippedProperties } from '../../src/properties/shipped-properties.ts';
import { nonEmpty } from '../non-empty.ts';
import { canaries } from './canaries.ts';

const shipped = nonEmpty(readShippedProperties());

describe('properties of the specification', () => {
  it('PR14: at least ten properties are proven, and name rules that exist', () => {
    expect(shipped.length).toBeGreaterThanOrEqual(10);
    const ids = [...ruleCatalogue, ...assumptions].map(({ id }) => id);
    for (const { covers } of shipped) expect(ids).toEqual(expect.arrayContaining([...covers]));
    const byMachine = Map.groupBy(shipped, ({ machine }) => machine ?? modelDefault);
    const verdicts = [...byMachine].flatMap(([machine, own]) =>
      checkProperties(createBuiltInModel(machine) as PropertyModel, own).map(({ id, verdict }) => `${id} ${verdict}`),
    );
    expect(verdicts.toSorted()).toEqual(shipped.map(({ id }) => `${id} proven`).toSorted());
  });

  it('PR15: every property has a canary, a faulty machine in which it is violated', () => {
    expect([...canaries.keys()].toSorted()).toEqual(shipped.map(({ id }) => id).toSorted());
    const verdicts = shipped.map((property) => {
      const model = canaries.get(property.id)?.();
      const [result] = model === undefined ? [] : checkProperties(model, [property]);
      return `${property.id} ${result?.verdict}`;
    });
    expect(verdicts).toEqual(shipped.map(({ id }) => `${id} violated`));
  });
});
