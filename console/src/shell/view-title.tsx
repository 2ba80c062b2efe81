import { type ReactNode, useEffect } from 'react';

/** Renders the heading of a view and sets the window title to it. */
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
