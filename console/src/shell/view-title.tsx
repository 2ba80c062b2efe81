import { type ReactNode, useEffect } from 'react';

/** The heading of a view, which is the title of the window too. */
export function ViewTitle({ children, title }: { readonly title: string; readonly children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – NudgeLab`;
  }, [title]);
  return (
    <header className="view-title">
      <h1>{title}</h1>
      {children}
    </header>
  );
}
