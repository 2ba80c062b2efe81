/** Problem of a rejected request. */
interface Problem {
  readonly location: string;
  readonly message: string;
}

/** Problems of a rejected request by the path of the field, and those that belong to no field. */
export interface FieldProblems {
  readonly atFields: ReadonlyMap<string, string>;
  readonly others: readonly Problem[];
}

/**
 * Assigns the problems of a rejected request to the fields of a form. The first part of a location names the body, and
 * `prefix` leads from there to the edited object. A problem inside a field, such as of one entry of a list, belongs to
 * the field.
 *
 * @param problems - problems of the response
 * @param fields - paths of the fields, such as `snooze.count`
 * @param prefix - path of the edited object in the body, such as `faults.2`
 */
export function assignProblems(problems: readonly Problem[], fields: readonly string[], prefix = ''): FieldProblems {
  const atFields = new Map<string, string>();
  const others: Problem[] = [];
  for (const problem of problems) {
    const path = getPath(problem.location, prefix);
    const field = path === null ? undefined : findField(path, fields);
    if (field === undefined) others.push(problem);
    else atFields.set(field, [...(atFields.has(field) ? [atFields.get(field)] : []), problem.message].join('; '));
  }
  return { atFields, others };
}

function getPath(location: string, prefix: string): string | null {
  const path = location.split('.').slice(1).join('.');
  if (prefix === '') return path;
  return path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : null;
}

/** Returns the longest path that is the location or leads to it. */
function findField(location: string, fields: readonly string[]): string | undefined {
  return fields
    .filter((field) => location === field || location.startsWith(`${field}.`))
    .toSorted((one, other) => other.length - one.length)[0];
}
