import { countsSignIns, listAtoms, listConditions } from '../../../machines/own/list-conditions.ts';
import { fixedFacts } from '../../../machines/own/own-facts.ts';
import {
  type Cadence,
  type Condition,
  type Deadline,
  type DurationOperand,
  type FactAtom,
  type FactValue,
  isDataGate,
  isModuleGate,
  type ModuleGate,
  type Operand,
  type OwnDuration,
  type OwnRules,
} from '../../../machines/own/own-ruleset.ts';
import { ownRegionsMax } from '../../core/limits.ts';
import { spacingMinutes } from '../forecast-tables.ts';
import { type Boundary, boundaryAt, exactly, isSameBoundary, none, soonestOffset, waitBoundary } from './boundary.ts';
import { deadlineBoundaries, refuseDatesOfShowing } from './deadline-boundaries.ts';
import { isCount, refuseEndlessCounts } from './endless-counts.ts';
import { NotCompiled } from './not-compiled.ts';
import type { OwnPlan } from './own-plan.ts';

/** Role of a stored instant: a time of the ledger or of a prompt, or the path of a fact. */
export type Role = string;

/** Roles of the times before an open prompt was shown. */
export const earlierRoles = {
  previousSignInAtMs: 'previous',
  firstShownAtMs: 'firstShownAtMs',
  lastShownAtMs: 'lastShownAtMs',
} as const;

/** Ledger times by the names of the kept facts. */
const keptRoles: Readonly<Record<string, Role>> = {
  'kept.firstShownAt': 'firstShownAtMs',
  'kept.lastShownAt': 'lastShownAtMs',
  'kept.answeredAt': 'answeredAtMs',
  'kept.doneAt': 'doneAtMs',
  'kept.previousSignInAt': 'previous',
};

/** Time between two sign-ins of a user, at least. */
export const spacingMs = spacingMinutes * 60_000;

/** Everything that the rules compare stored values with, in all editions. */
export class OwnTimes {
  /** Facts of users that the completion sets, so that they change during the forecast. */
  readonly changing: ReadonlySet<string>;
  /** Those of them that are instants. */
  readonly changingInstants: ReadonlySet<string>;
  /** Largest number that a rule compares a count with, plus one. */
  readonly caps = { count: 0, shown: 0, signIns: 0, qualifying: 0, passkeys: 1 };
  /** Period of the qualifying sign-ins, if the cadence counts them from the first showing; otherwise 1. */
  qualifyingPeriod = 1;
  /** Roles of the kept facts that are read when a prompt is answered. */
  readonly atAnswers: ReadonlySet<Role>;
  /** Longest time for which a prompt stays open. */
  readonly longestLifetimeMs: number;
  readonly #plan: OwnPlan;
  readonly #all: readonly OwnRules[];
  readonly #boundaries = new Map<Role, Boundary[]>();
  readonly #used = new Set<Role>();
  /** Constant instants that the time of a sign-in is compared with. */
  readonly #constants = new Set<number>();

