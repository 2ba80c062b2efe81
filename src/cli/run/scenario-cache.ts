import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { computeSha256 } from '../../core/digest.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { WantedRows } from '../../scenario/scenario-files.ts';
import { makeOwnFolder, ownFolder } from '../own-folder.ts';

/** Read scenarios on the cache, and bytes of all of them; beyond either the oldest ones are thrown away. */
const entriesMax = 4_096;
const bytesMax = 134_217_728;

/** Characters of one entry; a file that becomes more is read each time. */
const entryCharactersMax = 4_194_304;

/** A scenario as it was read, with its row; `walked` when the model has shown that each of its steps can be done. */
export interface ReadScenario {
  readonly row: number;
  readonly scenario: Scenario;
  readonly walked: boolean;
}

/** Scenarios of one file as they stand on the cache: rows of one file mostly share their plan, which is kept once. */
interface Entry {
  readonly plans: readonly Scenario['plan'][];
  readonly scenarios: readonly {
    readonly row: number;
    readonly walked: boolean;
    readonly plan: number;
    readonly rest: Omit<Scenario, 'plan'>;
  }[];
}

/**
 * Scenarios that were read and checked before, by a digest of everything that they were made from. What is taken from here is
 * equal to what reading would give, or is not here: an entry that does not come back from JSON as it was is never kept, one
 * whose checksum is wrong is passed over, and so is every fault of the disk.
 */
export class ScenarioCache {
  readonly #cwd: string;
  readonly #folder: string;
  readonly #origin: string;
  readonly #writer: number;

  /** Takes the folder that the program was started in, what all entries depend on as a text, and a number that no other running program has. */
  constructor(cwd: string, origin: string, writer: number) {
    this.#cwd = cwd;
    this.#folder = join(ownFolder(cwd), 'scenarios');
    this.#origin = origin;
    this.#writer = writer;
  }

  /** The wanted rows of a file, or `null` unless all of them are here. Takes the file's name as it is shown, and its text. */
  take(file: string, text: string, wanted: WantedRows): readonly ReadScenario[] | null {
    const entry = this.#read(file, text);
    if (entry === null) return null;
    const read = entry.scenarios.map(
      ({ row, walked, plan, rest }): ReadScenario => ({
        row,
        walked,
        scenario: { ...rest, plan: entry.plans[plan] as Scenario['plan'] },
      }),
    );
    const byRow = new Map(read.map((one) => [one.row, one]));
    const rows = Array.from({ length: read[0]?.scenario.rows ?? 0 }, (_, index) => index + 1);
    const taken = rows.filter((row) => wanted(file, row)).map((row) => byRow.get(row));
    return taken.every((one) => one !== undefined) ? taken : null;
  }

  /** Keeps what was read from a file, where the disk allows. Takes what `take` takes, and scenarios of that file in their order. */
  keep(file: string, text: string, read: readonly ReadScenario[]): void {
    const plans = [...new Set(read.map(({ scenario }) => scenario.plan))];
    const entry: Entry = {
      plans,
      scenarios: read.map(({ row, walked, scenario: { plan, ...rest } }) => ({
        row,
        walked,
        plan: plans.indexOf(plan),
        rest,
      })),
    };
    const body = JSON.stringify(entry);
    if (body.length > entryCharactersMax || !isDeepStrictEqual(JSON.parse(body), entry)) return;
    const path = this.#pathOf(file, text);
    try {
      makeOwnFolder(this.#cwd);
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(`${path}.${this.#writer}`, `${computeSha256(body)}\n${body}`);
      renameSync(`${path}.${this.#writer}`, path);
    } catch {
      // A folder that takes no files costs the time of reading and nothing else.
    }
  }

  /** Throws away the oldest entries beyond the limits. */
  trim(): void {
    try {
      const entries = readdirSync(this.#folder, { withFileTypes: true }).filter((one) => one.isFile());
      const aged = entries.map((one) => agedEntry(one)).sort((a, b) => b.writtenAtMs - a.writtenAtMs);
      let bytes = 0;
      for (const [place, { path, size }] of aged.entries()) {
        bytes += size;
        if (place >= entriesMax || bytes > bytesMax) rmSync(path, { force: true });
      }
    } catch {
      // Another run may have thrown the same away.
    }
  }

  #pathOf(file: string, text: string): string {
    return join(this.#folder, `${computeSha256(JSON.stringify([this.#origin, file, text]))}.json`);
  }

  #read(file: string, text: string): Entry | null {
    try {
      const kept = readFileSync(this.#pathOf(file, text), 'utf8');
      const end = kept.indexOf('\n');
      const body = kept.slice(end + 1);
      return kept.slice(0, end) === computeSha256(body) ? (JSON.parse(body) as Entry) : null;
    } catch {
      return null;
    }
  }
}

function agedEntry({ parentPath, name }: Dirent): {
  readonly path: string;
  readonly size: number;
  readonly writtenAtMs: number;
} {
  const path = join(parentPath, name);
  const { size, mtimeMs } = statSync(path);
  return { path, size, writtenAtMs: mtimeMs };
}
