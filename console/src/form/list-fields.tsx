import { useId, useState } from 'react';
import { factorLabels, formatCode } from '../parts/labels.ts';
import { SelectField } from '../parts/select-field.tsx';
import type { FieldProps } from './field-props.ts';
import { useField } from './form-context.ts';
import { FieldGroup } from './labelled-field.tsx';

/** Renders a list of fixed values as switches. The first chosen one is preferred and can be changed. */
export function ChoicesField({ path, label, schema, value, onChange }: FieldProps) {
  const { message } = useField(path);
  const all = (schema.items?.enum ?? []).map(String);
  const chosen = toTexts(value ?? schema.default);
  return (
    <FieldGroup label={label} hint={schema.description} message={message}>
      <div className="inputs">
        {all.map((one) => (
          <label className="switch" key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              aria-invalid={message !== null}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
              }
            />
            {factorLabels[one] ?? formatCode(one)}
          </label>
        ))}
      </div>
      {chosen.length > 1 && (
        <SelectField
          label="Preferred"
          value={chosen[0] ?? ''}
          options={chosen.map((one) => [one, factorLabels[one] ?? formatCode(one)] as const)}
          onChange={(first) => onChange([first, ...chosen.filter((other) => other !== first)])}
        />
      )}
    </FieldGroup>
  );
}

/**
 * Renders a list of texts, which can be added and removed one by one. The text in the input is already the last one of
 * the list, so it is not lost when the form is submitted without adding it.
 */
export function TextsField({ path, label, schema, value, onChange }: FieldProps) {
  const { message, suggestions } = useField(path);
  const [typed, setTyped] = useState('');
  // A draft that equals an entry of the list is not added, so the last entry is not always the draft.
  const [isAdded, setIsAdded] = useState(false);
  const inputId = useId();
  const listId = useId();
  const all = toTexts(value ?? schema.default);
  const draft = typed.trim();
  const texts = isAdded && all.at(-1) === draft ? all.slice(0, -1) : all;
  const type = (text: string): void => {
    setTyped(text);
    const isNew = text.trim() !== '' && !texts.includes(text.trim());
    setIsAdded(isNew);
    onChange(isNew ? [...texts, text.trim()] : texts);
  };
  const finishDraft = (): void => {
    setTyped('');
    setIsAdded(false);
  };
  return (
    <FieldGroup label={label} hint={schema.description} message={message}>
      <ul className="chips">
        {texts.map((text) => (
          <li key={text}>
            {text}
            <button
              type="button"
              aria-label={`Remove ${text} from ${label.toLowerCase()}`}
              onClick={() => onChange(all.filter((other) => other !== text))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className="filters">
        <div className="field">
          <label htmlFor={inputId}>Add to {label.toLowerCase()}</label>
          <input
            id={inputId}
            list={listId}
            value={typed}
            autoComplete="off"
            aria-invalid={message !== null}
            onChange={({ target }) => type(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || draft === '') return;
              event.preventDefault();
              finishDraft();
            }}
          />
          <datalist id={listId}>
            {suggestions.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
        <button type="button" disabled={draft === ''} onClick={finishDraft}>
          Add
        </button>
      </div>
    </FieldGroup>
  );
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
