import type { Browser, MfaMethod, MfaProvider, OperatingSystem, Surface } from '../../../machines/vocabulary.ts';
import { mfaMethods } from '../../../machines/vocabulary.ts';
import type { Confidence, ImportMapping, SignInValues } from '../../contract/import-mapping.schema.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { deviceCode, factorCode } from '../attempt-code.ts';
import { sameName } from './columns.ts';
import { KnownFacts } from './known-facts.ts';

/** Properties of a row, each with a bit for its index; the bits of an attempt's rows are combined. */
const rowFlags = [
  'success',
  'interrupted',
  'factor',
  'sso',
  'registers',
  'termsOfUse',
  'customControls',
  'promptSkippable',
  'promptRequired',
  'interactive',
  'guest',
  'unclear',
  'noUser',
  'registrationBlocked',
  'registrationUnmet',
] as const;

/** Bit of each property by name, the only definition of these bits. */
export const rowFlag = Object.fromEntries(rowFlags.map((name, place) => [name, 2 ** place])) as Readonly<
  Record<(typeof rowFlags)[number], number>
>;

/** Bits of rows that end an attempt: a success, or a prompt without one. */
export const reachedEnd = rowFlag.success | rowFlag.promptSkippable | rowFlag.promptRequired;

/** Row values from which facts are derived; equal combinations are read once. */
export interface RowValues {
  readonly os: string | null;
  readonly browser: string | null;
  readonly clientApp: string | null;
  readonly userType: string | null;
  readonly crossTenantAccess: string | null;
  readonly issuer: string | null;
  readonly interactive: string | null;
  readonly eventTypes: string | null;
  readonly incomingToken: string | null;
  readonly requirement: string | null;
  readonly details: string | null;
  readonly detailMethod: string | null;
  readonly accessPolicies: string | null;
  readonly errorCode: string | null;
  readonly facts: string | null;
}

/** Facts derived from a row. */
export interface RowFacts {
  readonly device: number;
  readonly factor: number;
  readonly flags: number;
  /** Number of the known facts of the user and the tenant, from 1; 0 without an annotation. */
  readonly known: number;
  /** Inferences with their confidence. */
  readonly inferred: readonly Inference[];
  readonly unknown: readonly UnknownValue[];
}

export interface Inference {
  readonly fact: string;
  readonly confidence: Confidence;
}

export interface UnknownValue {
  readonly field: string;
  readonly value: string;
}

/** Maximum length of displayed field values in characters. */
const valueCharactersMax = 200;

/** Maximum length of displayed invalid JSON in characters. */
const brokenCharactersMax = 60;

interface Word<W> {
  readonly is: W;
  readonly confidence: Confidence;
}

/** Derives facts from rows by a mapping: one result per value combination, with its evidence. */
export class RowReader {
  readonly #mapping: ImportMapping['signIns'];
  readonly #known = new Map<string, Word<string> | null>();
  readonly #facts: KnownFacts;
  #inferred: Inference[] = [];
  #unknown: UnknownValue[] = [];

  /** Creates a reader. `facts` collects the facts of annotations. */
  constructor({ signIns }: ImportMapping, facts: KnownFacts = new KnownFacts()) {
    this.#mapping = signIns;
    this.#facts = facts;
  }

  /** Derives the facts of a row from its values. */
  read(values: RowValues): RowFacts {
    this.#inferred = [];
    this.#unknown = [];
    const annotated = this.#readAnnotation(values);
    if (annotated !== null) return annotated;
    const device = this.#device(values);
    const code = this.#code(values.errorCode);
    const crossTenant = this.#word('crossTenant', values.crossTenantAccess)?.is ?? 'own';
    const isGuest = crossTenant === 'guest' || this.#word('userType', values.userType)?.is === 'guest';
    const { factor, sso, isInteractive } = this.#factor(values, { isHome: crossTenant === 'guest', code });
    const flags =
      code.flags |
      this.#accessFlags(values.accessPolicies) |
      (factor === null ? 0 : rowFlag.factor) |
      (sso ? rowFlag.sso : 0) |
      (isInteractive ? rowFlag.interactive : 0) |
      (isGuest ? rowFlag.guest : 0) |
      (this.#isWithoutUser(values.eventTypes) ? rowFlag.noUser : 0);
    const isUnclear = this.#inferred.some(({ confidence }) => confidence === 'low');
    return {
      device,
      factor: factorCode(factor),
      flags: flags | (isUnclear ? rowFlag.unclear : 0),
      known: 0,
      inferred: this.#inferred,
      unknown: this.#unknown,
    };
  }

  /** Derives the facts of a row from its annotation (DIR76). Returns `null` without a valid one. */
  #readAnnotation({ facts, errorCode }: RowValues): RowFacts | null {
    if (facts === null || facts.trim() === '') return null;
    const known = this.#facts.read(facts);
    if (known === null) {
      this.#unknown.push({ field: 'facts', value: facts.slice(0, brokenCharactersMax) });
      return null;
    }
    const { attempt, moment } = known;
    const { conditionalAccess: access, mfa, ssoSession, termsOfUse, customControls } = attempt;
    const hasFactor = mfa.completed && !ssoSession;
    const flags =
      this.#code(errorCode).flags |
      (hasFactor ? rowFlag.factor : 0) |
      (ssoSession ? rowFlag.sso : 0) |
      (attempt.registeredThisSession ? rowFlag.registers : 0) |
      (termsOfUse ? rowFlag.termsOfUse : 0) |
      (customControls ? rowFlag.customControls : 0) |
      (access.registrationPageBlocked ? rowFlag.registrationBlocked : 0) |
      (access.registrationConditionMet ? 0 : rowFlag.registrationUnmet);
    return {
      device: deviceCode(attempt.os, attempt.browser, attempt.surface),
      factor: factorCode(hasFactor ? mfa : null),
      flags,
      known: moment,
      inferred: [],
      unknown: this.#unknown,
    };
  }

