import { parseInstant, toInstant } from '../../core/clock.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { RulesetOperator, WrittenMutant } from './operator-names.ts';
import {
  conditionKeys,
  durationKeys,
  edges,
  isButton,
  type Mutable,
  type Place,
  readDuration,
  removeAt,
  setAt,
  unknownFacts,
  type Written,
} from './written-ruleset.ts';

/** Lists the mutants of a ruleset. Not all of them are valid, and some are the same as the ruleset. */
export function listWrittenMutants(data: Written): readonly WrittenMutant[] {
  return new MutantList(data).list;
}

class MutantList {
  readonly list: WrittenMutant[] = [];
  readonly #data: Written;

  constructor(data: Written) {
    this.#data = data;
    this.#gates();
    for (const { place, condition } of this.#conditions()) this.#condition(place, condition);
    this.#durations(data, []);
    this.#cadence();
    this.#limit();
    this.#deadline();
    this.#answers();
    this.#ledger();
    this.#matrix();
    this.#doneAndCompletion();
    this.#resetsAndFailure();
    this.#rollout();
    this.#editions();
  }

  #add(operator: RulesetOperator, place: Place, change: string, edit: (copy: Mutable) => void): void {
    const copy = structuredClone(this.#data) as Mutable;
    edit(copy);
    this.list.push({ operator, place: place.join('.'), change, data: copy });
  }

  #set(operator: RulesetOperator, place: Place, value: unknown): void {
    this.#add(operator, place, `${place.join('.')} ${JSON.stringify(value)}`, (copy) => setAt(copy, place, value));
  }

