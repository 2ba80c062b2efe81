import { Link } from 'wouter';
import { ViewTitle } from '../shell/view-title.tsx';
import { views } from '../shell/views.ts';

/** Renders the message for an unknown URL with links to the existing views. */
export function NotFoundView({ sandbox }: { readonly sandbox: string }) {
  return (
    <>
      <ViewTitle title="Page not found" />
      <p>
        No view exists at <code>{globalThis.location.pathname}</code>. Views of the sandbox <code>{sandbox}</code>:
      </p>
      <ul className="view-links">
        {views.map(({ path, title }) => (
          <li key={path}>
            <Link href={`/s/${sandbox}/${path}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
