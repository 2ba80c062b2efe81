import { h, type VNode } from 'vue';

/** Creates a labelled choice of values. */
export function select<T extends string>(
  label: string,
  values: readonly T[],
  chosen: T,
  change: (value: T) => void,
): VNode {
  const onChange = (event: Event): void => {
    const value = values.find((one) => one === (event.target as HTMLSelectElement).value);
    if (value !== undefined) change(value);
  };
  return h('label', [
    h('span', label),
    h(
      'select',
      { value: chosen, onChange },
      values.map((value) => h('option', { value, selected: value === chosen }, value)),
    ),
  ]);
}

/** What an input field shows and does. */
export interface InputField {
  /** Id that no other field has. */
  readonly id: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'date';
  readonly value: string;
  /** Text below the field, such as the format of its value. */
  readonly hint?: string;
  readonly isInvalid?: boolean;
  readonly range?: { readonly min?: number | undefined; readonly max?: number | undefined };
  readonly change: (value: string) => void;
}

/** Creates a labelled input field. It reports its value when the reader leaves it. */
export function input({ id, label, type, value, hint, isInvalid = false, range = {}, change }: InputField): VNode {
  const onChange = (event: Event): void => change((event.target as HTMLInputElement).value);
  const hintId = `playground-hint-${id}`;
  const described = hint === undefined ? undefined : hintId;
  const field = { type, value, ...range, 'aria-invalid': isInvalid, 'aria-describedby': described, onChange };
  return h('div', [
    h('label', [h('span', label), h('input', field)]),
    hint === undefined ? null : h('small', { id: hintId }, hint),
  ]);
}

/** Creates a group of check boxes for the values of a set. */
export function checkBoxes(
  label: string,
  values: readonly string[],
  chosen: readonly string[],
  change: (value: readonly string[]) => void,
): VNode {
  const toggle = (value: string): void =>
    change(values.filter((one) => (one === value ? !chosen.includes(one) : chosen.includes(one))));
  const boxes = values.map((value) =>
    h('label', { class: 'playground-box' }, [
      h('input', { type: 'checkbox', checked: chosen.includes(value), onChange: () => toggle(value) }),
      ` ${value}`,
    ]),
  );
  return h('fieldset', { class: 'playground-set' }, [h('legend', label), ...boxes]);
}

/** Creates a button. */
export function button(label: string, isEnabled: boolean, onClick: () => void): VNode {
  return h('button', { type: 'button', disabled: !isEnabled, onClick }, label);
}
