import { type ReactNode, useId } from 'react';

/** A part of a view with a heading of its own. */
export function Card({
  title,
  children,
  aside,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly aside?: ReactNode;
}) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Says that there is nothing, and what would change that. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}