  /** Collects the comparisons of a plan. Throws `NotCompiled`. */
  constructor(plan: OwnPlan) {
    this.#plan = plan;
    const { first, editions } = plan.ruleset;
    const all = [first, ...editions.map(({ rules }) => rules)];
    this.#all = all;
    this.longestLifetimeMs = Math.max(...all.map(({ lifetimeMs }) => lifetimeMs));
    this.changing = new Set(
      all.flatMap(({ completion }) => [...completion.set, ...completion.add].map((one) => one.path)),
    );
    this.changingInstants = new Set([...this.changing].filter((path) => this.#findType(path) === 'instant'));
    const answered = JSON.stringify(
      all.map(({ requirement, limit, deadline, completion }) => [requirement, limit, deadline, completion]),
    );
    this.atAnswers = new Set(
      Object.entries(keptRoles).flatMap(([path, role]) => (answered.includes(`"${path}"`) ? [role] : [])),
    );
    for (const rules of all) this.#addRules(rules);
    for (const { fromMs } of editions) this.#constants.add(fromMs);
    this.#addClosings();
    // Showings before a prompt count when it is answered, unless they were cleared together with the latest one.
    if (this.atAnswers.has('firstShownAtMs')) this.#used.add('lastShownAtMs');
    if (this.regions > ownRegionsMax) {
      throw new NotCompiled(
        'RC3',
        ['cadence'],
        `the times have ${this.regions} regions; the maximum is ${ownRegionsMax}`,
      );
    }
  }

  /** Number of boundaries of all roles. */
  get regions(): number {
    return [...this.#boundaries.values()].reduce((sum, { length }) => sum + length, this.#constants.size);
  }

  /** Returns the boundaries of a role. */
  of(role: Role): readonly Boundary[] {
    return this.#boundaries.get(role) ?? [];
  }

  /** Returns true if a rule depends on an instant of this role, or on whether there is one. */
  uses(role: Role): boolean {
    return this.#used.has(role) || this.#boundaries.has(role);
  }

  /** Returns the instants at which the verdicts of a user can change by themselves, in order. */
  absolute(constants: readonly { readonly role: Role; readonly atMs: number }[]): readonly number[] {
    const own = constants.flatMap(({ role, atMs }) => this.of(role).map((boundary) => boundaryAt(boundary, atMs)));
    return [...new Set([...this.#constants, ...own])].toSorted((a, b) => a - b);
  }

  #addRules(rules: OwnRules): void {
    const { cadence, limit, deadline, answers, rollout, lifetimeMs } = rules;
    refuseEndlessCounts(rules);
    for (const condition of listConditions(rules)) this.#addCondition(condition, rules);
    for (const gate of rules.gates.filter(isModuleGate)) this.#addModule(gate);
    this.#addCadence(cadence, rules);
    for (const [id, answer] of Object.entries(answers)) {
      if (answer.for === null) continue;
      for (const duration of this.#durations(answer.for, rules, ['answers', id])) {
        this.#add('snoozedAtMs', waitBoundary(cadence, duration));
      }
    }
    if (limit !== null) {
      const values = this.#numbers(limit.at, rules);
      const cap = Math.max(0, ...values) + 1;
      if (limit.counts === 'snoozes') this.caps.count = Math.max(this.caps.count, cap);
      else this.caps.shown = Math.max(this.caps.shown, cap);
    }
    if (deadline !== null) this.#addDeadline(deadline, rules);
    this.#addCompletion(rules);
    for (const { fromMs } of rollout?.steps ?? []) this.#constants.add(fromMs);
    this.#add('shownAtMs', { ...exactly, plusMs: lifetimeMs });
    // Sign-ins are apart, so a prompt that is still open then was shown at least this long ago.
    if (lifetimeMs > spacingMs) this.#add('shownAtMs', { ...exactly, plusMs: spacingMs });
  }

  /** Adds what is compared with the time of a closed page: it becomes the time of an answer when its prompt ends. */
  #addClosings(): void {
    for (const boundary of [...this.of('snoozedAtMs'), ...this.of('answeredAtMs')]) {
      if (soonestOffset(boundary) < this.longestLifetimeMs) this.#add('leftAtMs', boundary);
    }
  }

  #addCompletion({ completion }: OwnRules): void {
    for (const { value } of completion.set) {
      if (value === 'now' || !('fact' in value)) continue;
      this.#used.add(toRole(value.fact));
    }
  }

  #addCadence(cadence: Cadence, rules: OwnRules): void {
    const role = { answer: 'snoozedAtMs', firstShown: 'firstShownAtMs', lastShown: 'lastShownAtMs' }[cadence.anchor];
    if (cadence.kind === 'once') this.caps.shown = Math.max(this.caps.shown, 1);
    if (cadence.kind === 'everySignIn' || cadence.kind === 'once') return;
    this.#used.add(role);
    if (cadence.kind === 'daily') this.#add(role, { ...exactly, zone: cadence.zone, days: 1 });
    if (cadence.kind === 'signIns' && cadence.signIns !== null) {
      for (const every of this.#numbers(cadence.signIns, rules)) {
        if (cadence.anchor === 'firstShown') this.qualifyingPeriod = leastCommonMultiple(this.qualifyingPeriod, every);
        else this.caps.qualifying = Math.max(this.caps.qualifying, every);
      }
    }
    if (cadence.kind === 'growing') this.caps.count = Math.max(this.caps.count, cadence.durations.length);
    for (const operand of cadence.durations) {
      for (const duration of this.#durations(operand, rules, ['cadence']))
        this.#add(role, waitBoundary(cadence, duration));
    }
  }

  #addDeadline(deadline: Deadline, rules: OwnRules): void {
    const opened = deadline.opens === null ? [] : this.#durations(deadline.opens, rules, ['deadline', 'opens']);
    for (const end of deadline.ends) {
      const afters = 'at' in end ? [none] : this.#durations(end.after, rules, ['deadline', 'ends']);
      for (const after of afters) {
        if ('since' in end && end.since === 'firstShown') refuseDatesOfShowing(after, opened, deadline);
        for (const one of deadlineBoundaries(after, opened, deadline)) this.#addEnd(end, one, rules);
      }
    }
  }

  #addEnd(end: Deadline['ends'][number], boundary: Boundary, rules: OwnRules): void {
    if ('since' in end && end.since === 'created') this.#add('kept.createdAt', boundary);
    else if ('since' in end && end.since === 'firstShown') this.#add('firstShownAtMs', boundary);
    else {
      const operand = 'at' in end ? end.at : (end.since as Operand);
      if ('fact' in operand) this.#add(toRole(operand.fact), boundary);
      else for (const value of this.#numbers(operand, rules)) this.#constants.add(boundaryAt(boundary, value));
    }
  }

  /** Refuses a module that reads a value which changes during the forecast: nothing says where its result changes. */
  #addModule({ id, reads }: ModuleGate): void {
    for (const path of reads) {
      const changes = path.startsWith('kept.') || path === 'attempt.nowMs' || this.#isStored(path);
      if (!changes && this.#findType(path) !== 'instant') continue;
      throw new NotCompiled('RC1', ['gates', id], `the module reads ${path}, whose values are not finite`);
    }
  }

  #addCondition(condition: Condition, rules: OwnRules): void {
    if (countsSignIns(condition)) {
      throw new NotCompiled('RC4', findPath(condition, rules), 'sign-ins are counted in a sliding window');
    }
    for (const atom of listAtoms(condition)) this.#addAtom(atom, condition, rules);
  }

  #addAtom(atom: FactAtom, condition: Condition, rules: OwnRules): void {
    const { fact, operator, value } = atom;
    if (fact === 'user.passkeys' && operator === 'size') {
      const sizes = Object.values(value as Readonly<Record<string, number>>);
      this.caps.passkeys = Math.max(this.caps.passkeys, ...sizes.map((size) => size + 1));
    }
    this.#addCount(atom, condition, rules);
    if (this.#findType(fact) !== 'instant') return;
    const role = toRole(fact);
    this.#used.add(role);
    switch (operator) {
      case 'present':
        return;
      case 'inFuture':
        return this.#addInstant(fact, 0);
      case 'inPast':
        return this.#addInstant(fact, 1);
      case 'olderThan':
      case 'atLeastOld':
      case 'youngerThan':
        for (const after of this.#durations(value as DurationOperand, rules, findPath(condition, rules))) {
          this.#add(role, { ...exactly, after, plusMs: operator === 'olderThan' ? 1 : 0 });
        }
        return;
      default:
        this.#addComparison(fact, value as Operand, findPath(condition, rules), rules);
    }
  }

  /** Adds a comparison with the number of sign-ins or showings, which is capped above all numbers that it is compared with. */
  #addCount({ fact, value }: FactAtom, condition: Condition, rules: OwnRules): void {
    const other = value !== null && 'fact' in value ? value.fact : null;
    const compared = isCount(fact) ? (value as Operand) : { fact };
    for (const count of [fact, other].filter((one) => one !== null).filter(isCount)) {
      if (isCount(fact) && other !== null && isCount(other)) {
        throw new NotCompiled('RC2', findPath(condition, rules), 'two numbers that grow without end are compared');
      }
      const cap = Math.max(0, ...this.#numbers(compared, rules)) + 2;
      if (count === 'kept.signIns') this.caps.signIns = Math.max(this.caps.signIns, cap);
      else this.caps.shown = Math.max(this.caps.shown, cap);
    }
  }

  /** Adds a comparison of two instants. One of them is the time of the sign-in, or both never change. */
  #addComparison(fact: string, value: Operand, path: readonly string[], rules: OwnRules): void {
    const other = 'fact' in value ? value.fact : null;
    if (fact === 'attempt.nowMs' && other === null) {
      for (const atMs of this.#numbers(value, rules)) for (const plus of [0, 1]) this.#constants.add(atMs + plus);
    } else if (fact === 'attempt.nowMs' || other === 'attempt.nowMs') {
      const compared = fact === 'attempt.nowMs' ? (other ?? fact) : fact;
      for (const plus of [0, 1]) this.#addInstant(compared, plus);
    } else if ([fact, other].some((one) => one !== null && this.#isStored(one))) {
      throw new NotCompiled('RC2', path, 'a time that is stored during the forecast is compared with another one');
    }
  }

  /** Returns true for instants that change during the forecast. */
  #isStored(fact: string): boolean {
    return this.changing.has(fact) || Object.hasOwn(keptRoles, fact);
  }

  #addInstant(fact: string, plusMs: number): void {
    if (fact !== 'attempt.nowMs') this.#add(toRole(fact), { ...exactly, plusMs });
  }

