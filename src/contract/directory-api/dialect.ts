import type { ErrorAspect } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { BuiltInDialect } from './built-in-dialects.ts';
import type { DialectData, DialectFile } from './dialect.schema.ts';
import { entraDialectFile } from './dialects/entra-dialect.ts';
import { seedDialectData } from './dialects/seed-dialect.ts';

/** Properties that responses contain without a value: single values are `null`, and lists are empty. */
export type NotSimulatedProperties = DialectData['userProperties'];

/** Area of the API that an error code can depend on. */
export type ErrorArea = 'directory' | 'policy' | 'methods' | 'reports' | 'logs';

const areas: readonly (readonly [ErrorArea, RegExp])[] = [
  ['policy', /\/policies(?:\/|$)/i],
  ['reports', /\/reports(?:\/|$)/i],
  ['logs', /\/auditlogs(?:\/|$)/i],
  ['methods', /\/authentication(?:\/|$)/i],
];

/** Returns the area of a path, which may start with the path of the sandbox and the version. */
export function getErrorArea(path: string): ErrorArea {
  return areas.find(([, pattern]) => pattern.test(path))?.[0] ?? 'directory';
}

const mainWord = 'vendorAuthenticator';

/** Names that the APIs of a tenant use on the wire. Code uses the words of the specification, and converts them here. */
export class Dialect {
  readonly data: DialectData;
  /** Name of the authenticator app, which is also its value of a targeted method. */
  readonly authenticator: string;
  readonly #words: readonly (readonly [meant: string, wire: string])[];
  readonly #wireByName: ReadonlyMap<string, string>;
  readonly #nameByWire: ReadonlyMap<string, string>;

  /**
   * @param data - the complete data
   * @param authenticator - the tenant's own name for the authenticator app, if it has one
   */
  constructor(data: DialectData, authenticator?: string) {
    this.data = data;
    const words = authenticator === undefined ? data.words : { ...data.words, [mainWord]: authenticator };
    this.#words = Object.entries(words).filter(([meant, wire]) => meant !== wire);
    const named = [data.methodNames, data.reportNames, data.logWords].flatMap(Object.entries<string>);
    this.#wireByName = new Map(named);
    this.#nameByWire = new Map(named.map(([meant, wire]) => [wire.toLowerCase(), meant.toLowerCase()]));
    this.authenticator = this.toWire(mainWord);
  }

  /** Converts a name to the one in responses, such as `vendorAuthenticatorMethods`. */
  toWire(name: string): string {
    const whole = this.#wireByName.get(name);
    if (whole !== undefined) return whole;
    return this.#words.reduce(
      (text, [meant, wire]) => text.replaceAll(meant, wire).replaceAll(capitalize(meant), capitalize(wire)),
      name,
    );
  }

  /**
   * Converts a name in a request to the name of the specification, in lower case. The name of the specification itself
   * is also accepted.
   */
  fromWire(given: string): string {
    const lower = given.toLowerCase();
    const whole = this.#nameByWire.get(lower);
    if (whole !== undefined) return whole;
    const word = this.#words.find(([, wire]) => lower.startsWith(wire.toLowerCase()));
    return word === undefined ? lower : `${word[0].toLowerCase()}${lower.slice(word[1].length)}`;
  }

  /** Returns the name of a type with its namespace, as messages contain it. */
  toQualifiedType(type: string): string {
    return this.toWireType(type).replace(/^#/, '');
  }

  /** Returns the value of `@odata.type` for the name of a type. */
  toWireType(type: string): string {
    return `${this.data.typePrefix}${this.toWire(type)}`;
  }

  /** Returns the name of a type, in lower case, from a value of `@odata.type` in any namespace. */
  fromWireType(given: string): string {
    return this.fromWire(given.split(/[.#]/).at(-1) ?? '');
  }

  /** Returns the error code of a status. The most specific cause that has its own code takes precedence. */
  getErrorCode(status: number, area: ErrorArea, aspect: ErrorAspect | undefined): string {
    const codes = this.data.errorCodes[String(status)];
    if (codes === undefined) {
      const byClass = status < 500 ? this.data.errorCodes['400'] : undefined;
      return byClass === undefined ? 'internalError' : getDefault(byClass);
    }
    if (typeof codes === 'string') return codes;
    const causes = aspect === undefined ? [area] : [`${area}.${aspect}`, area, aspect];
    const cause = causes.find((one) => Object.hasOwn(codes, one));
    return cause === undefined ? codes.default : (codes[cause] ?? codes.default);
  }
}

function getDefault(codes: DialectData['errorCodes'][string]): string {
  return typeof codes === 'string' ? codes : codes.default;
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

const builtIn: Readonly<Record<BuiltInDialect, DialectData>> = {
  seed: seedDialectData,
  entra: completeDialect(entraDialectFile, seedDialectData),
};

/** Applies a file to the dialect that it changes. Tables are merged, and all other values are replaced. */
function completeDialect({ extends: _base, ...file }: DialectFile, base: DialectData): DialectData {
  const completed: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(file)) {
    const before = completed[key];
    if (value === undefined) continue;
    completed[key] = isPlainObject(value) && isPlainObject(before) ? { ...before, ...value } : value;
  }
  return completed as DialectData;
}

/** Settings of a tenant that its dialect depends on. */
interface DialectSettings {
  readonly authenticatorWireName: string;
  /** Name of a built-in dialect, or the content of a file that the schema of settings has checked. */
  readonly dialect?: BuiltInDialect | Readonly<Record<string, unknown>> | undefined;
}

const known = new WeakMap<DialectSettings, Dialect>();

/**
 * Returns the dialect of a tenant.
 *
 * @param settings - settings of the tenant. Its own name for the authenticator app takes precedence.
 */
export function getDialect(settings: DialectSettings): Dialect {
  let dialect = known.get(settings);
  if (dialect === undefined) {
    dialect = createDialect(settings);
    known.set(settings, dialect);
  }
  return dialect;
}

function createDialect({ dialect: setting = 'seed', authenticatorWireName }: DialectSettings): Dialect {
  const file = typeof setting === 'string' ? { extends: setting } : (setting as DialectFile);
  const data = completeDialect(file, builtIn[file.extends ?? 'seed']);
  return authenticatorWireName === mainWord ? new Dialect(data) : new Dialect(data, authenticatorWireName);
}

/** Dialect of the specification, which is the default. */
export const seedDialect = new Dialect(seedDialectData);
