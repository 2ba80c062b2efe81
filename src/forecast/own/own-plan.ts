import type { FactValues, OwnTenant, OwnUser } from '../../../machines/own/own-facts.ts';
import type {
  AttemptKind,
  DeclaredFacts,
  FactValue,
  OwnRollout,
  OwnRuleset,
} from '../../../machines/own/own-ruleset.ts';
import type { Passkey } from '../../../machines/vocabulary.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import type { SignInPattern } from '../../contract/forecast.schema.ts';
import type { OwnFactShares, OwnForecastDescription, OwnPromptAnswers } from '../../contract/own-forecast.schema.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { forecastAttemptKindsMax } from '../../core/limits.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { listDefaults, readDeclared } from '../../scenario/own/declared-values.ts';
import { usualPasskey } from '../segment-plan.ts';
import { listOwnPaths, type OwnPath, refuseUnknownAnswers } from './own-paths.ts';
import { type DrawSpec, drawSpecs, listBuckets } from './rollout-buckets.ts';

const dayMs = 86_400_000;

/** Kind of sign-in of a segment: a device, a sign-in context, facts, and the position in a rollout by sign-in. */
export interface OwnKind {
  readonly share: number;
  readonly patch: AttemptPatch;
  readonly kind: AttemptKind;
  readonly device: string;
  readonly browser: string;
  readonly sameSession: boolean;
  readonly facts: FactValues;
  /** Ids for sign-ins of this kind, which have its position in a rollout by sign-in. */
  readonly ids: readonly string[];
  readonly passkey: Passkey;
}

/** Users of a segment with the same facts before the first day. */
export interface OwnStart {
  readonly share: number;
  readonly user: OwnUser;
  readonly createdAtMs: number;
  /** Ids of devices and browsers, which have the user's positions in a rollout by them. */
  readonly deviceIds: Readonly<Record<string, string>>;
  readonly browserIds: Readonly<Record<string, string>>;
}

/** Segment of users with the same behavior. */
export interface OwnSegment {
  readonly name: string;
  readonly share: number;
  readonly users: readonly OwnStart[];
  readonly kinds: readonly OwnKind[];
  readonly signIn: SignInPattern;
  readonly answers: OwnPromptAnswers;
}

/** Forecast of an own ruleset before it is compiled: only data, which is sent to threads. */
export interface OwnPlan {
  readonly description: OwnForecastDescription;
  readonly ruleset: OwnRuleset;
  readonly tenant: OwnTenant;
  readonly startMs: number;
  readonly segments: readonly OwnSegment[];
  readonly paths: readonly OwnPath[];
  /** True if the description bounds the devices and browsers of a user (OC51). */
  readonly hasDevices: boolean;
}

/**
 * Plans the forecast of an own ruleset.
 *
 * @throws NudgeLabError `forecast-invalid` for unknown facts, values and answers, `forecast-too-large`
 */
export function planOwnForecast(description: OwnForecastDescription, ruleset: OwnRuleset): OwnPlan {
  const { defaults, segments, start } = description;
  const startMs = parseInstant(start) as number;
  const { facts, settings, ...fixed } = description.tenant;
  const tenant: OwnTenant = {
    ...fixed,
    facts: { ...listDefaults(ruleset.facts.tenant), ...read(facts, ruleset.facts.tenant, 'tenant.facts') },
    settings: { ...listDefaults(ruleset.first.settings), ...read(settings, ruleset.first.settings, 'tenant.settings') },
  };
  const paths = listOwnPaths(ruleset);
  const shared = segments.map((segment, index) =>
    readShares({ ...defaults.facts, ...segment.facts }, ruleset.facts, (key) =>
      segment.facts !== undefined && Object.hasOwn(segment.facts, key) ? `segments.${index}.facts` : 'defaults.facts',
    ),
  );
  const specs = drawSpecs(ruleset, tenant, (path) => listValues(path, ruleset, shared));
  const planned = segments.map((segment, index): OwnSegment => {
    const given = { ...defaults, ...dropUnset(segment) };
    const name = segment.name ?? `segment ${index + 1}`;
    const location = `segments.${index}`;
    const shares = shared[index] as SharedFacts;
    const kinds = listKinds(given, shares.attempt, specs, ruleset);
    if (kinds.length > forecastAttemptKindsMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `${name} has ${kinds.length} kinds of sign-ins; the maximum is ${forecastAttemptKindsMax}.`,
      });
    }
    const answers = given.answers ?? {
      skippable: [{ register: 1 }],
      required: [{ register: 1 }],
      failure: [0],
      onFailure: { retry: 0, skip: 1, close: 0 },
    };
    refuseUnknownAnswers(answers, ruleset, `${location}.answers`);
    return {
      name,
      share: segment.share ?? (segments.length === 1 ? 1 : 0),
      users: listStarts(given, shares.user, { specs, startMs, kinds, defaults: listDefaults(ruleset.facts.user) }),
      kinds,
      signIn: given.signIn as SignInPattern,
      answers,
    };
  });
  const hasDevices = segments.every((segment) => (segment.devices ?? defaults.devices) !== undefined);
  return { description, ruleset, tenant, startMs, segments: planned, paths, hasDevices };
}

