import { createContext, useContext, useEffect } from 'react';

/** What the fields of a form share. */
export interface FormContextValue {
  /** Messages by the path of the field. */
  readonly messages: ReadonlyMap<string, string>;
  /** Suggested texts by key. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  /** Keys that the form does not show. */
  readonly hidden: readonly string[];
  /** Adds the path of a field that is on the page, and returns a function that removes it. */
  readonly addField: (path: string) => () => void;
}

/** Context of the fields of a form. */
export const FormContext = createContext<FormContextValue>({
  messages: new Map(),
  suggestions: {},
  hidden: [],
  addField: () => () => undefined,
});

/** Returns what a field at a path needs of its form: the message there, and the suggestions for its key. */
export function useField(path: string): { readonly message: string | null; readonly suggestions: readonly string[] } {
  const { messages, suggestions, addField } = useContext(FormContext);
  useEffect(() => addField(path), [addField, path]);
  const key = path.split('.').at(-1) ?? '';
  return { message: messages.get(path) ?? null, suggestions: suggestions[key] ?? [] };
}
