import type { ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import type { Dialect } from '../directory-api/dialect.ts';
import {
  element,
  formatValue,
  type ItemReader,
  type Reader,
  Refusals,
  readOnly,
  section,
  word,
} from '../policy-reader.ts';
import { createTargetReaders, everybodyIsAGroup, type ResolveId, type TargetReaders } from '../policy-targets.ts';
import { createReaders, getInitial, readFlag } from './configuration-fields.ts';
import type { ConfigurationType } from './configuration-types.ts';
import type { MethodConfiguration, MethodTarget } from './method-configuration.ts';
import { isConfigurationContext } from './wire-configuration.ts';

/** Effect of a PATCH of a configuration. */
export interface ConfigurationChange {
  /** Configuration after the PATCH. It is the same object as before if nothing changes. */
  readonly after: MethodConfiguration;
  readonly problems: readonly ValidationProblem[];
}

/** Names by which requests of one tenant refer to types and objects. */
export interface ConfigurationNames {
  readonly dialect: Dialect;
  readonly resolveId: ResolveId;
}

const typeKey = '@odata.type';

/**
 * Reads the body of a PATCH of a configuration against the current one. Objects are merged, lists are replaced, and
 * read-only values can be repeated.
 *
 * @param isTypeRequired - `true` if the body must name its type, because the path does not determine it
 */
export function readConfiguration(
  type: ConfigurationType,
  body: unknown,
  current: MethodConfiguration,
  { dialect, resolveId, isTypeRequired }: ConfigurationNames & { readonly isTypeRequired: boolean },
): ConfigurationChange {
  const refusals = new Refusals();
  const read = createReader(type, dialect, createTargetReaders(resolveId));
  const wanted = `"${dialect.toWireType(type.name)}"`;
  if (isTypeRequired && isPlainObject(body) && !Object.hasOwn(body, typeKey)) {
    refusals.refuse(typeKey, `is missing; send ${wanted}`);
  }
  const after = read(withPlainTypes(body, dialect), current, '', refusals);
  return { after, problems: refusals.problems };
}

function createReader(type: ConfigurationType, dialect: Dialect, targets: TargetReaders): Reader<MethodConfiguration> {
  const readers: Record<string, Reader<unknown>> = {
    [typeKey]: (given, current, place, refusals) => {
      if (typeof given !== 'string' || dialect.fromWireType(given) !== type.name.toLowerCase()) {
        refusals.refuse(
          place,
          `${formatValue(given)} is not the type ${JSON.stringify(dialect.toWireType(type.name))}`,
        );
      }
      return current;
    },
    '@odata.context': readOnly(isConfigurationContext),
    'includeTargets@odata.context': readOnly(isConfigurationContext),
    id: readOnly(
      (given, current) => typeof given === 'string' && dialect.fromWire(given) === String(current).toLowerCase(),
    ),
    state: word(['enabled', 'disabled']) as Reader<unknown>,
    ...createReaders(type.fields, targets),
    excludeTargets: targets.list(targets.excludeTarget) as Reader<unknown>,
    includeTargets: targets.list(createTargetItem(type, targets)) as Reader<unknown>,
  };
  return section<MethodConfiguration>({
    typeName: type.name,
    readers: readers as Parameters<typeof section<MethodConfiguration>>[0]['readers'],
    ...(type.rule === undefined ? {} : { rule: type.rule }),
  });
}

/** Creates the reader of an include target. Fields that the request omits have their defaults. */
function createTargetItem(type: ConfigurationType, targets: TargetReaders): ItemReader<MethodTarget> {
  const defaults = { isRegistrationRequired: false, ...getInitial(type.targetFields) };
  const { targetType, id } = targets;
  const readers = {
    targetType,
    id,
    isRegistrationRequired: readFlag,
    ...createReaders(type.targetFields, targets),
  };
  const read = element<MethodTarget>({
    typeName: type.targetName,
    readers: readers as Parameters<typeof element<MethodTarget>>[0]['readers'],
    rule: everybodyIsAGroup,
  });
  return (given, known, place, refusals) =>
    read(
      isPlainObject(given) ? { ...defaults, ...given } : given,
      known ?? (defaults as MethodTarget),
      place,
      refusals,
    );
}

/** Replaces the types of nested objects by the names of the specification, which readers compare. */
function withPlainTypes(body: unknown, dialect: Dialect, isNested = false): unknown {
  if (Array.isArray(body)) return body.map((item) => withPlainTypes(item, dialect, true));
  if (!isPlainObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      key === typeKey && isNested && typeof value === 'string'
        ? dialect.fromWireType(value)
        : withPlainTypes(value, dialect, true),
    ]),
  );
}
