import type { QueryRunner } from '../src/learn/learner/query-runner.ts';
import { type MealyMachine, runWord, type Word } from '../src/learn/mealy/mealy-machine.ts';
import type { ConformanceTests } from '../src/learn/oracle/conformance-tests.ts';

/**
 * Plain L* for Mealy machines, as a peer: an observation table whose columns start with the single inputs, and every
 * prefix of a counterexample becomes a row (Angluin 1987, Shahbaz and Groz 2009). It uses the same query runner, with
 * the same cache, and the same tests as the learner of this project.
 */
export async function learnByTable(runner: QueryRunner, tests: ConformanceTests): Promise<MealyMachine> {
  const table = new ObservationTable(runner);
  for (;;) {
    const hypothesis = await table.buildHypothesis();
    const counterexample = await findCounterexample(runner, tests, hypothesis);
    if (counterexample === null) return hypothesis;
    table.addPrefixes(counterexample);
  }
}

async function findCounterexample(
  runner: QueryRunner,
  tests: ConformanceTests,
  hypothesis: MealyMachine,
): Promise<Word | null> {
  for (const word of tests.list(hypothesis)) {
    const outputs = await runner.ask(word, 'testing');
    const expected = runWord(hypothesis, word);
    const at = outputs.findIndex((output, place) => output !== expected[place]);
    if (at >= 0) return word.slice(0, at + 1);
  }
  return null;
}

class ObservationTable {
  readonly #runner: QueryRunner;
  readonly #inputs: readonly number[];
  readonly #rows = new Map<string, Word>([['', []]]);
  readonly #columns: Word[];

  constructor(runner: QueryRunner) {
    this.#runner = runner;
    this.#inputs = [...runner.system.inputs.keys()];
    this.#columns = this.#inputs.map((input) => [input]);
  }

  addPrefixes(word: Word): void {
    for (let length = 1; length <= word.length; length += 1) {
      const prefix = word.slice(0, length);
      this.#rows.set(prefix.join(), prefix);
    }
  }

  /** Fills the table until it is closed and consistent, and returns its machine. */
  async buildHypothesis(): Promise<MealyMachine> {
    while ((await this.#isExtendedToClose()) || (await this.#isExtendedForConsistency()));
    const contents = new Map<string, Word>();
    for (const row of this.#rows.values()) {
      const content = await this.#content(row);
      if (!contents.has(content)) contents.set(content, row);
    }
    const numbers = new Map([...contents.keys()].map((content, number) => [content, number]));
    const targets: number[] = [];
    const outputs: string[] = [];
    for (const row of contents.values()) {
      for (const input of this.#inputs) {
        targets.push(numbers.get(await this.#content([...row, input])) as number);
        outputs.push((await this.#cell(row, [input])) as string);
      }
    }
    return { states: contents.size, inputs: this.#runner.system.inputs, targets, outputs };
  }

  async #isExtendedToClose(): Promise<boolean> {
    const contents = new Set<string>();
    for (const row of this.#rows.values()) contents.add(await this.#content(row));
    for (const row of [...this.#rows.values()]) {
      for (const input of this.#inputs) {
        const longer = [...row, input];
        const content = await this.#content(longer);
        if (contents.has(content)) continue;
        this.#rows.set(longer.join(), longer);
        return true;
      }
    }
    return false;
  }

  async #isExtendedForConsistency(): Promise<boolean> {
    const first = new Map<string, Word>();
    for (const row of this.#rows.values()) {
      const content = await this.#content(row);
      const other = first.get(content);
      if (other === undefined) {
        first.set(content, row);
        continue;
      }
      for (const input of this.#inputs) {
        for (const column of this.#columns) {
          const cells = [await this.#cell([...row, input], column), await this.#cell([...other, input], column)];
          if (cells[0] === cells[1]) continue;
          this.#columns.push([input, ...column]);
          return true;
        }
      }
    }
    return false;
  }

  async #content(row: Word): Promise<string> {
    const cells: string[] = [];
    for (const column of this.#columns) cells.push(await this.#cell(row, column));
    return JSON.stringify(cells);
  }

  async #cell(row: Word, column: Word): Promise<string> {
    const outputs = await this.#runner.ask([...row, ...column], 'learning');
    return outputs.slice(row.length).join('\n');
  }
}
