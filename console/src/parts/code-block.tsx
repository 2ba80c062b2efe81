/** A text as it stands, which may be long: it is reached by keyboard to be scrolled. A command wraps, so that all of it is seen. */
export function CodeBlock({ text, wraps = false }: { readonly text: string; readonly wraps?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard.
    <pre tabIndex={0} className={wraps ? 'wraps' : undefined}>
      {text}
    </pre>
  );
}
