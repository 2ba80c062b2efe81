import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { DryRun } from '../control/suite.ts';
import { type JsonSchema, wordsAt } from './schema-terms.ts';
import { yamlPlace } from './yaml-location.ts';

type Problems = DryRun['problems'];

/** Pause in typing after which the text is checked, in milliseconds. */
const checkAfterMs = 400;

/** Props of the scenario editor. */
export interface ScenarioEditorProps {
  /** Initial text. A new value creates a new editor. */
  readonly text: string;
  readonly schema: JsonSchema;
  /** Ids of rules and assumptions, for `covers`. */
  readonly coverable: readonly string[];
  /** Initial line of the cursor, starting at 1. */
  readonly line: number;
  readonly onChange: (text: string) => void;
  /** Parses the text as a scenario file and returns its problems. */
  readonly check: (text: string) => Promise<Problems>;
}

/**
 * Renders an editor for scenario files with completions from the schema and inline error marks. The editor runs in
 * a shadow tree and uses only constructed style sheets, because the content security policy forbids inline styles.
 */
export function ScenarioEditor(props: ScenarioEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { text, line } = props;
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const state = EditorState.create({ doc: text, extensions: extensions(latest) });
    const view = new EditorView({ state, parent: root, root });
    goTo(view, line);
    return () => view.destroy();
  }, [text, line]);
  return <div className="editor" ref={host} />;
}

function goTo(view: EditorView, line: number): void {
  if (line <= 1) return;
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
}

type Latest = { readonly current: ScenarioEditorProps };

function extensions(latest: Latest) {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    yaml(),
    syntaxHighlighting(colors),
    autocompletion({ override: [(context) => completions(context, latest.current)], activateOnTyping: true }),
    linter(async ({ state: { doc } }) => createDiagnostics(doc, await latest.current.check(doc.toString())), {
      delay: checkAfterMs,
    }),
    // Tab leaves the editor, as elsewhere on the page. Only while a completion is offered, Tab accepts it.
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.domEventHandlers({ beforeinput: replaceSelected }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Scenario text', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) latest.current.onChange(state.doc.toString());
    }),
    EditorState.tabSize.of(2),
    theme,
  ];
}

/**
 * Inserts text typed over a selection through the editor. Browsers would preserve the look of the selection with an
 * inline style, which the content security policy blocks.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Returns the completions at the cursor. */
function completions(context: CompletionContext, { schema, coverable }: ScenarioEditorProps): CompletionResult | null {
  const place = yamlPlace(context.state.sliceDoc(0, context.pos));
  if (place.word === '' && !context.explicit) return null;
  const [last] = place.path.slice(-2);
  const names = place.path.flatMap((step) => (step === 'item' ? [] : [step.key]));
  const inCovers = names.at(-1) === 'covers' && names.length === 1 && last !== undefined;
  const offered: readonly Completion[] = inCovers
    ? coverable.map((label) => ({ label, type: 'constant' }))
    : wordsAt(schema, place).map(({ word, kind, about }) => ({
        label: word,
        type: kind === 'key' ? 'property' : 'constant',
        ...(about === '' ? {} : { info: about }),
        ...(kind === 'key' ? { apply: `${word}: ` } : {}),
      }));
  if (offered.length === 0) return null;
  return { from: context.pos - place.word.length, options: offered, validFor: /^[\w.$-]*$/ };
}

function createDiagnostics(doc: Text, problems: Problems): readonly Diagnostic[] {
  return problems.map(({ line, column, message }) => {
    const { from, to } = doc.line(Math.min(line, doc.lines));
    const begin = Math.min(from + column - 1, to);
    const word = /^[^\s,:}\]]+/.exec(doc.sliceString(begin, to))?.[0].length ?? 0;
    return { from: begin, to: begin + word, severity: 'error', message };
  });
}

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.keyword, tags.bool, tags.null, tags.number], color: 'var(--fault)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--card)', fontSize: '14px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, Consolas, monospace', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--inset)', borderRight: '1px solid var(--edge)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-tint) 55%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--card)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-accent)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionInfo': { maxWidth: '22rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--fault)' },
});
