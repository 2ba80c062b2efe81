import { listProblems } from '../../contract/parse.ts';
import { propertiesSchema, type WrittenProperties } from '../../contract/properties.schema.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';
import type { Formula, Property } from './formula.ts';
import { isPlain } from './formula.ts';
import { readFormula } from './read-formula.ts';

/** Maximum size of a file of properties, in bytes. */
const propertiesBytesMax = 262_144;

/** Checks whether a name is that of a file of properties: `NAME.properties.yaml` or `NAME.properties.json`. */
export function isPropertiesFile(name: string): boolean {
  return /\.properties\.(yaml|yml|json)$/.test(name);
}

/**
 * Reads a file of properties.
 *
 * @param path - path of the file
 * @param displayPath - path that problems name
 * @returns the properties, in the order of the file
 * @throws NudgeLabError `property-invalid` with every problem as `file:line:column`, and `file-unreadable`
 */
export function readPropertiesFile(path: string, displayPath: string): readonly Property[] {
  let source: YamlSource;
  try {
    source = YamlSource.ofFile(path, displayPath, propertiesBytesMax);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', { message: `${displayPath} cannot be read: ${reason}.`, cause });
  }
  return readProperties(source);
}

/**
 * Reads the text of a file of properties.
 *
 * @param displayPath - path that problems name
 * @param text - the text
 * @returns the properties, in the order of the text
 * @throws NudgeLabError `property-invalid` with every problem as `file:line:column`
 */
export function readPropertiesText(displayPath: string, text: string): readonly Property[] {
  return readProperties(new YamlSource(displayPath, text));
}

function readProperties(source: YamlSource): readonly Property[] {
  if (source.problems.length > 0) throw new NudgeLabError('property-invalid', { problems: source.problems });
  const parsed = propertiesSchema.safeParse(source.data);
  if (!parsed.success) {
    const problems = listProblems(propertiesSchema, parsed.error, source.data, '').map(({ message, location }, at) => {
      const path = parsed.error.issues[at]?.path ?? [];
      const key = location.replace(/^\./, '');
      return { location: source.place(path), message: key === '' ? message : `${key}: ${message}` };
    });
    throw new NudgeLabError('property-invalid', { problems });
  }
  return new PropertiesReader(source, parsed.data).read();
}

class PropertiesReader {
  readonly #source: YamlSource;
  readonly #data: WrittenProperties;
  readonly #problems: ValidationProblem[] = [];

  constructor(source: YamlSource, data: WrittenProperties) {
    this.#source = source;
    this.#data = data;
  }

  read(): readonly Property[] {
    const properties = this.#data.properties.map((written, at) => this.#readProperty(written, ['properties', at]));
    const ids = properties.map(({ id }) => id);
    for (const [at, id] of ids.entries()) {
      if (ids.indexOf(id) < at) this.#add(['properties', at, 'id'], `"${id}" is the id of another property`);
    }
    if (this.#problems.length > 0) throw new NudgeLabError('property-invalid', { problems: this.#problems });
    return properties;
  }

  #readProperty(
    { id, title, covers, machine, fair, property }: WrittenProperties['properties'][number],
    path: readonly PropertyKey[],
  ): Property {
    return {
      id,
      title,
      covers,
      machine: machine ?? this.#data.machine ?? null,
      fair: fair.map((condition, at) => this.#readFair(condition, [...path, 'fair', at])),
      formula: this.#readFormula(property, [...path, 'property']),
      locate: (part) => this.#source.place(part ?? path),
    };
  }

  #readFair(condition: unknown, path: readonly PropertyKey[]): Formula {
    if (condition === 'clock') return { kind: 'time', path };
    const formula = this.#readFormula(condition, path);
    if (!isPlain(formula)) this.#add(path, 'must be a condition without operators over time');
    return formula;
  }

  #readFormula(value: unknown, path: readonly PropertyKey[]): Formula {
    return readFormula(value, path, {
      add: (at, message) => this.#add(at, message),
      addKey: (at, message) => this.#problems.push({ location: this.#source.keyPlace(at), message }),
    });
  }

  #add(path: readonly PropertyKey[], message: string): void {
    this.#problems.push({ location: this.#source.place(path), message });
  }
}
