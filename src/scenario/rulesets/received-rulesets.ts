import { canonicalJson } from '../../core/canonical-json.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { receivedRulesetsMax, rulesetBytesMax } from '../../core/limits.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { LoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { readDataRuleset } from './read-ruleset.ts';
import { parseRulesetText, type RulesetText } from './ruleset-text.ts';

/** Storage of texts by name, which never replaces a text. */
export interface RulesetStorage {
  /** Stores a text unless the name has one. Resolves with the stored text once it is durable. */
  put(name: string, text: string): Promise<string>;
  /** Returns the names of all texts. */
  names(): Promise<readonly string[]>;
  /** Returns a stored text, or `null` if the name has none. */
  get(name: string): Promise<string | null>;
}

/** Creates a storage that ends with the process. */
export function memoryStorage(): RulesetStorage {
  const texts = new Map<string, string>();
  return {
    put: async (name, text) => {
      if (!texts.has(name)) texts.set(name, text);
      return texts.get(name) ?? text;
    },
    names: async () => [...texts.keys()],
    get: async (name) => texts.get(name) ?? null,
  };
}

type Data = Readonly<Record<string, unknown>>;

/** Origin of rulesets that the control API received. */
const receivedOrigin = 'control-api';

/**
 * Rulesets of a server that the control API received as data, besides those of files (OC36). Every process of a shared
 * store knows them, and they are read again when a server starts.
 */
export class ReceivedRulesets {
  readonly registry: RulesetRegistry;
  readonly accepts: boolean;
  readonly #storage: RulesetStorage;
  readonly #received = new Map<string, Data>();
  /** Names in the storage that cannot be used, because a file of this server has the id. */
  readonly #skipped = new Set<string>();
  #adding: Promise<unknown> = Promise.resolve();

  /** Creates the rulesets of a server. Call `refresh` before the first use. */
  constructor(registry: RulesetRegistry, storage: RulesetStorage, accepts: boolean) {
    this.registry = registry;
    this.accepts = accepts;
    this.#storage = storage;
  }

  /** Reads the rulesets of the storage that are not known yet. Throws the errors of the storage. */
  async refresh(): Promise<void> {
    for (const name of await this.#storage.names()) await this.#learn(name);
  }

  /** Returns the data of a received ruleset, or `null` for another one. */
  findData(id: string): Data | null {
    return this.#received.get(id) ?? null;
  }

  /**
   * Adds a ruleset as data. The same ruleset again changes nothing.
   *
   * @throws NudgeLabError `ruleset-module-refused`, `ruleset-invalid` with every fault, `ruleset-exists`,
   *   `too-many-rulesets`, and the errors of the storage
   */
  add(data: Data): Promise<{ readonly loaded: LoadedRuleset; readonly isNew: boolean }> {
    const added = this.#adding.then(() => this.#add(data));
    this.#adding = added.catch(() => undefined);
    return added;
  }

  async #add(data: Data): Promise<{ readonly loaded: LoadedRuleset; readonly isNew: boolean }> {
    refuseModules(data);
    await this.refresh();
    const read = this.#read(JSON.stringify(data));
    const { id, digest } = read.ruleset;
    const known = this.registry.find(id);
    if (known?.digest === digest) return { loaded: known, isNew: false };
    if (known !== undefined) throw taken(id);
    if (this.#received.size >= receivedRulesetsMax) {
      throw new NudgeLabError('too-many-rulesets', {
        message: `The server has received ${this.#received.size} rulesets, the maximum.`,
      });
    }
    const text = canonicalJson(data);
    // Another process of a shared store can have received another ruleset with this id at the same time.
    if ((await this.#storage.put(id, text)) !== text) throw taken(id);
    await this.#learn(id);
    return { loaded: this.registry.get(id), isNew: true };
  }

  async #learn(name: string): Promise<void> {
    if (this.#received.has(name) || this.#skipped.has(name)) return;
    const text = await this.#storage.get(name);
    if (text === null) return;
    const read = this.#read(text);
    const { id, digest } = read.ruleset;
    const known = this.registry.find(id);
    if (known !== undefined && known.digest !== digest) {
      this.#skipped.add(name);
      return;
    }
    this.#received.set(id, JSON.parse(text) as Data);
    if (read.base === 'own') this.registry.add(read.ruleset, receivedOrigin);
    else this.registry.addCampaign(read.ruleset, receivedOrigin);
  }

  /** Reads a ruleset as data, whose base can be built in or received. Throws `ruleset-invalid` with every fault. */
  #read(text: string) {
    const source = parseRulesetText('body', text);
    const { read, faults } = readDataRuleset(source, {
      find: (id) => this.#findBase(id),
      ids: () => [...this.#received.keys()],
    });
    if (read !== null) return read;
    const problems = faults
      .filter(({ severity }) => severity === 'fault')
      .map(({ code, path, message }) => ({
        location: path === '' ? 'body' : `body.${path}`,
        message: `${code} ${message}`,
      }));
    throw new NudgeLabError('ruleset-invalid', { problems });
  }

  #findBase(id: string): RulesetText | null {
    const data = this.#received.get(id);
    return data === undefined ? null : parseRulesetText(id, JSON.stringify(data));
  }
}

function taken(id: string): NudgeLabError {
  const message = `RS25 Another ruleset has the id "${id}"; give this one another id.`;
  return new NudgeLabError('ruleset-exists', { message });
}

/** Rejects a ruleset that names a module: a module is code, and only files of the server name code (OC36). */
function refuseModules(data: Data): void {
  if (Buffer.byteLength(JSON.stringify(data)) > rulesetBytesMax) {
    const message = `RS01 the ruleset is larger than ${rulesetBytesMax} bytes; divide the campaign or shorten it`;
    throw new NudgeLabError('ruleset-invalid', { problems: [{ location: 'body', message }] });
  }
  const editions = Array.isArray(data['editions']) ? data['editions'] : [];
  const holders: readonly (readonly [string, unknown])[] = [
    ['body.gates', data['gates']],
    ...editions.map((edition: unknown, index): readonly [string, unknown] => {
      const set = isPlainObject(edition) ? edition['set'] : undefined;
      return [`body.editions.${index}.set.gates`, isPlainObject(set) ? set['gates'] : undefined];
    }),
  ];
  const problems = holders.flatMap(([location, gates]) =>
    Object.entries(typeof gates === 'object' && gates !== null ? gates : {}).flatMap(([key, gate]) =>
      isPlainObject(gate) && namesModule(gate)
        ? [{ location: `${location}.${key}`, message: 'names a gate module; state the gate as data' }]
        : [],
    ),
  );
  if (problems.length > 0) throw new NudgeLabError('ruleset-module-refused', { problems });
}

/** Returns true for a gate with a module, also if its path is given to `use`. */
function namesModule({ module, use }: Data): boolean {
  return module !== undefined || (typeof use === 'string' && /[/\\]|\.gate\.[jt]s$/.test(use));
}
