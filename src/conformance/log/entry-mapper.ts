import type { ConformanceMapping, LogEventKind, otherEventKinds } from '../../contract/conformance.schema.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type LogEntry, noFacts, type StatedFacts } from '../model/log-event.ts';
import { withSettings } from '../model/policy-timeline.ts';
import { type AttemptVariant, plainVariant, variantsMax } from '../model/verdict-table.ts';
import { isDeclared, writeFact } from './fact-paths.ts';
import { createMappingProblem, type FactIssue, findFaultyPath, findMeaning } from './mapping-faults.ts';
import { createTimeReader, roundingOffsets, type TimeReader } from './time-format.ts';

/** Reads a field of a row; `undefined` if the row has none. */
export type FieldReader<Row> = (row: Row) => unknown;

/** Maximum number of unknown values that are counted apart. */
const unmappedMax = 100;

type Kinds = readonly LogEventKind[] | (typeof otherEventKinds)[number];

/** Converts the rows of a log to entries by a mapping. */
export class EntryMapper<Row> {
  readonly unmapped = new Map<string, number>();
  ignored = 0;
  /** Columns that no row had so far. */
  readonly absent = new Set<string>();
  readonly #mapping: ConformanceMapping;
  readonly #file: string;
  readonly #time: TimeReader;
  readonly #offsets: readonly [number, number];
  readonly #kinds: ReadonlyMap<string, Kinds>;
  readonly #variants = new Map<string, AttemptVariant>();
  readonly #read: {
    readonly user: FieldReader<Row>;
    readonly time: FieldReader<Row>;
    readonly event: FieldReader<Row>;
    readonly prompt: FieldReader<Row> | null;
    readonly answer: FieldReader<Row> | null;
    readonly facts: readonly (readonly [keyof StatedFacts, FieldReader<Row>])[];
    readonly policy: readonly (readonly ['enabled' | 'days' | 'limited', FieldReader<Row>])[];
    readonly attempt: readonly {
      readonly path: string;
      readonly read: FieldReader<Row>;
      readonly values: Readonly<Record<string, unknown>> | undefined;
    }[];
  };

  /**
   * Creates the converter of a file.
   * @param fieldNamed - returns the reader of a column or key
   */
  constructor(mapping: ConformanceMapping, file: string, fieldNamed: (name: string) => FieldReader<Row>) {
    const field = (name: string): FieldReader<Row> => this.#watch(name, fieldNamed(name));
    this.#mapping = mapping;
    this.#file = file;
    this.#time = createTimeReader(mapping.time.format);
    this.#offsets = roundingOffsets(mapping.time);
    const { values } = mapping.event;
    this.#kinds = new Map(Object.entries(values).map(([value, meaning]): [string, Kinds] => [value, toKinds(meaning)]));
    const optional = <K extends string>(names: Readonly<Partial<Record<K, string | undefined>>>) =>
      (Object.entries(names) as [K, string | undefined][]).flatMap(([key, name]): (readonly [K, FieldReader<Row>])[] =>
        name === undefined ? [] : [[key, field(name)]],
      );
    this.#read = {
      user: field(mapping.user),
      time: field(mapping.time.field),
      event: field(mapping.event.field),
      prompt: mapping.prompt === undefined ? null : field(mapping.prompt),
      answer: mapping.answer === undefined ? null : field(mapping.answer.field),
      facts: optional(mapping.facts),
      policy: optional(mapping.policyFields),
      attempt: Object.entries(mapping.attempt).map(([path, one]) => ({
        path,
        read: field(one.field),
        values: one.values,
      })),
    };
  }

  /**
   * Converts a row.
   * @param line - number of the row, for errors and findings
   * @returns the entry; `null` for an ignored event
   * @throws NudgeLabError `log-invalid` for a row without user or time, and `mapping-invalid` for facts that do not exist
   */
  convert(row: Row, line: number): LogEntry | null {
    const value = toText(this.#read.event(row));
    const kinds = this.#kinds.get(value);
    if (kinds === undefined || kinds === 'ignored') {
      this.#skip(kinds === undefined ? value : null);
      return null;
    }
    const stated = this.#read.time(row);
    const atMs = this.#time(stated);
    if (atMs === null) {
      throw this.#invalid(
        line,
        `${this.#mapping.time.field}: ${shown(stated)} is not a time of the format ${this.#mapping.time.format}`,
      );
    }
    const lo = atMs + this.#offsets[0];
    const hi = atMs + this.#offsets[1];
    if (kinds === 'policy-changed') {
      const settings = this.#readPolicy(row, line);
      return { type: 'policy', lo, hi, change: (tenant) => withSettings(tenant, settings) };
    }
    const user = toText(this.#read.user(row));
    if (user === '') throw this.#invalid(line, `${this.#mapping.user}: the user is missing`);
    if (kinds === 'user-removed') return { type: 'removed', user, lo };
    const { prompt, facts, attempt } = this.#read;
    const promptId = prompt === null ? '' : toText(prompt(row));
    return {
      type: 'user',
      user,
      line,
      lo,
      hi,
      kinds,
      prompt: promptId === '' ? null : promptId,
      ...this.#readAnswer(row),
      facts: facts.length === 0 ? noFacts : this.#readFacts(row, line),
      variant: attempt.length === 0 ? plainVariant : this.#readVariant(row, line),
      sets: null,
    };
  }

  /** Returns a reader that notes the first row with its column. */
  #watch(name: string, read: FieldReader<Row>): FieldReader<Row> {
    this.absent.add(name);
    let isAbsent = true;
    return (row) => {
      const value = read(row);
      if (isAbsent && value !== undefined) {
        isAbsent = false;
        this.absent.delete(name);
      }
      return value;
    };
  }

  #readAnswer(row: Row): { readonly answer?: string } {
    const value = this.#read.answer === null ? '' : toText(this.#read.answer(row));
    if (value === '') return {};
    const ids = this.#mapping.answer?.values ?? {};
    return { answer: Object.hasOwn(ids, value) ? (ids[value] as string) : value };
  }

  #skip(value: string | null): void {
    if (value === null || this.#mapping.event.others === 'ignored') {
      this.ignored += 1;
      return;
    }
    const key = this.unmapped.has(value) || this.unmapped.size < unmappedMax ? value : '(others)';
    this.unmapped.set(key, (this.unmapped.get(key) ?? 0) + 1);
  }

  #readFacts(row: Row, line: number): StatedFacts {
    const facts: { -readonly [K in keyof StatedFacts]: StatedFacts[K] } = { ...noFacts };
    for (const [name, read] of this.#read.facts) {
      const value = read(row);
      if (value === undefined || value === null || value === '') continue;
      if (name === 'limited') facts.limited = this.#toFlag(value, line, 'facts.limited');
      else facts[name] = this.#toNumber(value, line, `facts.${name}`);
    }
    return facts;
  }

  #readPolicy(row: Row, line: number): { enabled?: boolean; days?: number; limited?: boolean } {
    const settings: { enabled?: boolean; days?: number; limited?: boolean } = {};
    for (const [name, read] of this.#read.policy) {
      const value = read(row);
      if (value === undefined || value === null || value === '') continue;
      if (name === 'days') settings.days = this.#toNumber(value, line, 'policyFields.days');
      else settings[name] = this.#toFlag(value, line, `policyFields.${name}`);
    }
    return settings;
  }

  #toNumber(value: unknown, line: number, what: string): number {
    const number = typeof value === 'number' ? value : Number(toText(value));
    if (Number.isInteger(number) && number >= 0) return number;
    throw this.#invalid(line, `${what}: ${shown(value)} is not a whole number of at least 0`);
  }

  #toFlag(value: unknown, line: number, what: string): boolean {
    const text = toText(value).toLowerCase();
    if (['true', 'on', 'yes', '1', 'enabled'].includes(text)) return true;
    if (['false', 'off', 'no', '0', 'disabled'].includes(text)) return false;
    throw this.#invalid(line, `${what}: ${shown(value)} is not true or false`);
  }

  #readVariant(row: Row, line: number): AttemptVariant {
    const values = this.#read.attempt.map(({ read, values: meanings }) => {
      const value = read(row);
      if (meanings === undefined || value === undefined) return value;
      return Object.hasOwn(meanings, toText(value)) ? meanings[toText(value)] : undefined;
    });
    const key = JSON.stringify(values);
    const known = this.#variants.get(key);
    if (known !== undefined) return known;
    if (this.#variants.size + 1 >= variantsMax) {
      throw this.#invalid(line, `the log has more than ${variantsMax} combinations of facts; map fewer facts`);
    }
    const variant = {
      number: this.#variants.size + 1,
      given: this.#giveFacts(values, line),
      declared: this.#listDeclared(values),
    };
    this.#variants.set(key, variant);
    return variant;
  }

  #giveFacts(values: readonly unknown[], line: number): AttemptVariant['given'] {
    const given = { tenant: {}, user: {}, attempt: {} };
    for (const [at, { path }] of this.#read.attempt.entries()) {
      const value = values[at];
      if (isDeclared(path) || value === undefined || value === null || value === '') continue;
      writeFact(given, path, value);
    }
    const candidate = { ...given, user: { id: 'user', ...given.user } };
    const parsed = factsSchema.safeParse(candidate);
    if (parsed.success) return given;
    const [problem] = listProblems(factsSchema, parsed.error, candidate, 'attempt');
    const message = problem?.message ?? 'is not valid';
    const stated = this.#findStated(parsed.error.issues[0], values);
    if (stated === null) throw this.#invalid(line, `${problem?.location ?? 'attempt'}: ${message}`);
    throw new NudgeLabError('mapping-invalid', { problems: [createMappingProblem(this.#mapping, stated, message)] });
  }

  /** Returns the keys of the mapping that state a wrong path or value of a fact; `null` if the log states it. */
  #findStated(issue: FactIssue | undefined, values: readonly unknown[]): readonly string[] | null {
    if (issue === undefined) return null;
    const paths = this.#read.attempt.map(({ path }) => path);
    const path = findFaultyPath(issue, paths);
    if (path === null) return null;
    if (issue.code === 'unrecognized_keys') return ['attempt', path];
    return findMeaning(this.#mapping, path, values[paths.indexOf(path)]);
  }

  /** Returns the facts that only a ruleset with the base `own` has, which checks them. */
  #listDeclared(values: readonly unknown[]): ReadonlyMap<string, unknown> {
    return new Map(
      this.#read.attempt.flatMap(({ path }, at) => {
        const value = values[at];
        return isDeclared(path) && value !== undefined && value !== '' ? [[path, value] as const] : [];
      }),
    );
  }

  #invalid(line: number, message: string): NudgeLabError {
    return new NudgeLabError('log-invalid', { problems: [{ location: `${this.#file}:${line}`, message }] });
  }
}

function toKinds(meaning: string | readonly LogEventKind[]): Kinds {
  if (typeof meaning !== 'string') return meaning;
  if (meaning === 'ignored' || meaning === 'policy-changed' || meaning === 'user-removed') return meaning;
  return [meaning as LogEventKind];
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