  #device({ os, browser, clientApp }: RowValues): number {
    const system = this.#word('os', os)?.is ?? this.#guessed<OperatingSystem>('os', 'unknown');
    const app = this.#word('surface', clientApp)?.is ?? null;
    const shown = this.#word('browser', browser)?.is ?? null;
    const program: Browser | null = shown === null || shown === 'none' ? null : shown;
    const surface = app === 'native-app' && program === null ? 'native-app' : (app ?? this.#getSurface(program));
    // A non-browser client with a browser name shows the pages in an embedded view.
    const seen: Surface =
      surface === 'native-app' && program !== null ? this.#guessed('surface', 'embedded-app') : surface;
    return deviceCode(
      system,
      program ?? (seen === 'browser' ? this.#guessed<Browser>('browser', 'other') : null),
      seen,
    );
  }

  #getSurface(browser: Browser | null): Surface {
    return this.#guessed<Surface>('surface', browser === null ? 'native-app' : 'browser');
  }

  /** Reads a result code. A prompt counts as a success here, because it is shown only after the second factor. */
  #code(text: string | null): { readonly flags: number; readonly isExternal: boolean; readonly isSuccess: boolean } {
    const key = text === null || text.trim() === '' ? null : text.trim().replace(/\.0+$/, '');
    const known = key === null ? undefined : this.#mapping.codes[key];
    if (known === undefined) {
      if (key === null) this.#guessed('errorCode', 'success');
      else this.#unknown.push({ field: 'errorCode', value: key });
      return { flags: key === null ? rowFlag.success : rowFlag.unclear, isExternal: false, isSuccess: key === null };
    }
    if (known.confidence === 'low') this.#infer('errorCode', 'low');
    const flags =
      (known.is === 'success' ? rowFlag.success : 0) |
      (known.is === 'interrupted' ? rowFlag.interrupted : 0) |
      (known.means === 'registers' ? rowFlag.registers : 0) |
      (known.means === 'prompt-skippable' ? rowFlag.promptSkippable : 0) |
      (known.means === 'prompt-required' ? rowFlag.promptRequired : 0);
    return { flags, isExternal: known.means === 'external', isSuccess: (flags & reachedEnd) !== 0 };
  }

  #factor(
    values: RowValues,
    { isHome, code }: { readonly isHome: boolean; readonly code: { isExternal: boolean; isSuccess: boolean } },
  ): { readonly factor: Factor | null; readonly sso: boolean; readonly isInteractive: boolean } {
    const isInteractive = this.#isInteractive(values);
    const steps = this.#steps(values);
    const isForeign = code.isExternal || this.#word('issuer', values.issuer)?.is === 'foreign';
    const second = steps.filter(isSecondStep).at(-1);
    const satisfied = steps.filter(({ method }) => method === 'previously-satisfied');
    const remembered = satisfied.length > 0;
    // A noninteractive row has no user action, so any second factor in it was completed earlier (A22).
    if (!isInteractive) return { factor: null, sso: code.isSuccess, isInteractive };
    if (second !== undefined) {
      const provider = isForeign || second.method === 'external' ? 'external' : 'service';
      return { factor: { provider, method: ownMethod(second.method) }, sso: false, isInteractive };
    }
    // The step of a session names the first factor, and that of the home tenant the second one.
    if (isHome && remembered && !satisfied.every(({ isFirst }) => isFirst)) {
      this.#infer('mfa.provider', 'low');
      return { factor: { provider: 'home-tenant', method: null }, sso: false, isInteractive };
    }
    if (isForeign && code.isSuccess) {
      this.#infer('mfa.provider', 'low');
      return { factor: { provider: 'external', method: null }, sso: false, isInteractive };
    }
    const isMulti = this.#word('requirement', values.requirement)?.is === 'multi';
    if (isMulti && code.isSuccess && steps.length === 0) {
      this.#infer('mfa.method', 'low');
      return { factor: { provider: 'service', method: null }, sso: false, isInteractive };
    }
    return { factor: null, sso: code.isSuccess && remembered, isInteractive };
  }

  #isInteractive({ interactive, eventTypes }: RowValues): boolean {
    const flag = interactive?.trim().toLowerCase();
    if (flag === 'true' || flag === '1' || flag === 'yes' || flag === 'interactive') return true;
    if (flag === 'false' || flag === '0' || flag === 'no' || flag === 'non-interactive') return false;
    const types = toList(eventTypes).map((type) => this.#word('eventType', type)?.is);
    if (types.includes('interactive')) return true;
    if (types.includes('non-interactive')) return false;
    this.#infer('interactive', 'low');
    return true;
  }

  #isWithoutUser(eventTypes: string | null): boolean {
    return toList(eventTypes).some((type) => this.#word('eventType', type)?.is === 'no-user');
  }

  #steps({ details, detailMethod }: RowValues): readonly Step[] {
    const { method, succeeded, requirement } = this.#mapping.detailFields;
    const steps = this.#objects('details', details).flatMap((step): readonly Step[] => {
      const name = textAt(step, method);
      const word = name === null ? null : this.#word('method', name);
      if (word === null) return [];
      const factor = this.#word('multiFactorRequirement', textAt(step, requirement))?.is ?? null;
      const isDone = isTrue(valueAt(step, succeeded));
      return [{ method: word.is, isFirst: factor === 'first', isSecond: factor === 'second', succeeded: isDone }];
    });
    if (steps.length > 0 || detailMethod === null || detailMethod.trim() === '') return steps;
    const word = this.#word('method', detailMethod);
    this.#infer('mfa.method', 'low');
    return word === null ? [] : [{ method: word.is, isFirst: false, isSecond: true, succeeded: true }];
  }

  #accessFlags(policies: string | null): number {
    const { grants, result } = this.#mapping.policyFields;
    let flags = 0;
    for (const policy of this.#objects('accessPolicies', policies)) {
      const outcome = this.#word('accessResult', textAt(policy, result))?.is;
      if (outcome !== 'applied') continue;
      for (const grant of toList(valueAt(policy, grants))) {
        const meaning = this.#word('grant', grant)?.is;
        if (meaning === 'terms-of-use') flags |= rowFlag.termsOfUse;
        if (meaning === 'custom-controls') flags |= rowFlag.customControls;
      }
    }
    return flags;
  }

  /** Parses a list of objects from JSON text, and reports invalid text. */
  #objects(field: string, text: string | null): readonly Record<string, unknown>[] {
    const isText = text !== null && text.trim() !== '';
    if (isText && parseJson(text) === null && text.trim() !== 'null') {
      this.#unknown.push({ field, value: text.slice(0, brokenCharactersMax) });
    }
    return parseObjects(text);
  }

  /** Returns the term that a value maps to; `null` if the value is empty or unknown. Unknown values are reported. */
  #word<F extends keyof SignInValues>(field: F, value: string | null): SignInValues[F][number] | null {
    const text = value?.trim() ?? '';
    if (text === '') return null;
    const key = `${field}\u001f${text}`;
    let word = this.#known.get(key);
    if (word === undefined) {
      const words: readonly (Word<string> & { readonly match: string })[] = this.#mapping.values[field];
      word = words.find(({ match }) => new RegExp(match, 'i').test(text)) ?? null;
      this.#known.set(key, word);
    }
    if (word === null) this.#unknown.push({ field, value: text.slice(0, valueCharactersMax) });
    else if (word.confidence === 'low') this.#infer(field, 'low');
    return word as SignInValues[F][number] | null;
  }

  #guessed<T>(fact: string, value: T): T {
    this.#infer(fact, 'low');
    return value;
  }

  #infer(fact: string, confidence: Confidence): void {
    if (!this.#inferred.some((known) => known.fact === fact)) this.#inferred.push({ fact, confidence });
  }
}

