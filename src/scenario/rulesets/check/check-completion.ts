import { completedFacts } from '../../../../machines/own/completed-facts.ts';
import { type Given, holds, listReads } from '../../../../machines/own/condition.ts';
import { platformAt } from '../../../../machines/own/own-facts.ts';
import { type Condition, isDataGate, isModuleGate, type OwnRules } from '../../../../machines/own/own-ruleset.ts';
import { type RegisteredItem, registeredItems, withRegistered } from '../../../../machines/own/own-state.ts';
import { passkeyTypes } from '../../../../machines/vocabulary.ts';
import type { Path } from '../ruleset-fault.ts';
import { type CheckedRules, describeExample, type Finding } from './checked-rules.ts';
import { always, type Formula, gateStops, gateVariables, listVariables, toFormula } from './formula.ts';

/**
 * Finds a requirement that no setup ends (RS33): after the completed setup the prompt is required again, whatever the
 * facts are.
 */
export function checkCompletion(checked: CheckedRules): readonly Finding[] {
  const { rules, search, gates } = checked;
  const duty = findDuty(rules);
  if (duty === null || movesDeadline(rules)) return [];
  const prompts = [...gates.map(({ passes }) => passes), duty.holds];
  const example = search.findExample(...prompts);
  if (example === null || !search.excludes(...prompts, endsAfterSetup(rules))) return [];
  const { label, kind } = rules.methods[rules.ask] ?? { label: rules.ask, kind: 'form' };
  return [
    {
      code: 'RS33',
      severity: 'fault',
      path: duty.path,
      message:
        `is required without a way to do it, ${describeExample(example, [], checked)}: after the setup of ${label} ` +
        `(${kind}), the prompt is required again; write done, or complete its facts under completion`,
    },
  ];
}

/** Returns true if the completed setup moves the deadline, because a fact that it changes is one of the ends. */
function movesDeadline({ deadline, completion }: OwnRules): boolean {
  const changed = new Set([...completion.set, ...completion.add].map(({ path }) => path));
  const ends = (deadline?.ends ?? []).map((end) => ('at' in end ? end.at : end.since));
  return ends.some((end) => typeof end === 'object' && 'fact' in end && changed.has(end.fact));
}

interface Duty {
  readonly path: Path;
  readonly holds: Formula;
}

/** Returns what makes a prompt required, or `null` if nothing does. */
function findDuty({ requirement, deadline, limit, resets }: OwnRules): Duty | null {
  // A registration that clears the ledger ends a limit, and can begin another period.
  const starts = resets.some(({ on }) => on === 'registered');
  if (!starts && deadline?.then === 'required') return { path: ['deadline'], holds: always };
  if (!starts && deadline?.before === 'required') return { path: ['deadline', 'before'], holds: always };
  if (!starts && limit?.then === 'required') return { path: ['limit', 'then'], holds: always };
  if (requirement.required === null) return null;
  return { path: ['requirement', 'required'], holds: toFormula(requirement.required) };
}

/** Returns the formula that the completed setup ends the requirement. It reads only what the setup changes. */
function endsAfterSetup(rules: OwnRules): Formula {
  const { done, gates, requirement, trigger, completion, matrix, deadline, limit } = rules;
  const { kind } = rules.methods[rules.ask] ?? { kind: 'form' };
  const items: readonly RegisteredItem[] =
    kind === 'passkey'
      ? passkeyTypes.map((type) => ({ passkey: { type, deviceId: 'device-1' } }))
      : [registeredItems[kind]];
  const changed = new Set([
    ...completion.set.map(({ path }) => path),
    ...completion.add.map(({ path }) => path),
    ...(kind === 'passkey' ? ['user.passkeys'] : ['user.methods']),
    'kept.doneAt',
  ]);
  const changes = (condition: Condition | null): condition is Condition =>
    condition !== null && listReads(condition).some((path) => changed.has(path));
  const alone = deadline === null && limit === null;
  const stoppers = gates.filter(isDataGate).filter((gate) => changes(gate.when) || changes(gate.skipIf));
  const modules = gates.filter(isModuleGate).filter((gate) => gate.reads.some((path) => changed.has(path)));
  const mustHold = [trigger.factors, alone ? requirement.required : null].filter(changes);
  const doneNow = changes(done) ? done : null;
  const byMatrix = kind === 'passkey' ? matrix : null;
  const conditions = [doneNow, ...stoppers.flatMap(({ when, skipIf }) => [when, skipIf]), ...mustHold];
  const values = [...completion.set, ...completion.add].flatMap(({ value }) =>
    typeof value === 'object' && 'fact' in value
      ? [value.fact === 'attempt.ecosystem' ? 'attempt.os' : value.fact]
      : [],
  );
  const reads = [
    ...conditions.flatMap((one) => (one === null ? [] : listVariables(one))),
    ...values,
    ...modules.flatMap(gateVariables),
    ...(byMatrix === null ? [] : ['attempt.os', 'attempt.browser']),
  ];
  if (reads.length === values.length) return { any: [] };
  const test = ({ facts }: Given): boolean =>
    items.some((item) => {
      const { nowMs } = facts.attempt;
      const user = {
        ...withRegistered(facts.user, item),
        facts: completedFacts(facts.user.facts, { facts, rules }, nowMs),
      };
      const after: Given = { facts: { ...facts, user, kept: { ...facts.kept, doneAtMs: nowMs } }, rules };
      const platform = platformAt(facts.attempt);
      return (
        (doneNow !== null && holds(doneNow, after)) ||
        (byMatrix !== null && user.passkeys.some(({ type }) => byMatrix[type]?.includes(platform) === true)) ||
        mustHold.some((one) => !holds(one, after)) ||
        modules.some((gate) => gateStops(gate, after) !== false) ||
        stoppers.some(({ when, skipIf }) => (skipIf === null || !holds(skipIf, after)) && !holds(when, after))
      );
    });
  return { leaf: { reads: [...new Set(reads)], test } };
}
