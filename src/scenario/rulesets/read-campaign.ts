import { campaignFacts } from '../../../machines/campaign-facts.ts';
import { listReads } from '../../../machines/own/condition.ts';
import type { Condition, DeclaredFacts } from '../../../machines/own/condition-data.ts';
import {
  gateIds,
  matrixPlatforms,
  passkeyTypes,
  type Ruleset,
  type RulesetExtension,
} from '../../../machines/vocabulary.ts';
import { parseDuration } from '../../contract/ruleset-values.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { readCondition } from './read-condition.ts';
import { readEditions } from './read-editions.ts';
import { factsMax, readCampaignShapes, readDefinitions, type ShapedCampaignRuleset } from './read-shapes.ts';
import { checkReasons } from './read-texts.ts';
import type { ReasonUse } from './reason-use.ts';
import type { RulesPeriod } from './rules-period.ts';
import type { Path, RulesetFaultCode, RulesetFaults } from './ruleset-fault.ts';
import { RulesetScope } from './ruleset-scope.ts';

type Written = Readonly<Record<string, unknown>>;

/** Keys that a registration campaign has at all times. */
export const campaignKeys: readonly string[] = ['matrix', 'profiles', 'providerManaged', 'limits'];

/** Facts that a ruleset declares, and the defaults that follow from other facts. */
type Declared = Pick<RulesetExtension, 'facts' | 'derived'>;

/**
 * Reads the rules of a ruleset with the base `registration-campaign` and its editions.
 *
 * @param data - keys of the file over those of its bases
 * @param file - collectors of the file's faults and of the use of its reasons, and the rules before the first edition
 * @returns the rules, or `null` if there are faults
 */
export function readCampaign(
  data: Written,
  file: { readonly faults: RulesetFaults; readonly period: RulesPeriod; readonly reasons: ReasonUse },
): Ruleset | null {
  const { period, reasons } = file;
  const faults = file.faults.inPeriod(period);
  const shaped = readCampaignShapes(data, faults);
  const written = shaped.editions ?? [];
  const declared = readDeclared(shaped, data, faults);
  const read = (current: Written, inPart: RulesetFaults, edition: string | null): Ruleset | null => {
    const before = faults.count;
    const rules = new CampaignReader(current, inPart, { declared, reasons }).read(edition, written.length > 0);
    return faults.count > before ? null : rules;
  };
  const first = read(data, faults, null);
  const editions = readEditions(data, period, file.faults, {
    lasting: { limits: 'open prompts outlive it' },
    needed: ['title', ...campaignKeys],
    read,
  });
  if (first === null || faults.count > 0) return null;
  return editions.length === 0 ? first : { ...first, editions };
}

function readDeclared(shaped: ShapedCampaignRuleset, data: Written, faults: RulesetFaults): Declared {
  const written: Record<string, Written> = {};
  const groups = (['tenant', 'user', 'attempt'] as const).map((owner) => {
    const definitions = Object.entries(shaped.facts?.[owner] ?? {}).map(([name, definition]) => {
      if (!isPlainObject(definition.default)) return [name, definition] as const;
      if (definition.type === 'boolean') written[`${owner}.facts.${name}`] = definition.default;
      else faults.add('RS07', ['facts', owner, name, 'default'], 'only a boolean can follow from a condition');
      return [name, { ...definition, default: definition.type === 'boolean' ? false : definition.default }] as const;
    });
    return [
      owner,
      readDefinitions(Object.fromEntries(definitions), 'RS07', ['facts', owner], faults, factsMax),
    ] as const;
  });
  const facts = Object.fromEntries(groups) as DeclaredFacts;
  const scope = new RulesetScope(faults, {}, facts, data, campaignFacts);
  const derived = Object.entries(written).flatMap(([path, when]) => {
    const at = [...path.split('.').toSpliced(0, 2, 'facts', path.split('.')[0] ?? ''), 'default'];
    const condition = readPlain(when, 'RS07', at, scope);
    if (condition === null) return [];
    const circular = listReads(condition).find((read) => Object.hasOwn(written, read));
    if (circular !== undefined) {
      faults.add('RS07', at, `${circular} has a condition as its default too; name facts with plain defaults`);
    }
    return [[path, condition] as const];
  });
  return { facts, derived: Object.fromEntries(derived) };
}

