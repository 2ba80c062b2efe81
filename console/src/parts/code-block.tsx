/**
 * Renders preformatted text in a box that can be focused and scrolled by keyboard. Commands wrap to stay fully
 * visible.
 */
export function CodeBlock({ text, wraps = false }: { readonly text: string; readonly wraps?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard.
    <pre tabIndex={0} className={wraps ? 'wraps' : undefined}>
      {text}
    </pre>
  );
}
