import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { LookupService } from '../control/answers.ts';
import { askLookup, buildLookupRequest } from '../control/lookup.ts';
import { refresh } from '../control/questions.ts';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy-button.tsx';
import { Failure } from './query-result.tsx';
import { SelectField } from './select-field.tsx';

const types = [
  ['email', 'Email address'],
  ['username', 'Username'],
] as const;

type QueryType = (typeof types)[number][0];

/** Renders a form for lookup requests with the equivalent command and the unprocessed response. */
export function LookupQuery({
  sandbox,
  service,
  token,
  onToken,
}: {
  readonly sandbox: string;
  readonly service: LookupService;
  readonly token: string;
  readonly onToken: (token: string) => void;
}) {
  const [type, setType] = useState<QueryType>('email');
  const [tool, setTool] = useState('all');
  const [query, setQuery] = useState('ada@example.test');
  const queryId = useId();
  const tokenId = useId();
  const queries = useQueryClient();
  const { path, curl } = buildLookupRequest(sandbox, { type, query, tool }, token);
  const lookup = useMutation({
    mutationFn: () => askLookup(path, token),
    // Each request uses quota, so the quota is reloaded afterwards.
    onSettled: () => refresh(queries, sandbox),
  });
  return (
    <>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          lookup.mutate();
        }}
      >
        <SelectField
          label="Type"
          value={type}
          options={types}
          onChange={(value) => {
            setType(value as QueryType);
            setTool('all');
          }}
        />
        <SelectField
          label="Tool"
          value={tool}
          options={[['all', 'All'], ...service.tools[type].map(({ id, name }) => [id, name] as const)]}
          onChange={setTool}
        />
        <div className="field">
          <label htmlFor={queryId}>Query</label>
          <input id={queryId} value={query} onChange={({ target }) => setQuery(target.value)} />
        </div>
        <div className="field">
          <label htmlFor={tokenId}>Token</label>
          <input id={tokenId} value={token} spellCheck={false} onChange={({ target }) => onToken(target.value)} />
        </div>
        <button type="submit" className="primary" disabled={lookup.isPending}>
          Ask
        </button>
      </form>
      <CodeBlock text={curl} wraps />
      <div className="buttons">
        <CopyButton label="Copy as curl" text={curl} />
      </div>
      <Failure of={lookup.error} />
      {lookup.data !== undefined && (
        <figure>
          <figcaption className="hint" role="status">
            Response with status {lookup.data.status}
          </figcaption>
          <CodeBlock
            text={[...lookup.data.headers.map(([name, value]) => `${name}: ${value}`), '', lookup.data.body].join('\n')}
          />
        </figure>
      )}
    </>
  );
}
