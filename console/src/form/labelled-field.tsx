import { type ReactNode, useId } from 'react';

/** Attributes of the control of a labelled field. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** Renders a label, a control, its description, and the message of an invalid value. */
export function LabelledField({
  label,
  hint,
  message,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly message: string | null;
  readonly children: (attributes: ControlAttributes) => ReactNode;
}) {
  const id = useId();
  const describedBy = [message === null ? '' : `${id}-message`, hint === undefined ? '' : `${id}-hint`]
    .filter((name) => name !== '')
    .join(' ');
  return (
    <div className="field form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': message !== null })}
      <FieldNotes id={id} hint={hint} message={message} />
    </div>
  );
}

/** Renders a group of controls with a legend, its description, and the message of an invalid value. */
export function FieldGroup({
  label,
  hint,
  message,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly message: string | null;
  readonly children: ReactNode;
}) {
  const id = useId();
  const describedBy = [message === null ? '' : `${id}-message`, hint === undefined ? '' : `${id}-hint`]
    .filter((name) => name !== '')
    .join(' ');
  return (
    <fieldset aria-describedby={describedBy || undefined}>
      <legend>{label}</legend>
      <FieldNotes id={id} hint={hint} message={message} />
      {children}
    </fieldset>
  );
}

function FieldNotes({
  id,
  hint,
  message,
}: {
  readonly id: string;
  readonly hint: string | undefined;
  readonly message: string | null;
}) {
  return (
    <>
      {message !== null && (
        <p id={`${id}-message`} className="field-fault">
          {message}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </>
  );
}
