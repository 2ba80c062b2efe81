import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isRefusal } from '../control/control-client.ts';
import { formatCount } from '../parts/labels.ts';
import { Failure } from '../parts/query-result.tsx';
import { assignProblems } from './field-problems.ts';
import { FormContext } from './form-context.ts';
import type { FormSchema, FormValue } from './form-schema.ts';
import { JsonValue } from './json-value.tsx';
import { ObjectFields } from './schema-fields.tsx';

/**
 * Renders a form for an object, derived from its schema. The problems of a rejected request are shown at their fields,
 * and the first of these fields gets the focus.
 */
export function SchemaForm({
  label,
  schema,
  value,
  error,
  prefix = '',
  hidden = [],
  suggestions = {},
  before,
  children,
  onChange,
  onSubmit,
}: {
  readonly label: string;
  readonly schema: FormSchema;
  readonly value: FormValue;
  /** Error of the latest request. */
  readonly error: Error | null;
  /** Path of the object in the request body, such as `faults.2`. */
  readonly prefix?: string;
  /** Keys that the form does not show. The JSON of the object has them. */
  readonly hidden?: readonly string[];
  /** Suggested texts by key. */
  readonly suggestions?: Readonly<Record<string, readonly string[]>>;
  /** Fields before those of the schema. */
  readonly before?: ReactNode;
  /** Buttons at the end. */
  readonly children: ReactNode;
  readonly onChange: (value: FormValue) => void;
  readonly onSubmit: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [paths, setPaths] = useState<readonly string[]>([]);
  const addField = useCallback((path: string) => {
    setPaths((known) => [...known, path]);
    return () => setPaths((known) => known.toSpliced(known.indexOf(path), 1));
  }, []);
  const problems = isRefusal(error) ? error.refusal.problems : [];
  const { atFields, others } = assignProblems(problems, paths, prefix);
  const messages = JSON.stringify([...atFields]);
  const context = useMemo(
    () => ({ messages: new Map(JSON.parse(messages) as [string, string][]), suggestions, hidden, addField }),
    [messages, suggestions, hidden, addField],
  );
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <FormContext value={context}>
      <form
        ref={form}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {before}
        <ObjectFields schema={schema} value={value} onChange={onChange} />
        <JsonValue value={value} onChange={onChange} />
        {atFields.size > 0 && others.length === 0 ? (
          <p className="failure" role="alert">
            {formatCount(atFields.size, 'field')} above {atFields.size === 1 ? 'has' : 'have'} an invalid value.
          </p>
        ) : (
          <Failure of={error} />
        )}
        <div className="buttons">{children}</div>
      </form>
    </FormContext>
  );
}
