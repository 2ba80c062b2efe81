import type { FactValues } from '../../../machines/own/own-facts.ts';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { type Definitions, listDefaults } from '../../contract/declared-values.ts';
import { sameName } from '../import/columns.ts';
import { readCell } from '../import/read-cell.ts';

const owners = ['tenant', 'user', 'attempt'] as const;
type Owner = (typeof owners)[number];

/** Texts of the kept columns at a sign-in; `null` where a row has none. */
export type KeptTexts = readonly (string | null)[];

/** Fact with the index of the kept column from which it is read. */
interface ColumnFact {
  readonly name: string;
  readonly index: number;
}

/** Maximum number of texts of one fact whose values are kept. */
const cachedTextsMax = 10_000;

/** Reads the facts of a ruleset from the columns that an import has kept (OC50). */
export class ImportedOwnFacts {
  /** Paths of the facts whose columns the import does not have, with their columns. */
  readonly missing: readonly { readonly path: string; readonly column: string }[];
  readonly #definitions: Readonly<Record<Owner, Definitions>>;
  readonly #defaults: Readonly<Record<Owner, FactValues>>;
  readonly #facts: Readonly<Record<Owner, readonly ColumnFact[]>>;
  readonly #cached = new Map<ColumnFact, Map<string, FactValues[string]>>();

  /** Finds the columns of a ruleset. `columns` are those that the import has kept. */
  constructor({ facts }: Pick<OwnRuleset, 'facts'>, columns: readonly (string | null)[]) {
    this.#definitions = facts;
    const missing: { path: string; column: string }[] = [];
    const findFacts = (owner: Owner): readonly ColumnFact[] =>
      Object.entries(facts[owner]).flatMap(([name, definition]) => {
        if (definition.import === undefined) return [];
        const { column } = definition.import;
        const index = columns.findIndex((kept) => kept !== null && sameName(kept) === sameName(column));
        if (index >= 0) return [{ name, index }];
        missing.push({ path: `${owner}.facts.${name}`, column });
        return [];
      });
    this.#facts = { tenant: findFacts('tenant'), user: findFacts('user'), attempt: findFacts('attempt') };
    this.#defaults = {
      tenant: listDefaults(facts.tenant),
      user: listDefaults(facts.user),
      attempt: listDefaults(facts.attempt),
    };
    this.missing = missing;
  }

  /** Returns the facts of an owner that the texts contain. */
  read(owner: Owner, texts: KeptTexts): FactValues {
    const given = this.#facts[owner].flatMap((fact) => {
      const text = texts[fact.index] ?? null;
      return text === null ? [] : [[fact.name, this.#value(owner, fact, text)] as const];
    });
    return Object.fromEntries(given);
  }

  /** Returns the facts of an owner that the texts contain and that differ from those in earlier texts. */
  readChanges(owner: Owner, texts: KeptTexts, earlier: Map<string, string>): FactValues {
    const changed = this.#facts[owner].flatMap((fact) => {
      const text = texts[fact.index] ?? null;
      if (text === null || earlier.get(fact.name) === text) return [];
      earlier.set(fact.name, text);
      return [[fact.name, this.#value(owner, fact, text)] as const];
    });
    return Object.fromEntries(changed);
  }

  /** Returns all facts of an owner: the given ones, and the defaults of the others. */
  complete(owner: Owner, given: FactValues): FactValues {
    return { ...this.#defaults[owner], ...given };
  }

  /** Returns the names of the facts that differ from their defaults. */
  listChanged(owner: Owner, values: FactValues): readonly string[] {
    return Object.entries(values)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(this.#defaults[owner][name]))
      .map(([name]) => name);
  }

  #value(owner: Owner, fact: ColumnFact, text: string): FactValues[string] {
    let values = this.#cached.get(fact);
    if (values === undefined || values.size >= cachedTextsMax) {
      values = new Map();
      this.#cached.set(fact, values);
    }
    const known = values.get(text);
    if (known !== undefined) return known;
    const definition = this.#definitions[owner][fact.name];
    const read = definition === undefined ? null : readCell(text, definition);
    if (read === null || 'message' in read) throw new RangeError(`The text ${text} was not rejected.`);
    values.set(text, read.value);
    return read.value;
  }
}
