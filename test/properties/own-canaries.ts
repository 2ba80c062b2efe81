import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import type { Property } from '../../src/properties/language/formula.ts';
import type { ExploredModel } from '../../src/properties/models/property-model.ts';
import { createOwnModel } from '../../src/properties/own/own-model.ts';
import { createRulesetProperties } from '../../src/properties/own/ruleset-properties.ts';
import { readOwnText } from '../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../src/scenario/rulesets/ruleset-text.ts';

/** Change of a ruleset as it is written. */
type Patch = (data: Record<string, unknown>) => object;

/** Faulty versions of a ruleset with the ids of the properties that each violates. */
type OwnCanaries = readonly (readonly [Patch, readonly string[]])[];

/** Reads a shipped ruleset with a change. */
export function readShipped(name: string, patch: Patch = () => ({})): OwnRuleset {
  const file = `rulesets/${name}.ruleset.yaml`;
  const data = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const { ruleset, faults } = readOwnText(parseRulesetText(file, JSON.stringify({ ...data, ...patch(data) })));
  if (ruleset === null) throw new RangeError(`${file} with a change: ${JSON.stringify(faults)}`);
  return ruleset;
}

const next = { effect: 'snooze', counts: true };
const clearsCount = [{ on: 'registered', clears: ['count'] }];
/** Condition that reads the same facts and always holds, or never. */
const always = (condition: unknown) => ({ any: [condition, { not: condition }] });
const never = (condition: unknown) => ({ all: [condition, { not: condition }] });

/** Gates that stop no user. */
function openGates(gates: unknown): object {
  return (gates as readonly { readonly when?: unknown }[]).map((gate) =>
    gate.when === undefined ? gate : { ...gate, when: always(gate.when) },
  );
}

/** Faulty versions of the shipped examples. */
const ownCanaries: Readonly<Record<string, OwnCanaries>> = {
  'second-factor-deadline': [
    [
      ({ done, requirement }) => ({
        done: never(done),
        requirement: { required: { all: [] }, blocked: never((requirement as { readonly blocked: unknown }).blocked) },
        answers: { skip: { label: 'Later', effect: 'snooze', whenRequired: 'offered' } },
        resets: clearsCount,
      }),
      ['count-never-falls', 'required-is-not-answered', 'blocked-by-requirement', 'done-is-not-prompted'],
    ],
    [
      () => ({ requirement: {}, answers: { skip: { label: 'Later', effect: 'snooze' }, next } }),
      ['prompt-counts-once'],
    ],
    [() => ({ lifetime: '10d' }), ['prompt-expires']],
  ],
  'passkey-by-ecosystem': [
    [
      ({ gates }) => ({ gates: openGates(gates), answers: { skip: { label: 'Later', effect: 'nothing' } } }),
      ['never-is-for-ever', 'gate-P1', 'gate-P2', 'gate-P3'],
    ],
    [() => ({ lifetime: '1h' }), ['prompt-expires']],
  ],
  'passkey-90-days': [
    [
      // One ledger of the user has fewer states than those of two browsers.
      ({ gates, done }) => ({ gates: openGates(gates), done: never(done), ledger: { keys: [['user']] } }),
      ['gate-G1', 'gate-G2', 'gate-G3', 'gate-G4', 'gate-G5', 'done-is-not-prompted'],
    ],
    [
      ({ answers }) => ({
        cadence: { kind: 'fixed', every: '45d' },
        answers: { ...(answers as object), next },
        resets: clearsCount,
      }),
      ['no-prompt-while-snoozed', 'count-never-falls', 'prompt-counts-once'],
    ],
    [() => ({ lifetime: '90d' }), ['prompt-expires']],
  ],
  'passkey-week': [
    [
      ({ answers, gates }) => ({
        gates: openGates(gates),
        cadence: { kind: 'fixed', every: '1d' },
        answers: {
          ...(answers as object),
          skip: { label: 'Later', effect: 'snooze' },
          other: { label: 'Not in this session', effect: 'session' },
          next,
        },
        resets: clearsCount,
      }),
      [
        'no-prompt-while-snoozed',
        'session-answer-holds',
        'count-never-falls',
        'prompt-counts-once',
        'gate-W1',
        'gate-W2',
        'gate-W3',
        'gate-W5',
        'gate-W6',
        'gate-W7',
        'gate-W8',
        'gate-W9',
      ],
    ],
    [() => ({ lifetime: '4h' }), ['prompt-expires']],
  ],
};

/** Model whose status reports a wait that never ends. */
function withEndlessWait(model: ExploredModel): ExploredModel {
  const facts = model.facts.map((column) =>
    column.name === 'waiting' ? { ...column, values: column.values.map(() => true) } : column,
  );
  return { ...model, facts };
}

/** Lists the ids of the properties of a shipped ruleset that none of its faulty versions violates. */
export function findUnviolated(name: string): readonly string[] {
  const ruleset = readShipped(name);
  const model = createOwnModel(ruleset);
  const properties = createRulesetProperties(ruleset, model);
  const violated = (ownCanaries[name] ?? []).flatMap(([patch, ids]) => {
    const faulty = createOwnModel(readShipped(name, patch), null, { tickMs: model.clock?.stepMs ?? null });
    return listViolated(faulty, properties, ids);
  });
  const ends = listViolated(withEndlessWait(model), properties, ['snooze-ends']);
  return properties.map(({ id }) => id).filter((id) => !violated.includes(id) && !ends.includes(id));
}

function listViolated(
  model: ExploredModel,
  properties: readonly Property[],
  ids: readonly string[],
): readonly string[] {
  const checked = properties.filter(({ id }) => ids.includes(id));
  return checkProperties(model, checked).flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : []));
}
