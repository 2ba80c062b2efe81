import {
  type CheckedGate,
  type CheckedRules,
  describeExample,
  type Finding,
  listComparisons,
} from './checked-rules.ts';
import { type Formula, formulaReads, open, toFormula } from './formula.ts';

/** Finds gates that always stop (RS28), and those that can never decide (RS29). */
export function checkGates(checked: CheckedRules): readonly Finding[] {
  const findings: Finding[] = [];
  let isOver = false;
  for (const [index, gate] of checked.gates.entries()) {
    const earlier = checked.gates.slice(0, index);
    const stop = findStop(gate, earlier, checked, isOver);
    if (stop !== null) {
      findings.push(stop);
      isOver = true;
      continue;
    }
    const useless = findUseless(gate, isOver ? [] : earlier, checked);
    if (useless !== null) findings.push(useless);
  }
  return findings;
}

const stops = (gate: CheckedGate): Formula => ({ not: gate.passes });

function findStop(
  gate: CheckedGate,
  earlier: readonly CheckedGate[],
  checked: CheckedRules,
  isOver: boolean,
): Finding | null {
  const { search } = checked;
  if (search.excludes(gate.passes)) return alwaysStops(gate, checked);
  if (isOver || !search.excludes(...earlier.map(({ passes }) => passes), gate.passes)) return null;
  const other = earlier.find(({ passes }) => search.excludes(passes, gate.passes));
  const others = other === undefined ? 'the gates before it pass' : `${other.id} passes`;
  const example = search.findExample(...(other === undefined ? earlier.map(({ passes }) => passes) : [other.passes]));
  const given = example === null ? '' : `, ${describeExample(example, formulaReads(gate.passes), checked)}`;
  return {
    code: 'RS28',
    severity: 'fault',
    path: gate.path,
    message: `${gate.id} stops whenever ${others}${given}, so no user is ever prompted; correct one of the conditions`,
  };
}

/** Names the comparison that makes a gate stop always: without it, the gate can pass. */
function alwaysStops(gate: CheckedGate, checked: CheckedRules): Finding {
  const { search } = checked;
  const { condition } = gate;
  const comparisons = condition === null ? [] : listComparisons(condition);
  const causes = comparisons.filter(({ condition: one }) => {
    if (condition === null) return false;
    const rest = toFormula(condition, { condition: one, by: open });
    return !search.excludes(gate.id === 'X.done' ? { not: rest } : rest);
  });
  const cause = causes.at(-1);
  const others = causes.slice(0, -1).map(({ text }) => `"${text}"`);
  const reads = formulaReads(gate.passes);
  const example = search.findExample(stops(gate));
  const given = example === null ? '' : `, ${describeExample(example, reads, checked)}`;
  const because =
    cause === undefined
      ? 'no facts let it pass'
      : others.length === 0
        ? `"${cause.text}" ${gate.id === 'X.done' ? 'always holds' : 'never holds'}`
        : `"${cause.text}" contradicts ${others.join(' and ')}`;
  return {
    code: 'RS28',
    severity: 'fault',
    path: cause === undefined ? gate.path : [...gate.path, ...cause.path],
    message: `${gate.id} always stops${given}, so no user is ever prompted: ${because}; correct the condition`,
  };
}

/** Finds a gate that is never the reason: it never stops, or an earlier one always stops before it. */
function findUseless(gate: CheckedGate, earlier: readonly CheckedGate[], checked: CheckedRules): Finding | null {
  const { search } = checked;
  const warn = (message: string): Finding => ({ code: 'RS29', severity: 'warning', path: gate.path, message });
  if (search.excludes(stops(gate))) {
    return warn(
      `${gate.id} never stops, because its condition decides nothing; leave it out, or correct the condition`,
    );
  }
  if (!search.excludes(...earlier.map(({ passes }) => passes), stops(gate))) return null;
  const other = earlier.find(({ passes }) => search.excludes(passes, stops(gate)));
  const example = search.findExample(stops(gate));
  const given = example === null ? '' : `, ${describeExample(example, [], checked)}`;
  return warn(
    `${gate.id} is never the reason: whenever it stops${given}, ${other?.id ?? 'a gate before it'} stops first; ` +
      'leave it out, or place it earlier',
  );
}