/** Reads a condition on facts of a registration campaign, which does not count sign-ins. */
function readPlain(written: unknown, code: RulesetFaultCode, path: Path, scope: RulesetScope): Condition | null {
  const condition = readCondition(written, code, path, scope);
  if (condition !== null && countsSignIns(condition)) {
    scope.faults.add('RS27', path, 'sign-ins are counted with the base own alone; leave signIns out');
  }
  return condition;
}

function countsSignIns(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(countsSignIns);
  if ('any' in condition) return condition.any.some(countsSignIns);
  return 'not' in condition ? countsSignIns(condition.not) : 'signIns' in condition;
}

/** Reader of the rules at one time. */
class CampaignReader {
  readonly #data: Written;
  readonly #shaped: ShapedCampaignRuleset;
  readonly #faults: RulesetFaults;
  readonly #scope: RulesetScope;
  readonly #declared: Declared;
  readonly #reasons: ReasonUse;

  constructor(
    data: Written,
    faults: RulesetFaults,
    { declared, reasons }: { readonly declared: Declared; readonly reasons: ReasonUse },
  ) {
    this.#reasons = reasons;
    this.#data = data;
    this.#faults = faults;
    this.#declared = declared;
    this.#shaped = readCampaignShapes(data, faults);
    const settings = readDefinitions(this.#shaped.settings ?? {}, 'RS06', ['settings'], faults);
    this.#scope = new RulesetScope(faults, settings, declared.facts, data, campaignFacts);
  }

  read(edition: string | null, changes: boolean): Ruleset | null {
    const { profiles, providerManaged } = this.#shaped;
    const matrix = this.#readMatrix();
    const limits = this.#readLimits();
    const { order, gates, skips } = this.#readGates();
    const extension = this.#readExtension(gates, skips);
    if (profiles === undefined || providerManaged === undefined || limits === null) return null;
    return {
      id: this.#shaped.ruleset ?? '',
      order,
      matrix,
      profiles: typeof profiles === 'object' ? profiles.as : profiles,
      providerManaged,
      limits,
      ...(isEmpty(extension) ? {} : { extension }),
      ...(changes ? { edition } : {}),
    };
  }

  #condition(written: unknown, code: RulesetFaultCode, path: Path): Condition | null {
    return written === undefined ? null : readPlain(written, code, path, this.#scope);
  }

  #readGates(): Pick<Ruleset, 'order'> & Pick<RulesetExtension, 'gates' | 'skips'> {
    const written = this.#shaped.gates ?? [];
    const order: string[] = [];
    const gates: Record<string, RulesetExtension['gates'][string]> = {};
    const skips: Record<string, Condition> = {};
    const own: Parameters<typeof checkReasons>[1][number][] = [];
    for (const [index, gate] of written.entries()) {
      const path = ['gates', index];
      const id = 'use' in gate ? gate.use : gate.id;
      if (order.includes(id)) this.#faults.add('RS26', path, `the gate "${id}" is already in the list`);
      else if (!('use' in gate) && (gateIds as readonly string[]).includes(id)) {
        this.#faults.add('RS26', [...path, 'id'], `"${id}" is a built-in gate; write use: ${id}, or another id`);
      }
      order.push(id);
      const skipIf = this.#condition(gate.skipIf, 'RS09', [...path, 'skipIf']);
      if (skipIf !== null) skips[id] = skipIf;
      if ('use' in gate) continue;
      const when = this.#condition(gate.when, 'RS09', [...path, 'when']);
      if (when === null) continue;
      const { summary, stop, source = [], appliesTo = 'both' } = gate;
      gates[id] = { summary, source, appliesTo, when, stop };
      own.push({ id, summary, when, stop, skipIf, source });
    }
    const placed = written.map((gate) => ('use' in gate ? ({ place: 'X.trigger' } as const) : gate));
    const given: unknown = this.#data['gates'];
    const stated = Array.isArray(given) ? given.filter((gate) => !(isPlainObject(gate) && 'use' in gate)) : [];
    const hasUnread = own.length < stated.length;
    checkReasons({ reasons: this.#shaped.reasons, gates: placed }, own, this.#scope);
    this.#reasons.note(own, hasUnread);
    return { order, gates, skips };
  }

  #readExtension(gates: RulesetExtension['gates'], skips: RulesetExtension['skips']): RulesetExtension {
    const { campaign = [], factors, profiles, requirement, reasons = {} } = this.#shaped;
    const { facts, derived } = this.#declared;
    return {
      facts,
      settings: this.#scope.settings,
      derived,
      campaign: campaign.map(({ when, set }, index) => {
        const path = ['campaign', index, 'when'];
        const condition = this.#condition(when, 'RS04', path);
        const other = condition === null ? undefined : listReads(condition).find((read) => !read.startsWith('tenant.'));
        if (other !== undefined) {
          const message = `reads ${other}; a campaign is that of a tenant, so its conditions read facts of the tenant`;
          this.#faults.add('RS04', path, message);
        }
        return { when: condition, set: defined(set) };
      }),
      skips,
      gates,
      reasons,
      requirement: {
        required: this.#condition(requirement?.required, 'RS19', ['requirement', 'required']),
        blocked: this.#condition(requirement?.blocked, 'RS19', ['requirement', 'blocked']),
      },
      unusable: (factors?.unusable ?? []).map(({ when, methods }, index) => ({
        when: this.#condition(when, 'RS08', ['factors', 'unusable', index, 'when']),
        methods,
      })),
      allPasskeyTypes:
        typeof profiles === 'object' ? this.#condition(profiles.allTypes, 'RS04', ['profiles', 'allTypes']) : null,
    };
  }

  /** Reads the matrix, which has all rows and columns. */
  #readMatrix(): Ruleset['matrix'] {
    const rows = this.#shaped.matrix ?? {};
    for (const [row, cells] of Object.entries(rows)) {
      if (!(passkeyTypes as readonly string[]).includes(row)) {
        this.#faults.addKey('RS12', ['matrix', row], `the row ${describeUnknownName(row, passkeyTypes)}`);
      }
      for (const column of Object.keys(cells)) {
        if ((matrixPlatforms as readonly string[]).includes(column)) continue;
        const message = `the column ${describeUnknownName(column, matrixPlatforms)}`;
        this.#faults.addKey('RS12', ['matrix', row, column], message);
      }
    }
    const read = passkeyTypes.map((type) => {
      const cells = matrixPlatforms.map((platform) => {
        const cell = rows[type]?.[platform];
        if (cell === undefined && isPlainObject(this.#data['matrix'])) {
          this.#faults.add('RS12', ['matrix', type], `the column ${platform} of the row ${type} is missing`);
        }
        return [platform, cell === 1] as const;
      });
      return [type, Object.fromEntries(cells)] as const;
    });
    return Object.fromEntries(read) as Ruleset['matrix'];
  }

  #readLimits(): Ruleset['limits'] | null {
    const { limits } = this.#shaped;
    if (limits === undefined) return null;
    const [dayMs = 0, promptLifetimeMs = 0] = (['day', 'promptLifetime'] as const).map((key) => {
      const read = parseDuration(limits[key]);
      const message =
        'message' in read
          ? read.message
          : read.value.months > 0 || read.value.ms === 0
            ? 'is not an elapsed time, such as 24h'
            : null;
      if (message !== null) this.#faults.add('RS04', ['limits', key], message);
      return 'value' in read ? read.value.ms : 0;
    });
    const { snoozeLimit, snoozeDaysDefault } = limits;
    return { snoozeLimit, snoozeDaysDefault, dayMs, promptLifetimeMs };
  }
}

/** Leaves out keys without a value. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}

/** Returns true if a ruleset adds nothing to the rules of a registration campaign. */
function isEmpty(extension: RulesetExtension): boolean {
  const { facts, settings, campaign, skips, gates, requirement, unusable, allPasskeyTypes } = extension;
  const lists = [...Object.values(facts), settings, skips, gates].map((one) => Object.keys(one));
  return (
    [...lists, campaign, unusable].every(({ length }) => length === 0) &&
    requirement.required === null &&
    requirement.blocked === null &&
    allPasskeyTypes === null
  );
}
