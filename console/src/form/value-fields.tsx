import { useId } from 'react';
import { factorLabels, formatCode } from '../parts/labels.ts';
import type { FieldProps } from './field-props.ts';
import { useField } from './form-context.ts';
import { InstantInput } from './instant-input.tsx';
import { LabelledField } from './labelled-field.tsx';

/** Renders a boolean as a switch. */
export function SwitchField({ path, label, schema, value, onChange }: FieldProps) {
  const { message } = useField(path);
  const hintId = useId();
  return (
    <div className="form-field">
      <label className="switch">
        <input
          type="checkbox"
          checked={(value ?? schema.default ?? false) === true}
          aria-describedby={hintId}
          aria-invalid={message !== null}
          onChange={({ target }) => onChange(target.checked)}
        />
        {label}
      </label>
      <p id={hintId} className={message === null ? 'hint' : 'field-fault'}>
        {message ?? schema.description}
      </p>
    </div>
  );
}

/** Renders one of several fixed values. */
export function ChoiceField({ path, label, schema, isRequired, value, onChange }: FieldProps) {
  const { message } = useField(path);
  const values = (schema.enum ?? []).map(String);
  const isOpen = !isRequired && schema.default === undefined;
  return (
    <LabelledField label={label} hint={schema.description} message={message}>
      {(attributes) => (
        <select
          {...attributes}
          value={String(value ?? schema.default ?? '')}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        >
          {(isOpen || (isRequired && value === undefined)) && (
            <option value="">{isOpen ? 'Not set' : 'Choose …'}</option>
          )}
          {values.map((one) => (
            <option key={one} value={one}>
              {factorLabels[one] ?? formatCode(one)}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** Renders a number. An empty field removes the key, or is `null` if the schema allows it. */
export function NumberField({ path, label, schema, isNullable, value, onChange }: FieldProps) {
  const { message } = useField(path);
  return (
    <LabelledField label={label} hint={schema.description} message={message}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          step={schema.type === 'integer' ? 1 : 'any'}
          min={schema.minimum}
          value={typeof value === 'number' ? value : ''}
          placeholder={typeof schema.default === 'number' ? String(schema.default) : undefined}
          onChange={({ target }) =>
            onChange(target.value === '' ? (isNullable ? null : undefined) : Number(target.value))
          }
        />
      )}
    </LabelledField>
  );
}

/** Renders an instant in milliseconds. */
export function InstantField({ path, label, schema, value, onChange }: FieldProps) {
  const { message } = useField(path);
  return <InstantInput label={label} hint={schema.description} message={message} value={value} onChange={onChange} />;
}

/** Renders a text with suggestions, if the form has any for its key. */
export function TextField({ path, label, schema, value, onChange }: FieldProps) {
  const { message, suggestions } = useField(path);
  const listId = useId();
  return (
    <LabelledField label={label} hint={schema.description} message={message}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            list={suggestions.length === 0 ? undefined : listId}
            autoComplete="off"
            spellCheck={false}
            value={typeof value === 'string' ? value : ''}
            placeholder={typeof schema.default === 'string' ? schema.default : undefined}
            onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
          />
          {suggestions.length > 0 && (
            <datalist id={listId}>
              {suggestions.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </LabelledField>
  );
}