  #add(role: Role, boundary: Boundary): void {
    const known = this.#boundaries.get(role) ?? [];
    if (!known.some((one) => isSameBoundary(one, boundary))) known.push(boundary);
    this.#boundaries.set(role, known);
  }

  #durations(operand: DurationOperand, rules: OwnRules, path: readonly string[]): readonly OwnDuration[] {
    if ('constant' in operand) return [operand.constant];
    if ('fact' in operand && this.#isStored(operand.fact)) {
      throw new NotCompiled('RC2', path, 'a duration depends on what is stored during the forecast');
    }
    return this.#numbers(operand, rules).map((ms) => ({ ms, months: 0 }));
  }

  /** Returns the numbers that an operand can have. */
  #numbers(operand: Operand, rules: OwnRules): readonly number[] {
    return this.#values(operand, rules).flatMap((value) =>
      typeof value === 'number' ? [value] : Array.isArray(value) ? value.filter((one) => typeof one === 'number') : [],
    );
  }

  #values(
    operand: Operand,
    { settings, rollout }: OwnRules,
    seen: readonly string[] = [],
  ): readonly (FactValue | undefined)[] {
    if ('constant' in operand) return [operand.constant];
    const { tenant, segments } = this.#plan;
    if ('setting' in operand) {
      const { setting } = operand;
      const ofVariants = (rollout?.variants ?? []).map((variant) => variant.settings[setting]);
      return [tenant.settings[setting] ?? settings[setting]?.default, ...ofVariants];
    }
    const [owner = '', group = '', name = ''] = operand.fact.split('.');
    if (group !== 'facts') return [];
    if (owner === 'tenant') return [tenant.facts[name]];
    if (owner === 'user') {
      const given = segments.flatMap(({ users }) => users.map(({ user }) => user.facts[name]));
      if (seen.includes(operand.fact)) return given;
      // What a completion sets is compared too.
      const set = this.#all.flatMap((one) =>
        one.completion.set.flatMap(({ path, value }) =>
          path === operand.fact && value !== 'now' ? this.#values(value, one, [...seen, path]) : [],
        ),
      );
      return [...given, ...set];
    }
    return segments.flatMap(({ kinds }) => kinds.map(({ facts }) => facts[name]));
  }

  #findType(path: string): string {
    const [owner = '', group = '', name = ''] = path.split('.');
    const { facts, first } = this.#plan.ruleset;
    if (group === 'settings') return first.settings[name]?.type ?? 'text';
    if (group === 'facts') return facts[owner as 'user'][name]?.type ?? 'text';
    return fixedFacts.get(path)?.type ?? 'text';
  }
}

function toRole(fact: string): Role {
  return keptRoles[fact] ?? fact;
}

function findPath(condition: Condition, { trigger, gates, done, requirement, limit }: OwnRules): readonly string[] {
  const gate = gates.filter(isDataGate).find((one) => one.when === condition || one.skipIf === condition);
  if (gate !== undefined) return ['gates', gate.id, gate.when === condition ? 'when' : 'skipIf'];
  if (trigger.factors === condition) return ['trigger', 'factors'];
  if (done === condition) return ['done'];
  if (limit?.when === condition) return ['limit', 'when'];
  return ['requirement', requirement.required === condition ? 'required' : 'blocked'];
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
