import { Link, useLocation } from 'wouter';
import { showFirstSteps } from '../control/first-steps.ts';
import { useSandboxes } from '../control/questions.ts';
import { firstStepsId } from '../parts/first-steps-card.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { pathsBelow, views } from './views.ts';

/** True if the console requires sign-in. The server marks the document accordingly. */
const isGuarded = 'guarded' in document.documentElement.dataset;

/** Renders the links to the views of a sandbox and the sandbox selection. */
export function Navigation({ sandbox, onPalette }: { readonly sandbox: string; readonly onPalette: () => void }) {
  const [location, navigate] = useLocation();
  const { data } = useSandboxes();
  const ids = data?.sandboxes.map(({ id }) => id) ?? [];
  const options = (ids.includes(sandbox) ? ids : [sandbox, ...ids]).map((id) => [id, id] as const);
  const opened = location.split('/')[3] ?? 'overview';
  const view = pathsBelow.get(opened) ?? opened;
  return (
    <nav className="navigation" aria-label="Console">
      <p className="brand">
        <Link href="/">NudgeLab</Link>
      </p>
      <SelectField label="Sandbox" value={sandbox} options={options} onChange={(id) => navigate(`/s/${id}/${view}`)} />
      <ul>
        {views.map(({ path, title }) => (
          <li key={path}>
            <Link href={`/s/${sandbox}/${path}`} aria-current={view === path ? 'page' : undefined}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <button type="button" className="quiet" onClick={onPalette}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => {
          showFirstSteps(true);
          navigate(`/s/${sandbox}/overview`);
          focusWhenShown(firstStepsId);
        }}
      >
        First steps
      </button>
      {isGuarded && <a href="/_console/sign-out">Sign out</a>}
    </nav>
  );
}

/** Maximum time until a view shows its content, in milliseconds. */
const shownWithinMs = 3_000;

/** Moves the focus to an element as soon as it is on the page. */
function focusWhenShown(id: string): void {
  const begin = performance.now();
  const look = (): void => {
    const element = document.getElementById(id);
    if (element !== null) element.focus();
    else if (performance.now() - begin < shownWithinMs) requestAnimationFrame(look);
  };
  look();
}
