import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId } from 'react';
import { useSearchParams } from 'wouter';
import { question } from '../control/questions.ts';
import { formatCount } from './labels.ts';
import { QueryResult } from './query-result.tsx';

/** Renders a search for words on all pages of all documents, including private documents. */
export function DocumentSearch({ sandbox }: { readonly sandbox: string }) {
  const [address, setAddress] = useSearchParams();
  const typed = address.get('words') ?? '';
  const words = useDeferredValue(typed.trim());
  const inputId = useId();
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <div className="field">
        <label htmlFor={inputId}>Words in pages</label>
        <input
          id={inputId}
          type="search"
          maxLength={200}
          value={typed}
          onChange={({ target }) => setAddress(target.value === '' ? {} : { words: target.value }, { replace: true })}
        />
      </div>
      {words !== '' && <FoundPages sandbox={sandbox} words={words} />}
    </form>
  );
}

function FoundPages({ sandbox, words }: { readonly sandbox: string; readonly words: string }) {
  const found = useQuery({
    ...question('searchDocuments', { sandbox, query: { words } }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="found">
      <QueryResult to={found}>
        {({ pages, total }) => (
          <>
            <p className="hint" role="status">
              {total === 0 ? 'No pages found.' : `${formatCount(total, 'page')} found`}
              {pages.length < total && `, showing the first ${pages.length}`}
            </p>
            <ol className="plain">
              {pages.map(({ document, title, page, excerpt, siteUrl }) => (
                <li key={`${document} ${page}`}>
                  <a href={siteUrl}>
                    {title === '' ? `Document ${document}` : title}, page {page}
                  </a>
                  <br />
                  <span dir="auto">{excerpt}</span>
                </li>
              ))}
            </ol>
          </>
        )}
      </QueryResult>
    </div>
  );
}
