import { useContext } from 'react';
import { SelectField } from '../parts/select-field.tsx';
import type { FieldProps } from './field-props.ts';
import { FormContext, useField } from './form-context.ts';
import {
  describeField,
  describeKey,
  type FormSchema,
  type FormValue,
  labelKey,
  listFields,
  withKey,
} from './form-schema.ts';
import { FieldGroup } from './labelled-field.tsx';
import { ChoicesField, TextsField } from './list-fields.tsx';
import { ChoiceField, InstantField, NumberField, SwitchField, TextField } from './value-fields.tsx';

/** Renders the fields of all keys of an object schema. */
export function ObjectFields({
  schema,
  value,
  path = '',
  onChange,
}: {
  readonly schema: FormSchema;
  readonly value: FormValue;
  readonly path?: string;
  readonly onChange: (value: FormValue) => void;
}) {
  const { hidden } = useContext(FormContext);
  return (
    <div className="form-fields">
      {listFields(schema, hidden).map(([key, field]) => (
        <SchemaField
          key={key}
          name={key}
          path={path === '' ? key : `${path}.${key}`}
          schema={field}
          isRequired={schema.required?.includes(key) === true}
          value={value[key]}
          onChange={(changed) => onChange(withKey(value, key, changed))}
        />
      ))}
    </div>
  );
}

function SchemaField({
  name,
  schema: given,
  ...props
}: Omit<FieldProps, 'label' | 'isNullable'> & { readonly name: string }) {
  const { kind, schema: described, isNullable } = describeField(name, given);
  const description = describeKey(name, described);
  const schema = description === undefined ? described : { ...described, description };
  const Field = fields[kind];
  return <Field {...props} label={labelKey(name)} schema={schema} isNullable={isNullable} />;
}

/** Renders a list of objects, each with the fields of its keys. */
function ListField({ path, label, schema, value, onChange }: FieldProps) {
  const { message } = useField(path);
  const rows = Array.isArray(value) ? (value as readonly FormValue[]) : [];
  const items = schema.items ?? {};
  const one = label.replace(/s$/, '');
  return (
    <FieldGroup label={label} hint={schema.description} message={message}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id, and fields hold no state of their own.
        <FieldGroup key={index} label={`${one} ${index + 1}`} message={null}>
          <ObjectFields
            schema={items}
            path={`${path}.${index}`}
            value={row}
            onChange={(changed) => onChange(rows.with(index, changed))}
          />
          <button type="button" onClick={() => onChange(rows.toSpliced(index, 1))}>
            Remove {one.toLowerCase()} {index + 1}
          </button>
        </FieldGroup>
      ))}
      <button type="button" onClick={() => onChange([...rows, createRow(items)])}>
        Add {one.toLowerCase()}
      </button>
    </FieldGroup>
  );
}

/** Creates a new object with the first value of each required list of values. */
function createRow({ properties = {}, required = [] }: FormSchema): FormValue {
  return Object.fromEntries(
    required.flatMap((key) => (properties[key]?.enum ?? []).slice(0, 1).map((one) => [key, one])),
  );
}

/** Renders a value that is one of several objects, which their required keys tell apart. */
function VariantsField({ path, label, schema, value, onChange }: FieldProps) {
  const { message } = useField(path);
  const variants = schema.anyOf ?? [];
  const keys = variants.map(({ required = [] }) => required[0] ?? '');
  const held = (value ?? {}) as FormValue;
  const chosen = Math.max(
    0,
    keys.findIndex((key) => key in held),
  );
  const variant = variants[chosen];
  return (
    <FieldGroup label={label} hint={schema.description} message={message}>
      <SelectField
        label="Form"
        value={String(chosen)}
        options={keys.map((key, index) => [String(index), labelKey(key)] as const)}
        onChange={(index) => onChange(createVariant(variants[Number(index)]))}
      />
      {variant !== undefined && <ObjectFields schema={variant} path={path} value={held} onChange={onChange} />}
    </FieldGroup>
  );
}

/** Creates a new object of a variant with the smallest value of its first required number. */
function createVariant({ properties = {}, required = [] }: FormSchema = {}): FormValue {
  const [key = ''] = required;
  return { [key]: properties[key]?.minimum };
}

function GroupField({ path, label, schema, value, onChange }: FieldProps) {
  const { message } = useField(path);
  return (
    <FieldGroup label={label} hint={schema.description} message={message}>
      <ObjectFields schema={schema} path={path} value={(value ?? {}) as FormValue} onChange={onChange} />
    </FieldGroup>
  );
}

/** A value without a form is edited in the JSON of the whole object. */
function NoField() {
  return null;
}

const fields = {
  switch: SwitchField,
  choice: ChoiceField,
  number: NumberField,
  instant: InstantField,
  text: TextField,
  choices: ChoicesField,
  texts: TextsField,
  list: ListField,
  group: GroupField,
  variants: VariantsField,
  json: NoField,
} as const;
