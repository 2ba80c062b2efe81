import { h, type VNode } from 'vue';
import type { FactDefinition, FactValue } from '../../machines/own/condition-data.ts';
import type { ValidationProblem } from '../../src/core/errors.ts';
import { formatValue } from '../../src/scenario/rulesets/describe-values.ts';
import { checkBoxes, input, select } from './fields.ts';
import {
  type GivenValues,
  listDeclared,
  type Owner,
  owners,
  placeOfValue,
  type WrittenValue,
  withValue,
} from './given-values.ts';
import type { PlaygroundRuleset } from './rulesets.ts';

const legends: Readonly<Record<Owner, string>> = {
  settings: 'Settings of the ruleset',
  tenant: 'Facts of the tenant',
  user: 'Facts of the user',
  attempt: 'Facts of the sign-in',
};

/** Given values with their problems. */
interface ShownValues {
  readonly given: GivenValues;
  readonly problems: readonly ValidationProblem[];
}

/**
 * Creates the fields of the settings and facts that a ruleset declares, a group for each owner.
 *
 * @param ruleset - the ruleset
 * @param values - given values and their problems
 * @param change - receives all given values
 * @returns the groups, none for a ruleset that declares nothing
 */
export function declaredFields(
  ruleset: PlaygroundRuleset,
  { given, problems }: ShownValues,
  change: (given: GivenValues) => void,
): readonly VNode[] {
  const declared = listDeclared(ruleset);
  const wrong = new Set(problems.map(({ location }) => location));
  const groups = owners.flatMap((owner) => {
    const fields = Object.entries(declared[owner]).map(([name, definition]) =>
      field({ id: `${owner}-${name}`, label: name }, definition, {
        value: given[owner][name],
        isInvalid: wrong.has(placeOfValue(owner, name)),
        change: (value) => change(withValue(given, owner, name, value)),
      }),
    );
    if (fields.length === 0) return [];
    return [
      h('fieldset', { class: 'playground-group' }, [
        h('legend', legends[owner]),
        h('div', { class: 'playground-choices' }, fields),
      ]),
    ];
  });
  if (problems.length === 0) return groups;
  const list = problems.map(({ location, message }) => h('li', `${location}: ${message}`));
  return [
    ...groups,
    h('div', { role: 'alert', class: 'playground-faults' }, [h('p', 'Correct these values.'), h('ul', list)]),
  ];
}

interface FieldValue {
  /** Given value; `undefined` for the default. */
  readonly value: WrittenValue | undefined;
  readonly isInvalid: boolean;
  readonly change: (value: WrittenValue | undefined) => void;
}

const formats: Readonly<Partial<Record<FactDefinition['type'], string>>> = {
  duration: 'Duration such as 7d.',
  instant: 'Instant such as 2026-01-05T09:00:00Z.',
};

function field(
  { id, label }: { readonly id: string; readonly label: string },
  definition: FactDefinition,
  { value, isInvalid, change }: FieldValue,
): VNode {
  const { type, values, default: initial, min, max } = definition;
  const unlessDefault = (next: WrittenValue): void => change(isSame(next, initial) ? undefined : next);
  if (type === 'boolean') {
    return select(label, ['true', 'false'], String(value ?? initial) === 'true' ? 'true' : 'false', (next) =>
      unlessDefault(next === 'true'),
    );
  }
  if (type === 'enum') return select(label, values, String(value ?? initial), unlessDefault);
  if (type === 'set') return checkBoxes(label, values, toList(value ?? initial), unlessDefault);
  const hint = [formats[type], `Default: ${formatValue(initial, type)}.`].filter((part) => part !== undefined);
  return input({
    id,
    label,
    type: type === 'integer' ? 'number' : 'text',
    value: value === undefined || value === null ? '' : String(value),
    hint: hint.join(' '),
    isInvalid,
    range: type === 'integer' ? { min, max } : {},
    change: (next) => {
      if (next === '') change(undefined);
      else change(type === 'integer' ? Number(next) : next);
    },
  });
}

function toList(value: WrittenValue | FactValue): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isSame(value: WrittenValue, initial: FactValue): boolean {
  return JSON.stringify(value) === JSON.stringify(initial);
}