type Given = OwnForecastDescription['defaults'];
type Definitions = DeclaredFacts['user'];

function read(written: Readonly<Record<string, unknown>>, definitions: Definitions, location: string): FactValues {
  try {
    return readDeclared(written, definitions, location);
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
    throw new NudgeLabError('forecast-invalid', { problems: error.problems, cause: error });
  }
}

/** Values of one fact with their shares. */
interface SharedFact {
  readonly name: string;
  readonly values: readonly { readonly value: FactValue; readonly share: number }[];
}

/** Facts of users and of sign-ins with their shares. */
type SharedFacts = Readonly<Record<'user' | 'attempt', readonly SharedFact[]>>;

/** Lists the values that a fact of users or of sign-ins can have: given, by default, or after a completed setup. */
function listValues(path: string, ruleset: OwnRuleset, shared: readonly SharedFacts[]): readonly FactValue[] {
  const owner = path.startsWith('user.') ? 'user' : 'attempt';
  const name = path.slice(path.lastIndexOf('.') + 1);
  const given = shared.flatMap((one) => one[owner].filter((fact) => fact.name === name));
  const completed = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)].flatMap(({ completion }) =>
    completion.set.flatMap(({ path: set, value }) =>
      set === path && value !== 'now' && 'constant' in value ? [value.constant] : [],
    ),
  );
  return [
    ruleset.facts[owner][name]?.default ?? null,
    ...given.flatMap(({ values }) => values.map(({ value }) => value)),
    ...completed,
  ];
}

/**
 * Reads the shares of facts. A name is that of a fact of the user or of the attempt, or its whole path. `placeFor` says
 * where a fact is stated: in the segment or in the defaults.
 */
function readShares(written: OwnFactShares, facts: DeclaredFacts, placeFor: (key: string) => string): SharedFacts {
  const user: SharedFact[] = [];
  const attempt: SharedFact[] = [];
  for (const [key, value] of Object.entries(written)) {
    const location = placeFor(key);
    const owner = findOwner(key, facts, location);
    const name = key.slice(key.lastIndexOf('.') + 1);
    const definition = facts[owner][name];
    const isShared = typeof value === 'object' && value !== null && !Array.isArray(value);
    const parts = isShared ? Object.entries(value as Readonly<Record<string, number>>) : [[value, 1] as const];
    const values = parts.map(([one, share]) => {
      const plain = isShared ? plainValue(String(one), definition?.type ?? 'text') : one;
      return { value: read({ [name]: plain }, facts[owner], location)[name] ?? null, share };
    });
    (owner === 'user' ? user : attempt).push({ name, values: values.filter(({ share }) => share > 0) });
  }
  return { user, attempt };
}

function findOwner(key: string, facts: DeclaredFacts, location: string): 'user' | 'attempt' {
  const owners = (['user', 'attempt'] as const).filter((owner) => {
    const name = key.startsWith(`${owner}.facts.`) ? key.slice(`${owner}.facts.`.length) : key;
    return Object.hasOwn(facts[owner], name);
  });
  const [owner] = owners;
  if (owners.length === 1 && owner !== undefined) return owner;
  const known = [...Object.keys(facts.user), ...Object.keys(facts.attempt)];
  const message =
    owners.length === 2
      ? `the fact "${key}" is of users and of attempts; write user.facts.${key} or attempt.facts.${key}`
      : describeUnknownName(key, known);
  throw new NudgeLabError('forecast-invalid', { problems: [{ location, message }] });
}

/** Converts the key of a share to the value that the fact has in YAML. */
function plainValue(key: string, type: string): unknown {
  if (key === 'null') return null;
  if (type === 'boolean') return key === 'true' ? true : key === 'false' ? false : key;
  if (type === 'integer' && key !== '' && Number.isFinite(Number(key))) return Number(key);
  if (type === 'set') return key === '' ? [] : key.split(',').map((part) => part.trim());
  return key;
}

