import { useState } from 'react';
import type { DocumentRow } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { Card, Empty } from '../parts/card.tsx';
import { DocumentSearch } from '../parts/document-search.tsx';
import { DocumentUpload } from '../parts/document-upload.tsx';
import { formatCount } from '../parts/labels.ts';
import { Failure, QueryResult } from '../parts/query-result.tsx';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Number of documents shown at once. */
const pageDocuments = 50;

/**
 * Renders the document records of a sandbox. Files can be uploaded, and records can be published, withdrawn and
 * removed.
 */
export function DocumentsView({ sandbox }: { readonly sandbox: string }) {
  const [after, setAfter] = useState<readonly number[]>([0]);
  const query = { limit: pageDocuments, after: after.at(-1) ?? 0 };
  const list = useControlQuery('listDocuments', { sandbox, query });
  return (
    <>
      <ViewTitle title="Documents" />
      <Card title="Add a file">
        <DocumentUpload sandbox={sandbox} />
      </Card>
      <Card title="Search">
        <DocumentSearch sandbox={sandbox} />
      </Card>
      <QueryResult to={list}>
        {({ documents, next, count }) => (
          <Card title="Records" aside={<span className="hint">{formatCount(count, 'document')}</span>}>
            {documents.length === 0 ? (
              <Empty>No documents yet. Drop a PDF above, or start with fixtures that contain documents.</Empty>
            ) : (
              <Records sandbox={sandbox} documents={documents} />
            )}
            {(after.length > 1 || next !== null) && (
              <div className="buttons" role="group" aria-label="Pagination">
                <button type="button" disabled={after.length === 1} onClick={() => setAfter(after.slice(0, -1))}>
                  Earlier
                </button>
                <button
                  type="button"
                  disabled={next === null}
                  onClick={() => next !== null && setAfter([...after, next])}
                >
                  Later
                </button>
              </div>
            )}
          </Card>
        )}
      </QueryResult>
    </>
  );
}

function Records({ sandbox, documents }: { readonly sandbox: string; readonly documents: readonly DocumentRow[] }) {
  const action = useControlAction(sandbox);
  return (
    <>
      <Failure of={action.error} />
      <ScrollBox label="Table of documents">
        <table>
          <TableHead
            columns={['Id', 'Cover', 'Title', 'State', 'Pages', 'Visibility', 'Actions']}
            numbers={['Id', 'Pages']}
          />
          <tbody>
            {documents.map(({ id, title, state, pages, processed, public: isPublic, listed, ...urls }) => (
              <tr key={id}>
                <td className="number">{id}</td>
                <td>
                  {processed > 0 && (
                    <a href={urls.siteUrl}>
                      <img
                        className="cover"
                        src={here(urls.coverUrl)}
                        alt={`Read page 1 of document ${id}`}
                        loading="lazy"
                        width={64}
                        height={88}
                      />
                    </a>
                  )}
                </td>
                <td>
                  <a href={urls.siteUrl}>{title === '' ? 'Untitled' : title}</a> <a href={urls.recordUrl}>record</a>
                </td>
                <td>{state}</td>
                <td className="number">{processed === pages ? pages : `${processed} of ${pages}`}</td>
                <td>{isPublic ? (listed ? 'everybody' : 'anyone with the URL') : 'its owner'}</td>
                <td>
                  <span className="buttons">
                    <button
                      type="button"
                      aria-label={`${isPublic ? 'Hide' : 'Publish'} document ${id}`}
                      onClick={() =>
                        action.mutate(() =>
                          api.transitionDocument({
                            sandbox,
                            document: id,
                            body: { move: isPublic ? 'unpublish' : 'publish' },
                          }),
                        )
                      }
                    >
                      {isPublic ? 'Hide' : 'Publish'}
                    </button>
                    <button
                      type="button"
                      disabled={action.isPending}
                      aria-label={`Remove document ${id}`}
                      onClick={() => action.mutate(() => api.removeDocument({ sandbox, document: id }))}
                    >
                      Remove
                    </button>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** Converts a URL of this server to a relative one, so it works under every host name of the server. */
function here(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
