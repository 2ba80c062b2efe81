import type { ForecastRequest } from './analyses.ts';

/** Inputs of the forecast form. Unchanged inputs keep the values of the description. */
export interface ForecastInputs {
  readonly state: NonNullable<CampaignPart['state']>;
  readonly method: NonNullable<CampaignPart['includeTargets']>[number]['targetedAuthenticationMethod'];
  readonly snoozeDays: number;
  readonly limited: boolean;
  readonly days: number;
  readonly users: number;
  readonly seeds: number;
  /** Probabilities that a user signs in on a workday, registers, closes the browser, or fails to register. */
  readonly signIn: number;
  readonly register: number;
  readonly close: number;
  readonly failure: number;
  readonly sweep: boolean;
  readonly sensitivity: boolean;
}

/** Tenant description. The inputs read and change some parts of it and pass the others through unchanged. */
export type Description = Partial<ForecastRequest['description']>;

type CampaignPart = NonNullable<NonNullable<Description['tenant']>['campaign']>;
type Everyone = NonNullable<Description['defaults']>;
/** Action probabilities that are the same for both methods. The form supports no others. */
type CommonAnswers = Extract<NonNullable<Everyone['answers']>, { readonly skippable: unknown }>;

const seedsDefault = 10;
const everybody = { targetType: 'group', id: 'all_users' } as const;
const workingDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

/** Snooze durations of the policies in a sweep, in days. */
const sweptDays = [0, 1, 2, 3, 5, 7, 10, 14];

/** Converts a description to form inputs. */
export function toForecastInputs({ users = 10_000, days = 90, tenant, defaults }: Description): ForecastInputs {
  const { state, snoozeDurationInDays, enforceRegistrationAfterAllowedSnoozes, includeTargets } =
    tenant?.campaign ?? {};
  const { skippable, failure } = commonAnswers(defaults);
  const [first] = skippable ?? [];
  const weekdays = defaults?.signIn?.weekdays ?? {};
  const working = workingDays.reduce((sum, day) => sum + (weekdays[day] ?? 0), 0) / workingDays.length;
  return {
    state: state ?? 'default',
    method: includeTargets?.[0]?.targetedAuthenticationMethod ?? 'vendorAuthenticator',
    snoozeDays: snoozeDurationInDays ?? 1,
    limited: enforceRegistrationAfterAllowedSnoozes ?? true,
    days,
    users,
    seeds: seedsDefault,
    signIn: Math.round(working * 100) / 100,
    register: first?.register ?? 0,
    close: first?.close ?? 0,
    failure: failure?.[0] ?? 0,
    sweep: false,
    sensitivity: false,
  };
}

/** Builds a forecast request from the description and the inputs that were changed. */
export function forecastOrder(description: Description, moved: Partial<ForecastInputs>): ForecastRequest {
  const { seeds, sweep, sensitivity, users, days, method } = { ...toForecastInputs(description), ...moved };
  return {
    kind: 'forecast',
    description: {
      ...description,
      users,
      days,
      tenant: { ...description.tenant, campaign: createCampaign(description.tenant?.campaign ?? {}, moved) },
      ...(description.defaults === undefined ? {} : { defaults: createDefaults(description.defaults, moved) }),
    },
    seeds,
    sensitivity,
    ...(sweep ? { sweep: { snoozeDays: sweptDays, limited: [true, false], method: [method] } } : {}),
  };
}

function createCampaign(
  campaign: CampaignPart,
  { state, snoozeDays, limited, method }: Partial<ForecastInputs>,
): CampaignPart {
  const { includeTargets = [] } = campaign;
  const targets = includeTargets.length === 0 ? [everybody] : includeTargets;
  return {
    ...campaign,
    ...(state === undefined ? {} : { state }),
    ...(snoozeDays === undefined ? {} : { snoozeDurationInDays: snoozeDays }),
    ...(limited === undefined ? {} : { enforceRegistrationAfterAllowedSnoozes: limited }),
    ...(method === undefined
      ? {}
      : { includeTargets: targets.map((target) => ({ ...target, targetedAuthenticationMethod: method })) }),
  };
}

function createDefaults(defaults: Everyone, { signIn, register, close, failure }: Partial<ForecastInputs>): Everyone {
  const { weekdays = {} } = defaults.signIn ?? {};
  const [first = {}] = commonAnswers(defaults).skippable ?? [];
  const registers = register ?? first.register ?? 0;
  const closes = Math.min(close ?? first.close ?? 0, 1 - registers);
  return {
    ...defaults,
    ...(signIn === undefined
      ? {}
      : {
          signIn: {
            ...defaults.signIn,
            weekdays: { ...weekdays, ...Object.fromEntries(workingDays.map((day) => [day, signIn])) },
          },
        }),
    ...(register === undefined && close === undefined && failure === undefined
      ? {}
      : {
          answers: {
            ...defaults.answers,
            ...(register === undefined && close === undefined
              ? {}
              : { skippable: [{ register: registers, close: closes, skip: Math.max(0, 1 - registers - closes) }] }),
            ...(failure === undefined ? {} : { failure: [failure] }),
            // The server reports incomplete probabilities, so the type is asserted here.
          } as Everyone['answers'],
        }),
  };
}

function commonAnswers(defaults: Everyone | undefined): Partial<CommonAnswers> {
  return (defaults?.answers ?? {}) as Partial<CommonAnswers>;
}

const numbers = ['snoozeDays', 'days', 'users', 'seeds', 'signIn', 'register', 'close', 'failure'] as const;
const switches = ['limited', 'sweep', 'sensitivity'] as const;
const words = ['state', 'method'] as const;

/** Reads the changed inputs from the query parameters of a URL. */
export function changedInputs(address: URLSearchParams): Partial<ForecastInputs> {
  const read = <T>(names: readonly string[], of: (text: string) => T): readonly (readonly [string, T])[] =>
    names.flatMap((name) => {
      const text = address.get(name);
      return text === null ? [] : [[name, of(text)] as const];
    });
  return Object.fromEntries([
    ...read(numbers, Number).filter(([, value]) => Number.isFinite(value)),
    ...read(switches, (text) => text === 'true'),
    ...read(words, String),
  ]);
}
