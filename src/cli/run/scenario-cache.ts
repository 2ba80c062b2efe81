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
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { computeSha256 } from '../../core/digest.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { WantedRows } from '../../scenario/scenario-files.ts';
import { makeOwnFolder, ownFolder } from '../own-folder.ts';

/**
 * Maximum number of cached scenario files. The oldest entries are deleted beyond this limit or the limit of total
 * bytes.
 */
const entriesMax = 4_096;
const bytesMax = 134_217_728;

/** Maximum length of one entry in characters. Larger files are parsed every time. */
const entryCharactersMax = 4_194_304;

/** Parsed scenario with its row. `walked` is true if the model has validated all of its steps. */
export interface ReadScenario {
  readonly row: number;
  readonly scenario: Scenario;
  readonly walked: boolean;
}

/** Cached scenarios of one file. Rows of a file usually share their plan, which is stored once. */
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
 * Cache of parsed and validated scenarios, keyed by a digest of all inputs. A cached scenario always equals the
 * parsed one: an entry that JSON does not preserve is not stored, and an entry with an incorrect checksum is
 * ignored. Disk errors are ignored as well.
 */
export class ScenarioCache {
  readonly #cwd: string;
  readonly #folder: string;
  readonly #origin: string;
  readonly #writer: number;

  /**
   * Creates a cache for a working directory. `origin` is a text that all entries depend on, and `writer` is a number
   * that no other running program uses.
   */
  constructor(cwd: string, origin: string, writer: number) {
    this.#cwd = cwd;
    this.#folder = join(ownFolder(cwd), 'scenarios');
    this.#origin = origin;
    this.#writer = writer;
  }

  /** Returns the requested rows of a file; `null` if any of them is not cached. `file` is the displayed file name. */
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

  /**
   * Stores the scenarios of a file in their order, if the disk allows it. The parameters `file` and `text` are the
   * same as in `take`.
   */
  keep(file: string, text: string, read: readonly ReadScenario[]): void {
    // A ruleset file is an input that the digest does not cover.
    if (read.some(({ scenario: { own, plan } }) => own !== undefined || !rulesetIds.includes(plan.ruleset))) return;
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
    const path = this.#getPath(file, text);
    try {
      makeOwnFolder(this.#cwd);
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(`${path}.${this.#writer}`, `${computeSha256(body)}\n${body}`);
      renameSync(`${path}.${this.#writer}`, path);
    } catch {
      // In a read-only folder, the only effect is a longer parsing time.
    }
  }

  /** Deletes the oldest entries beyond the limits. */
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
      // Another run may have deleted the same entry.
    }
  }

  #getPath(file: string, text: string): string {
    return join(this.#folder, `${computeSha256(JSON.stringify([this.#origin, file, text]))}.json`);
  }

  #read(file: string, text: string): Entry | null {
    try {
      const kept = readFileSync(this.#getPath(file, text), 'utf8');
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
