import type { ReactNode } from 'react';

/** Renders a box that scrolls horizontally if necessary and can be focused by keyboard. */
export function ScrollBox({
  label,
  tall = false,
  children,
}: {
  readonly label: string;
  /** True if the box also scrolls vertically, for long content. */
  readonly tall?: boolean;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard.
    <section className={tall ? 'scroll tall' : 'scroll'} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
