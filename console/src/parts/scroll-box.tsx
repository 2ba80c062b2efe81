import type { ReactNode } from 'react';

/** A box that scrolls sideways where it has to, and is reached by keyboard. */
export function ScrollBox({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard.
    <section className="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
