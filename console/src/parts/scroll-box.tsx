import type { ReactNode } from 'react';

/** A box that scrolls sideways where it has to, and is reached by keyboard. */
export function ScrollBox({
  label,
  tall = false,
  children,
}: {
  readonly label: string;
  /** Whether it scrolls downwards too, as it may hold much. */
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
