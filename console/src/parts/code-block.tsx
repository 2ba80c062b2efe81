/** A text as it stands, which may be long: it is reached by keyboard to be scrolled. */
export function CodeBlock({ text }: { readonly text: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard.
  return <pre tabIndex={0}>{text}</pre>;
}