  #remove(operator: RulesetOperator, place: Place): void {
    this.#add(operator, place, `${place.join('.')} left out`, (copy) => removeAt(copy, place));
  }

  #part(key: string): Mutable | null {
    const part = this.#data[key];
    return isPlainObject(part) ? part : null;
  }

  #gates(): void {
    const gates: readonly unknown[] = Array.isArray(this.#data['gates']) ? this.#data['gates'] : [];
    for (const [index, gate] of gates.entries()) {
      if (!isPlainObject(gate)) continue;
      if (gate['id'] !== undefined) this.#remove('RM1', ['gates', index]);
      if (index + 1 < gates.length) {
        this.#add('RM2', ['gates', index], `gates ${index} and ${index + 1} swapped`, (copy) => {
          const list = copy['gates'] as unknown[];
          [list[index], list[index + 1]] = [list[index + 1], list[index]];
        });
      }
      if (gate['when'] !== undefined) this.#set('RM3', ['gates', index, 'when'], { not: gate['when'] });
    }
  }

  #conditions(): readonly { readonly place: Place; readonly condition: unknown }[] {
    const found: { place: Place; condition: unknown }[] = [];
    const gates: readonly unknown[] = Array.isArray(this.#data['gates']) ? this.#data['gates'] : [];
    const holders: readonly (readonly [Place, unknown])[] = [
      ...gates.map((gate, index) => [['gates', index], gate] as const),
      [['trigger'], this.#data['trigger']],
      [['requirement'], this.#data['requirement']],
      [['limit'], this.#data['limit']],
    ];
    for (const [place, holder] of holders) {
      if (!isPlainObject(holder)) continue;
      for (const key of conditionKeys) {
        if (holder[key] !== undefined) found.push({ place: [...place, key], condition: holder[key] });
      }
    }
    if (this.#data['done'] !== undefined) found.push({ place: ['done'], condition: this.#data['done'] });
    return found;
  }

  #condition(place: Place, condition: unknown): void {
    if (!isPlainObject(condition)) return;
    for (const [key, other] of [
      ['all', 'any'],
      ['any', 'all'],
    ] as const) {
      const parts = condition[key];
      if (!Array.isArray(parts)) continue;
      if (parts.length > 1) this.#set('RM5', place, { [other]: parts });
      for (const [index, part] of (parts as readonly unknown[]).entries()) {
        this.#remove('RM4', [...place, key, index]);
        this.#condition([...place, key, index], part);
      }
      return;
    }
    if (condition['not'] !== undefined) return this.#condition([...place, 'not'], condition['not']);
    if (condition['fact'] !== undefined) this.#atom(place, condition);
  }

  #atom(place: Place, atom: Mutable): void {
    const { fact, missing, ...rest } = atom;
    if (this.#canBeUnknown(String(fact))) {
      this.#set('RM6', place, { ...atom, missing: missing === 'pass' ? 'fail' : 'pass' });
    }
    const [operator = '', value] = Object.entries(rest)[0] ?? [];
    const edge = edges[operator];
    const kept = { fact, ...(missing === undefined ? {} : { missing }) };
    if (edge !== undefined) this.#set('RM7', place, { ...kept, [edge]: value });
    if (operator === 'inFuture' || operator === 'inPast') {
      const swapped = missing === undefined ? {} : { missing: missing === 'pass' ? 'fail' : 'pass' };
      this.#set('RM7', place, { not: { fact, [operator === 'inFuture' ? 'inPast' : 'inFuture']: value, ...swapped } });
    }
    for (const other of this.#otherValues(String(fact), value)) this.#set('RM8', place, { ...kept, [operator]: other });
  }

  /** Returns true for facts that have an unknown value. For others, the result for it decides nothing. */
  #canBeUnknown(fact: string): boolean {
    const [owner = '', group = '', name = ''] = fact.split('.');
    if (group !== 'facts' && group !== 'settings') return unknownFacts.includes(fact);
    const declared = group === 'settings' ? this.#part('settings') : this.#part('facts')?.[owner];
    const definition = isPlainObject(declared) ? declared[name] : null;
    return isPlainObject(definition) && (definition['type'] === 'instant' || definition['type'] === 'text');
  }

  /** Lists values that a comparison could have instead. */
  #otherValues(fact: string, value: unknown): readonly unknown[] {
    if (typeof value === 'boolean') return [!value];
    if (typeof value === 'number') return [value - 1, value + 1];
    if (Array.isArray(value))
      return [[...(value as readonly unknown[]).slice(1)], [...(value as readonly unknown[]), 'another']];
    if (isPlainObject(value)) {
      return Object.entries(value).flatMap(([key, bound]) =>
        typeof bound === 'number'
          ? [
              { ...value, [key]: bound - 1 },
              { ...value, [key]: bound + 1 },
            ]
          : [],
      );
    }
    if (typeof value !== 'string') return [];
    const [owner = '', group = '', name = ''] = fact.split('.');
    const definitions = (this.#part('facts')?.[owner] ?? {}) as Readonly<Record<string, { readonly values?: unknown }>>;
    const values = group === 'facts' ? definitions[name]?.values : undefined;
    return Array.isArray(values) ? (values as readonly unknown[]).filter((one) => one !== value) : [];
  }

  /** Mutates every duration of the ruleset, where it is written. */
  #durations(value: unknown, place: Place): void {
    if (place[0] === 'editions' || place[0] === 'reasons' || place[0] === 'screens') return;
    if (typeof value === 'string') {
      const ms = readDuration(value);
      if (ms === null) return;
      const texts = ['0', `${ms + 1}ms`, `${2 * ms}ms`, ...(ms > 0 ? [`${ms - 1}ms`] : [])];
      for (const text of texts) this.#set('RM9', place, text);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && !durationKeys.includes(String(Array.isArray(value) ? place.at(-1) : key)))
        continue;
      this.#durations(inner, [...place, Array.isArray(value) ? Number(key) : key]);
    }
  }

  #cadence(): void {
    const cadence = this.#part('cadence');
    if (cadence === null) return;
    const { kind, boundary = 'inclusive', anchor = 'answer', measure = 'elapsed' } = cadence;
    if (kind === 'fixed' || kind === 'growing') {
      this.#set('RM10', ['cadence', 'boundary'], boundary === 'inclusive' ? 'exclusive' : 'inclusive');
      this.#set('RM12', ['cadence', 'measure'], measure === 'elapsed' ? 'calendar' : 'elapsed');
    }
    if (kind === 'everySignIn' || kind === 'once') return;
    for (const other of ['answer', 'firstShown', 'lastShown']) {
      if (other !== anchor) this.#set('RM11', ['cadence', 'anchor'], other);
    }
    const { signIns } = cadence;
    if (typeof signIns === 'number') for (const by of [-1, 1]) this.#set('RM9', ['cadence', 'signIns'], signIns + by);
  }

  #limit(): void {
    const limit = this.#part('limit');
    if (limit === null) return;
    const { of, counts, then, after } = limit;
    if (typeof of === 'number') for (const by of [-1, 1]) this.#set('RM13', ['limit', 'of'], of + by);
    this.#set('RM13', ['limit', 'counts'], counts === 'snoozes' ? 'shown' : 'snoozes');
    for (const other of ['required', 'never', 'blocked'])
      if (other !== then) this.#set('RM14', ['limit', 'then'], other);
    this.#set('RM14', ['limit', 'after'], after === 'wait' ? 'now' : 'wait');
  }

  #deadline(): void {
    const deadline = this.#part('deadline');
    if (deadline === null) return;
    const {
      ends,
      choose = 'earliest',
      boundary = 'inclusive',
      before = 'skippable',
      then = 'required',
      measure = 'elapsed',
    } = deadline;
    for (const [index, end] of (Array.isArray(ends) ? (ends as readonly unknown[]) : []).entries()) {
      if (!isPlainObject(end) || typeof end['at'] !== 'string') continue;
      const atMs = parseInstant(end['at']) ?? 0;
      for (const by of [-1, 1]) this.#set('RM15', ['deadline', 'ends', index, 'at'], toInstant(atMs + by));
    }
    if (Array.isArray(ends) && ends.length > 1) {
      this.#set('RM15', ['deadline', 'choose'], choose === 'earliest' ? 'latest' : 'earliest');
    }
    if (deadline['opens'] !== undefined) this.#remove('RM15', ['deadline', 'opens']);
    if (before !== then) {
      this.#add('RM15', ['deadline'], 'before and then swapped', (copy) => {
        const changed = copy['deadline'] as Mutable;
        changed['before'] = then === 'blocked' ? 'required' : then;
        changed['then'] = before === 'skippable' ? 'none' : before;
      });
    }
    this.#set('RM10', ['deadline', 'boundary'], boundary === 'inclusive' ? 'exclusive' : 'inclusive');
    this.#set('RM12', ['deadline', 'measure'], measure === 'elapsed' ? 'date' : 'elapsed');
  }

  #answers(): void {
    const answers = this.#part('answers') ?? {};
    const written = Object.entries(answers).filter((entry): entry is [string, Mutable] => isPlainObject(entry[1]));
    for (const [id, answer] of written) this.#answer(id, answer);
    if (answers['next'] === undefined && written.length > 0)
      this.#set('RM17', ['answers', 'next'], { effect: 'snooze' });
    const labels = written.filter(([id, { label }]) => isButton(id) && typeof label === 'string');
    for (const [index, [id]] of labels.entries()) {
      const other = labels[index + 1]?.[0];
      if (other !== undefined) this.#swapLabels(id, other);
    }
  }

  #answer(id: string, { effect, whenRequired = 'refused' }: Mutable): void {
    const effects = Array.isArray(effect) ? (effect as readonly unknown[]) : [effect];
    for (const other of ['snooze', 'never', 'session', 'nothing']) {
      if (!effects.includes(other)) this.#set(id === 'next' ? 'RM17' : 'RM16', ['answers', id, 'effect'], other);
    }
    for (const one of effects.length > 1 ? effects : []) {
      const kept = effects.filter((other) => other !== one);
      this.#set('RM16', ['answers', id, 'effect'], kept);
    }
    if (isButton(id))
      this.#set('RM18', ['answers', id, 'whenRequired'], whenRequired === 'refused' ? 'offered' : 'refused');
  }

  #swapLabels(id: string, other: string): void {
    this.#add('RM27', ['answers', id, 'label'], `labels of ${id} and ${other} swapped`, (copy) => {
      const changed = copy['answers'] as Record<string, Mutable>;
      const [one, two] = [changed[id], changed[other]];
      if (one !== undefined && two !== undefined) [one['label'], two['label']] = [two['label'], one['label']];
    });
  }

  #ledger(): void {
    const ledger = this.#part('ledger');
    const keys = (Array.isArray(ledger?.['keys']) ? ledger['keys'] : [['user']]) as readonly (readonly string[])[];
    for (const [index, parts] of keys.entries()) {
      const others = keys.filter((_, other) => other !== index);
      if (others.length > 0) this.#set('RM19', ['ledger', 'keys'], others);
      const fewer = parts.length > 1 ? parts.map((part) => parts.filter((one) => one !== part)) : [];
      const more = ['user', 'browser'].filter((part) => !parts.includes(part)).map((part) => [...parts, part]);
      for (const changed of [...fewer, ...more]) {
        this.#set('RM19', ['ledger', 'keys'], keys.with(index, changed));
      }
    }
    const ecosystems = ledger?.['ecosystems'];
    if (isPlainObject(ecosystems)) this.#ecosystems(ecosystems as Readonly<Record<string, readonly unknown[]>>);
  }

  #ecosystems(ecosystems: Readonly<Record<string, readonly unknown[]>>): void {
    const names = Object.keys(ecosystems);
    for (const [index, name] of names.entries()) {
      const other = names[(index + 1) % names.length] ?? name;
      if (other === name) continue;
      for (const system of ecosystems[name] ?? []) {
        this.#set('RM19', ['ledger', 'ecosystems'], {
          ...ecosystems,
          [name]: (ecosystems[name] ?? []).filter((one) => one !== system),
          [other]: [...(ecosystems[other] ?? []), system],
        });
      }
    }
  }

  #matrix(): void {
    const matrix = this.#part('matrix') ?? {};
    for (const [row, cells] of Object.entries(matrix)) {
      if (!isPlainObject(cells)) continue;
      for (const [column, cell] of Object.entries(cells))
        this.#set('RM20', ['matrix', row, column], cell === 1 ? 0 : 1);
    }
  }

  #doneAndCompletion(): void {
    if (this.#data['done'] !== undefined) {
      this.#set('RM21', ['done'], { all: [] });
      this.#remove('RM21', ['done']);
    }
    for (const [part, values] of Object.entries(this.#part('completion') ?? {})) {
      if (!isPlainObject(values)) continue;
      for (const path of Object.keys(values)) this.#remove('RM22', ['completion', part, path]);
    }
  }

  #resetsAndFailure(): void {
    const resets: readonly unknown[] = Array.isArray(this.#data['resets']) ? this.#data['resets'] : [];
    for (const [index, reset] of resets.entries()) {
      this.#remove('RM23', ['resets', index]);
      const clears = isPlainObject(reset) ? reset['clears'] : null;
      if (!Array.isArray(clears) || clears.length < 2) continue;
      for (const part of clears.keys()) this.#remove('RM23', ['resets', index, 'clears', part]);
    }
    const { skip = 'signsIn', stores = 'nothing' } = this.#part('failure') ?? {};
    this.#set('RM24', ['failure', 'skip'], skip === 'signsIn' ? 'refused' : 'signsIn');
    this.#set('RM24', ['failure', 'stores'], stores === 'nothing' ? 'snooze' : 'nothing');
  }

  #rollout(): void {
    const rollout = this.#part('rollout');
    if (rollout === null) return;
    const { percent, by = 'user' } = rollout;
    for (const other of [0, 100]) if (percent !== other) this.#set('RM25', ['rollout', 'percent'], other);
    if (typeof percent === 'number')
      for (const one of [-1, 1]) this.#set('RM25', ['rollout', 'percent'], percent + one);
    for (const unit of ['user', 'signIn', 'device']) if (unit !== by) this.#set('RM25', ['rollout', 'by'], unit);
  }

  #editions(): void {
    const editions: readonly unknown[] = Array.isArray(this.#data['editions']) ? this.#data['editions'] : [];
    for (const [index, edition] of editions.entries()) {
      if (!isPlainObject(edition)) continue;
      this.#remove('RM26', ['editions', index]);
      const { from, id } = edition;
      if (typeof from !== 'string') continue;
      const fromMs = parseInstant(from) ?? 0;
      for (const by of [-1, 1]) {
        this.#add('RM26', ['editions', index, 'from'], `starts ${by} ms later`, (copy) => {
          const changed = (copy['editions'] as Mutable[])[index] ?? {};
          changed['from'] = toInstant(fromMs + by);
          changed['id'] = id ?? from.slice(0, 10);
        });
      }
    }
  }
}
