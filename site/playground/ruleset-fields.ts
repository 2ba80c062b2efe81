import { h, type VNode } from 'vue';
import { button } from './fields.ts';
import { builtInTexts, exampleTexts } from './ruleset-files.ts';
import { type CheckedRuleset, findOffset, findPosition, getBuiltIn, writtenRuleset } from './rulesets.ts';
import type { Settings } from './settings.ts';

const textFieldId = 'playground-ruleset-text';
const faultsId = 'playground-ruleset-faults';

/** What the fields of the ruleset show. */
export interface RulesetState {
  readonly settings: Settings;
  readonly checked: CheckedRuleset;
  /** Text in the field, which can differ from the ruleset in use. */
  readonly draft: string;
  readonly isOpen: boolean;
  /** False if the text of a link could not be read. */
  readonly isReadable: boolean;
  /** False if the text is too long for a link. */
  readonly isLinkComplete: boolean;
}

/** What the fields of the ruleset do. */
export interface RulesetActions {
  readonly choose: (id: string) => void;
  readonly edit: (draft: string) => void;
  readonly apply: () => void;
  readonly toggle: (isOpen: boolean) => void;
}

/** Returns the text of the ruleset in use. */
export function textInUse({ ruleset, text }: Settings): string {
  return builtInTexts.get(ruleset) ?? exampleTexts.get(ruleset) ?? text;
}

/** Creates the choice of the ruleset, its text and the faults of the text. */
export function rulesetFields(state: RulesetState, actions: RulesetActions): VNode {
  return h('section', { 'aria-label': 'Ruleset' }, [
    h('h2', 'Ruleset'),
    h('div', { class: 'playground-choices' }, [rulesetSelect(state.settings.ruleset, actions.choose)]),
    h('p', { role: 'status' }, describeState(state)),
    faultList(state, actions),
    textFields(state, actions),
  ]);
}

function rulesetSelect(chosen: string, choose: (id: string) => void): VNode {
  const option = (value: string, label: string): VNode => h('option', { value, selected: value === chosen }, label);
  const onChange = (event: Event): void => choose((event.target as HTMLSelectElement).value);
  return h('label', { class: 'playground-wide' }, [
    h('span', 'Evaluated by'),
    h('select', { value: chosen, onChange }, [
      h(
        'optgroup',
        { label: 'Built-in rulesets' },
        [...builtInTexts.keys()].map((id) => option(id, `${getBuiltIn(id).title} (${id})`)),
      ),
      h(
        'optgroup',
        { label: 'Examples' },
        [...exampleTexts].map(([id, text]) => option(id, `${findTitle(text)} (${id})`)),
      ),
      h('optgroup', { label: 'Your ruleset' }, [option(writtenRuleset, 'A ruleset that you write or paste')]),
    ]),
  ]);
}

function findTitle(text: string): string {
  return /^title: (.*)$/m.exec(text)?.[1] ?? '';
}

function describeState({ settings, checked, draft, isReadable, isLinkComplete }: RulesetState): string {
  const { ruleset, faults } = checked;
  const changes = draft === textInUse(settings) ? '' : ' The text below has changes that are not in use yet.';
  if (!isReadable) return `The link has no readable ruleset. Ask for a new link, or paste the ruleset.${changes}`;
  if (ruleset === null && settings.text === '') {
    return `Paste the YAML of a ruleset below, and select “Check and use”.${changes}`;
  }
  const count = faults.filter(({ severity }) => severity === 'fault').length;
  if (ruleset === null) return `${plural(count, 'fault')}. Correct each location, and check the text again.${changes}`;
  const warnings = faults.length === 0 ? '' : `, ${plural(faults.length, 'warning')}`;
  const base = ruleset.own === null ? 'registration-campaign' : 'own';
  const link = isLinkComplete
    ? ''
    : ' The text is too long for the address of this page: send the file instead of a link.';
  return `In use: ${ruleset.title} (base ${base}). No faults${warnings}.${link}${changes}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function faultList({ settings, checked: { faults } }: RulesetState, { toggle }: RulesetActions): VNode | null {
  if (faults.length === 0 || settings.text === '') return null;
  const items = faults.map((fault) => {
    const { line, column } = findPosition(fault);
    const subject = fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`;
    const go = (): void => {
      toggle(true);
      showPosition(findOffset(settings.text, { line, column }));
    };
    return h('li', [
      button(`Line ${line}, column ${column}`, true, go),
      ` ${fault.code} ${fault.severity === 'warning' ? 'warning: ' : ''}${subject}`,
    ]);
  });
  return h('ol', { id: faultsId, class: 'playground-faults' }, items);
}

/** Moves the cursor of the text field to an offset. */
function showPosition(offset: number): void {
  const field = document.getElementById(textFieldId);
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.closest('details')?.setAttribute('open', '');
  field.focus();
  field.setSelectionRange(offset, offset);
  const line = field.value.slice(0, offset).split('\n').length;
  const lines = field.value.split('\n').length;
  field.scrollTop = (field.scrollHeight * Math.max(line - 4, 0)) / lines;
}

function textFields({ settings, checked, draft, isOpen }: RulesetState, actions: RulesetActions): VNode {
  const isFaulty = checked.ruleset === null && settings.text !== '';
  const isChanged = draft !== textInUse(settings);
  return h(
    'details',
    {
      open: isOpen,
      onToggle: (event: Event) => actions.toggle((event.target as HTMLDetailsElement).open),
    },
    [
      h('summary', 'Text of the ruleset'),
      h('label', { for: textFieldId }, 'YAML of the ruleset; changes make it your ruleset'),
      h('textarea', {
        id: textFieldId,
        class: 'playground-text',
        rows: 18,
        spellcheck: false,
        autocapitalize: 'off',
        value: draft,
        'aria-invalid': isFaulty,
        'aria-describedby': isFaulty ? faultsId : undefined,
        onInput: (event: Event) => actions.edit((event.target as HTMLTextAreaElement).value),
        onKeydown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          actions.apply();
        },
      }),
      h('div', { class: 'playground-actions' }, [
        button('Check and use', draft.trim() !== '', actions.apply),
        button('Discard changes', isChanged, () => actions.edit(textInUse(settings))),
      ]),
    ],
  );
}