interface Factor {
  readonly provider: MfaProvider;
  readonly method: MfaMethod | null;
}

interface Step {
  readonly method: SignInValues['method'][number]['is'];
  readonly isFirst: boolean;
  readonly isSecond: boolean;
  readonly succeeded: boolean;
}

/** Checks whether a step completed the second factor: it was requested as one, or its method always is one. */
function isSecondStep({ method, isSecond, succeeded }: Step): boolean {
  if (!succeeded || method === 'previously-satisfied' || method === 'first-factor') return false;
  return isSecond || method === 'passkey' || method === 'external' || ownMethod(method) !== null;
}

function ownMethod(method: string): MfaMethod | null {
  return mfaMethods.find((known) => known === method) ?? null;
}

function parseObjects(text: string | null): readonly Record<string, unknown>[] {
  const value = parseJson(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'string' ? parseJson(item) : item)).filter(isPlainObject);
}

function toList(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string' || value.trim() === '') return [];
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed.map(String) : value.split(/[;,]/).map((item) => item.trim());
}

function valueAt(object: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const name of names) {
    const key = Object.keys(object).find((candidate) => sameName(candidate) === sameName(name));
    if (key !== undefined) return object[key];
  }
  return undefined;
}

function textAt(object: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  const value = valueAt(object, names);
  return value === undefined || value === null ? null : String(value);
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(true|yes|1|success)/i.test(value));
}

function parseJson(text: string | null): unknown {
  if (text === null || text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
