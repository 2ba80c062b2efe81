import type { DeclaredFacts, FactDefinition, OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { builtInFiles } from '../../machines/rulesets/built-in.ts';
import { rulesets as builtInRulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import { NudgeLabError } from '../core/errors.ts';
import { LruMap } from '../core/lru-map.ts';
import { describeUnknownName } from '../core/nearest-name.ts';

/** Ruleset that sandboxes can use: a campaign of one's own, or a registration campaign. */
export type LoadedRuleset = LoadedHead &
  (
    | { readonly base: 'own'; readonly ruleset: OwnRuleset }
    | { readonly base: 'registration-campaign'; readonly ruleset: Ruleset }
  );

/** Ruleset with the base `own`. */
export type OwnLoadedRuleset = Extract<LoadedRuleset, { readonly base: 'own' }>;

interface LoadedHead {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  /** SHA-256 digest of the canonical form, as hexadecimal text (OC35). */
  readonly digest: string;
  /** File of the ruleset as it was named, `built-in` or `control-api`. */
  readonly origin: string;
}

/** Keys of a ruleset with those of its bases, as the control API accepts them. */
type RulesetData = Readonly<Record<string, unknown>>;

/** Ruleset with the base `registration-campaign` with the texts of its file. */
type CampaignFile = Pick<LoadedHead, 'id' | 'title' | 'version' | 'digest'> & { readonly rules: Ruleset };

/** Maximum number of rulesets that are loaded at the same time. */
const loadedRulesetsMax = 256;

/** Maximum number of rulesets that sandboxes can name, over all registries of the process; the oldest are forgotten. */
const rememberedRulesetsMax = 1_024;

/**
 * Rulesets by id that a server, a command or a scenario run uses. The server, the commands and the scenario runner share
 * one registry.
 */
export class RulesetRegistry {
  readonly #loaded = new Map<string, LoadedRuleset>();

  /** Creates a registry with the built-in rulesets. */
  constructor() {
    for (const file of builtInFiles) {
      const ruleset = builtInRulesets.get(file.id);
      if (ruleset === undefined) continue;
      this.#loaded.set(file.id, { ...file, origin: 'built-in', base: 'registration-campaign', ruleset });
    }
  }

  /**
   * Adds a campaign of one's own. The same ruleset from another file changes nothing.
   *
   * @param origin - file of the ruleset as it was named, or `control-api`
   * @throws NudgeLabError `ruleset-invalid` (RS25) if another ruleset has the id, or if too many are loaded
   */
  add(ruleset: OwnRuleset, origin: string, data?: RulesetData): LoadedRuleset {
    const { id, title, version, digest } = ruleset;
    if (data !== undefined) rulesetData.set(digest, data);
    rememberOwnRuleset(ruleset);
    return this.#add({ id, title, version, digest, origin, base: 'own', ruleset });
  }

  /**
   * Adds a ruleset with the base `registration-campaign`. The same ruleset from another file changes nothing.
   *
   * @param file - rules with the texts of their file
   * @param origin - file of the ruleset as it was named, or `control-api`
   * @throws NudgeLabError `ruleset-invalid` (RS25) if another ruleset has the id, or if too many are loaded
   */
  addCampaign(file: CampaignFile, origin: string, data?: RulesetData): LoadedRuleset {
    const { id, title, version, digest, rules } = file;
    if (data !== undefined) rulesetData.set(digest, data);
    rememberCampaignRuleset(rules, digest);
    return this.#add({ id, title, version, digest, origin, base: 'registration-campaign', ruleset: rules });
  }

  /** Rulesets of registration campaigns by id, which a model evaluates. */
  get campaigns(): ReadonlyMap<string, Ruleset> {
    return new Map(
      this.list().flatMap((one) => (one.base === 'registration-campaign' ? [[one.id, one.ruleset] as const] : [])),
    );
  }

  #add(loaded: LoadedRuleset): LoadedRuleset {
    const { id, digest, origin } = loaded;
    const known = this.#loaded.get(id);
    if (known !== undefined && known.digest === digest) return known;
    if (known !== undefined) {
      const message = `RS25 the id "${id}" is already that of ${known.origin}; give one of them another id`;
      throw new NudgeLabError('ruleset-invalid', { problems: [{ location: origin, message }] });
    }
    if (this.#loaded.size >= loadedRulesetsMax) {
      const message = `${this.#loaded.size} rulesets are loaded, the maximum`;
      throw new NudgeLabError('ruleset-invalid', { problems: [{ location: origin, message }] });
    }
    this.#loaded.set(id, loaded);
    return loaded;
  }

  /** Returns the ruleset with an id, or `undefined` if none is loaded. */
  find(id: string): LoadedRuleset | undefined {
    return this.#loaded.get(id);
  }

  /** Returns the ruleset with an id. Throws `bad-request` at a location with the ids of all loaded rulesets. */
  get(id: string, location = 'ruleset'): LoadedRuleset {
    const loaded = this.#loaded.get(id);
    if (loaded !== undefined) return loaded;
    const message = describeUnknownName(id, [...this.#loaded.keys()]);
    throw new NudgeLabError('bad-request', { problems: [{ location, message }] });
  }

  /** Returns all loaded rulesets: the built-in ones, then the others in the order in which they were added. */
  list(): readonly LoadedRuleset[] {
    return [...this.#loaded.values()];
  }
}

/** Data of the rulesets of files by digest. */
const rulesetData = new LruMap<string, RulesetData>({ max: rememberedRulesetsMax });

/** Returns the data of the loaded ruleset with a digest, which another server can receive; `null` if there is none. */
export function findLoadedData(digest: string): RulesetData | null {
  return rulesetData.get(digest) ?? null;
}

/** Rulesets that this process knows: the built-in ones, which are listed, and those that any registry has loaded. */
export const processRulesets: Pick<RulesetRegistry, 'list' | 'find'> = {
  list: () => new RulesetRegistry().list(),
  find: (id) => {
    const builtIn = new RulesetRegistry().find(id);
    if (builtIn !== undefined) return builtIn;
    const [origin, version] = ['file', ''];
    const own = findLoadedOwn(id);
    if (own !== undefined) return { ...own, origin, base: 'own', ruleset: own };
    const campaign = campaignsById.get(id);
    if (campaign === undefined) return undefined;
    const { ruleset, digest } = campaign;
    return { id, title: id, version, digest, origin, base: 'registration-campaign', ruleset };
  },
};

/** Facts and settings that a ruleset declares, by name. */
export interface RulesetDeclarations {
  readonly ruleset: string;
  readonly facts: DeclaredFacts;
  readonly settings: Readonly<Record<string, FactDefinition>>;
}

const noFacts: DeclaredFacts = { tenant: {}, user: {}, attempt: {} };

/** Returns what the ruleset with an id declares; the edition in force changes only the defaults of settings. */
export function findDeclarations(id: string): RulesetDeclarations {
  const campaign = builtInRulesets.get(id) ?? findLoadedCampaign(id);
  if (campaign !== undefined) {
    const { facts = noFacts, settings = {} } = campaign.extension ?? {};
    return { ruleset: id, facts, settings };
  }
  const own = findLoadedOwn(id);
  return { ruleset: id, facts: own?.facts ?? noFacts, settings: own?.first.settings ?? {} };
}

/** Ruleset of a registration campaign with the digest of its file. */
interface KnownCampaign {
  readonly ruleset: Ruleset;
  readonly digest: string;
}

/** Latest loaded ruleset of a registration campaign by id, besides the built-in ones. */
const campaignsById = new LruMap<string, KnownCampaign>({ max: rememberedRulesetsMax });

/** Makes a ruleset of a registration campaign available to sandboxes and journals that name it. */
function rememberCampaignRuleset(ruleset: Ruleset, digest: string): void {
  campaignsById.set(ruleset.id, { ruleset, digest });
}

/** Returns the loaded ruleset of a registration campaign with an id, besides the built-in ones. */
export function findLoadedCampaign(id: string): Ruleset | undefined {
  return campaignsById.get(id)?.ruleset;
}

/** Returns the digest of the loaded ruleset with an id, or `null` for a built-in one and for one that is not loaded. */
export function findLoadedDigest(id: string): string | null {
  return campaignsById.get(id)?.digest ?? findLoadedOwn(id)?.digest ?? null;
}

/** Own rulesets by digest and, for the latest loaded one, by id. */
const ownRulesets = new LruMap<string, OwnRuleset>({ max: rememberedRulesetsMax });

/** Makes an own ruleset available to sandboxes and journals that name it. */
export function rememberOwnRuleset(ruleset: OwnRuleset): void {
  ownRulesets.set(`digest ${ruleset.digest}`, ruleset);
  ownRulesets.set(`id ${ruleset.id}`, ruleset);
}

/** Returns the own ruleset with a digest or, if none has it, the latest loaded one with an id. */
export function findLoadedOwn(id: string, digest: string | null = null): OwnRuleset | undefined {
  const recorded = digest === null ? undefined : ownRulesets.get(`digest ${digest}`);
  return recorded?.id === id ? recorded : ownRulesets.get(`id ${id}`);
}
