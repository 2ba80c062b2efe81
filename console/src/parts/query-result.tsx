import type { ReactNode } from 'react';
import { isRefusal } from '../control/control-client.ts';
import { ViewTitle } from '../shell/view-title.tsx';

/** Current state of a query. */
interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

/**
 * Renders the result of a query, its loading state or its error. The title is shown if the view has none without a
 * result.
 */
export function QueryResult<T>({
  to,
  title,
  children,
}: {
  readonly to: QueryState<T>;
  readonly title?: string;
  readonly children: (answer: T) => ReactNode;
}) {
  if (to.data !== undefined) return children(to.data);
  return (
    <>
      {title !== undefined && <ViewTitle title={title} />}
      {to.error === null ? (
        <p className="waiting" role="status">
          Loading …
        </p>
      ) : (
        <Failure of={to.error} />
      )}
    </>
  );
}

/** Renders a text whose parts in backticks are code. */
function WithCode({ text }: { readonly text: string }) {
  const [before = '', code, ...rest] = text.split('`');
  if (code === undefined) return before;
  return (
    <>
      {before}
      <code>{code}</code>
      <WithCode text={rest.join('`')} />
    </>
  );
}

/** Renders an error with its location and the suggested action. */
export function Failure({ of }: { readonly of: Error | null }) {
  if (of === null) return null;
  if (!isRefusal(of)) {
    return (
      <div className="failure" role="alert">
        <strong>The server is not responding.</strong> Check that <code>nudgelab serve</code> is still running.
      </div>
    );
  }
  const { title, message, action, problems } = of.refusal;
  return (
    <div className="failure" role="alert">
      <strong>{title}.</strong>
      {message !== `${title}.` && (
        <>
          {' '}
          <WithCode text={message} />
        </>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ location: place, message: what }) => (
            <li key={`${place} ${what}`}>
              <code>{place}</code>: {what}
            </li>
          ))}
        </ul>
      )}
      {action !== '' && (
        <p>
          <WithCode text={action} />
        </p>
      )}
    </div>
  );
}
