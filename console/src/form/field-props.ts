import type { FormSchema } from './form-schema.ts';

/** Properties of a field that edits one value. */
export interface FieldProps {
  /** Path of the value in the edited object, such as `snooze.count`. */
  readonly path: string;
  readonly label: string;
  readonly schema: FormSchema;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly value: unknown;
  /** Receives the new value; `undefined` removes the key. */
  readonly onChange: (value: unknown) => void;
}
