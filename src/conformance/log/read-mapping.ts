import {
  type ConformanceMapping,
  conformanceMappingSchema,
  logEventKinds,
  otherEventKinds,
} from '../../contract/conformance.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';
import { rememberSource } from './mapping-faults.ts';
import { isTimeFormat, namedFormats } from './time-format.ts';

/** Maximum size of a mapping in bytes. */
const mappingBytesMax = 262_144;

/**
 * Reads the mapping of a log.
 *
 * @param path - path of the file
 * @param displayPath - path that problems name
 * @returns the mapping with its defaults
 * @throws NudgeLabError `mapping-invalid` with every problem as `file:line:column`, and `file-unreadable`
 */
export function readMappingFile(path: string, displayPath: string): ConformanceMapping {
  let source: YamlSource;
  try {
    source = YamlSource.ofFile(path, displayPath, mappingBytesMax);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${displayPath} cannot be read: ${reason}.`, cause });
  }
  return readMapping(source);
}

/** Reads the text of a mapping. Throws like `readMappingFile`. */
export function readMappingText(displayPath: string, text: string): ConformanceMapping {
  return readMapping(new YamlSource(displayPath, text));
}

function readMapping(source: YamlSource): ConformanceMapping {
  if (source.problems.length > 0) throw new NudgeLabError('mapping-invalid', { problems: source.problems });
  const parsed = conformanceMappingSchema.safeParse(source.data);
  const problems = parsed.success ? checkMapping(parsed.data, source) : listFaults(parsed.error, source);
  if (!parsed.success || problems.length > 0) throw new NudgeLabError('mapping-invalid', { problems });
  rememberSource(parsed.data, source);
  return parsed.data;
}

type Fault = Parameters<typeof listProblems>[1];

function listFaults(error: Fault, source: YamlSource): readonly ValidationProblem[] {
  return listProblems(conformanceMappingSchema, error, source.data, '').map(({ message, location }, at) => {
    const issue = error.issues[at];
    const path = issue?.path ?? [];
    const [unknown] = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const place = unknown === undefined ? source.place(path) : source.keyPlace([...path, unknown]);
    const key = location.replace(/^\./, '');
    const isKind = path[0] === 'event' && path[1] === 'values';
    const text = isKind ? describeKind(valueAt(source.data, path), message) : message;
    return { location: place, message: key === '' ? text : `${key}: ${text}` };
  });
}

/** Describes a value that is no kind of event; the schema lists its alternatives without the nearest one. */
function describeKind(value: unknown, message: string): string {
  if (typeof value !== 'string') return message;
  const kinds = [...logEventKinds, ...otherEventKinds];
  return `${JSON.stringify(value)} is not one of ${kinds.join(', ')}${suggestName(value, kinds)}`;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], data);
}

function checkMapping(mapping: ConformanceMapping, source: YamlSource): readonly ValidationProblem[] {
  const problems: ValidationProblem[] = [];
  const add = (path: readonly PropertyKey[], message: string): void => {
    problems.push({ location: source.place(path), message: `${path.join('.')}: ${message}` });
  };
  const { time, event, policy, policyFields } = mapping;
  if (!isTimeFormat(time.format)) {
    const known = `${namedFormats.join(', ')}, or a pattern with yyyy, MM and dd`;
    add(['time', 'format'], `${JSON.stringify(time.format)} is not ${known}${suggestName(time.format, namedFormats)}`);
  }
  const kinds = Object.values(event.values).flat();
  const inLog = kinds.includes('policy-changed');
  if (kinds.every((kind) => kind === 'ignored')) add(['event', 'values'], 'must give at least one value a meaning');
  if (inLog && policy.changes.length > 0) {
    add(['policy', 'changes'], 'must be empty if a value means policy-changed: the log states the changes');
  }
  if (inLog && Object.keys(policyFields).length === 0) {
    add(['event', 'values'], 'has a value that means policy-changed, so policyFields must name a column');
  }
  let before = Number.NEGATIVE_INFINITY;
  for (const [at, change] of policy.changes.entries()) {
    const atMs = parseInstant(change.at);
    if (atMs === null) add(['policy', 'changes', at, 'at'], `${JSON.stringify(change.at)} is not an ISO 8601 instant`);
    else if (atMs < before) add(['policy', 'changes', at, 'at'], 'is before the change above it');
    before = atMs ?? before;
  }
  return problems;
}