/** Combines values of independent facts, with the product of their shares. */
function combine(facts: readonly SharedFact[]): readonly { readonly share: number; readonly facts: FactValues }[] {
  let combined: readonly { readonly share: number; readonly facts: FactValues }[] = [{ share: 1, facts: {} }];
  for (const { name, values } of facts) {
    combined = combined.flatMap((one) =>
      values.map(({ value, share }) => ({ share: one.share * share, facts: { ...one.facts, [name]: value } })),
    );
    if (combined.length > combinationsMax) {
      throw new NudgeLabError('forecast-too-large', {
        message: `The shares of facts have more than ${combinationsMax} combinations.`,
      });
    }
  }
  return combined;
}

const combinationsMax = 65_536;

function listKinds(
  { devices = [{}], signInContexts = [{ kind: 'signIn', session: 'new' }] }: Given,
  shared: readonly SharedFact[],
  specs: readonly DrawSpec[],
  { facts: declared }: OwnRuleset,
): readonly OwnKind[] {
  const buckets = listBuckets(specs, 'signIn', idsOfKind);
  const defaults = listDefaults(declared.attempt);
  return devices.flatMap((one) => {
    const { share, passkey, deviceId, ...device } = one;
    const os = device.os ?? 'windows';
    const id = deviceId ?? os;
    const browser = `${id} ${device.browser === undefined ? 'chrome' : (device.browser ?? 'no browser')}`;
    return signInContexts.flatMap((context) => {
      const { share: other, kind, session, ...rest } = context;
      return combine(shared).flatMap(({ share: factShare, facts }) =>
        buckets.map((bucket) => ({
          share: readShare(share, devices) * readShare(other, signInContexts) * factShare * bucket.share,
          patch: { ...dropUnset({ ...device, ...rest }) },
          kind,
          device: id,
          browser,
          sameSession: session === 'same',
          facts: { ...defaults, ...facts },
          ids: bucket.ids,
          passkey: { type: passkey ?? usualPasskey[os], deviceId: id },
        })),
      );
    });
  });
}

/** Number of ids of sign-ins at the same position of a rollout, so that open prompts have different ones. */
const idsOfKind = 16;

function readShare(share: number | undefined, all: readonly unknown[]): number {
  return share ?? (all.length === 1 ? 1 : 0);
}

function listStarts(
  { users: written }: Given,
  shared: readonly SharedFact[],
  {
    specs,
    startMs,
    kinds,
    defaults,
  }: {
    readonly specs: readonly DrawSpec[];
    readonly startMs: number;
    readonly kinds: readonly OwnKind[];
    readonly defaults: FactValues;
  },
): readonly OwnStart[] {
  const users = written ?? [defaultUser];
  const devices = [...new Set(kinds.map(({ device }) => device))];
  const browsers = [...new Set(kinds.map(({ browser }) => browser))];
  const named = (names: readonly string[], by: OwnRollout['by']) => combineIds(names, specs, by);
  return users.flatMap(({ share, createdDaysAgo, passkeys, ...fixed }) =>
    combine(shared).flatMap(({ share: factShare, facts }) =>
      listBuckets(specs, 'user', 1).flatMap((bucket) =>
        named(devices, 'device').flatMap((device) =>
          named(browsers, 'browser').map((browser) => ({
            share: readShare(share, users) * factShare * bucket.share * device.share * browser.share,
            user: {
              id: bucket.ids[0] ?? 'user',
              ...fixed,
              passkeys: passkeys.map((one) => (typeof one === 'string' ? { type: one, deviceId: 'device-1' } : one)),
              facts: { ...defaults, ...facts },
            },
            createdAtMs: startMs - Math.round(createdDaysAgo * dayMs),
            deviceIds: device.ids,
            browserIds: browser.ids,
          })),
        ),
      ),
    ),
  );
}

const defaultUser = {
  share: 1,
  type: 'member' as const,
  groups: [],
  methods: ['sms' as const],
  passkeys: [],
  mfaCapable: true,
  createdDaysAgo: 365,
};

interface NamedIds {
  readonly share: number;
  readonly ids: Readonly<Record<string, string>>;
}

/** Combines the positions of devices or browsers. Without a rollout by them, their ids are their names. */
function combineIds(names: readonly string[], specs: readonly DrawSpec[], by: OwnRollout['by']): readonly NamedIds[] {
  if (!specs.some((spec) => spec.by === by)) {
    return [{ share: 1, ids: Object.fromEntries(names.map((name) => [name, name])) }];
  }
  let combined: readonly NamedIds[] = [{ share: 1, ids: {} }];
  for (const name of names) {
    combined = combined.flatMap((one) =>
      listBuckets(specs, by, 1, name).map(({ share, ids: [id = name] }) => ({
        share: one.share * share,
        ids: { ...one.ids, [name]: id },
      })),
    );
  }
  return combined;
}

function dropUnset<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Partial<T>;
}
