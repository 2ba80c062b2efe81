import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { LookupService } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { refresh, useControlAction } from '../control/questions.ts';
import { Empty } from './card.tsx';
import { CopyButton } from './copy-button.tsx';
import { Failure } from './query-result.tsx';
import { SelectField } from './select-field.tsx';
import { TableHead } from './table-head.tsx';

/** Renders the lookup tokens: issues them, shows each once, and revokes them. */
export function LookupTokens({
  sandbox,
  service,
  onUse,
}: {
  readonly sandbox: string;
  readonly service: LookupService;
  /** Called with the token that the query form should send. */
  readonly onUse: (token: string) => void;
}) {
  const { accounts, tokens } = service;
  const [account, setAccount] = useState(accounts[0]?.id ?? '');
  const [name, setName] = useState('Token');
  const nameId = useId();
  const queries = useQueryClient();
  const revoke = useControlAction(sandbox);
  const issue = useMutation({
    mutationFn: () => api.issueLookupToken({ sandbox, body: { account, name } }),
    onSuccess: () => refresh(queries, sandbox),
  });
  return (
    <>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          issue.mutate();
        }}
      >
        <SelectField
          label="Account"
          value={account}
          options={accounts.map(({ id, email, tier }) => [id, `${email}, ${tier}`] as const)}
          onChange={setAccount}
        />
        <div className="field">
          <label htmlFor={nameId}>Token name</label>
          <input id={nameId} value={name} onChange={({ target }) => setName(target.value)} />
        </div>
        <button type="submit" disabled={issue.isPending}>
          Issue token
        </button>
      </form>
      <Failure of={issue.error ?? revoke.error} />
      {issue.data !== undefined && (
        <p className="verdict skippable" role="status">
          <strong>{issue.data.name}</strong>, shown only once: <code className="breaks">{issue.data.token}</code>{' '}
          <CopyButton label="Copy token" text={issue.data.token} />{' '}
          <button type="button" onClick={() => onUse(issue.data.token)}>
            Use this token
          </button>
        </p>
      )}
      {tokens.length === 0 ? (
        <Empty>No valid tokens.</Empty>
      ) : (
        <table>
          <TableHead columns={['Name', 'Account', 'Revoke']} />
          <tbody>
            {tokens.map((token) => (
              <tr key={token.id}>
                <td>{token.name}</td>
                <td>{token.account}</td>
                <td>
                  <button
                    type="button"
                    disabled={revoke.isPending}
                    aria-label={`Revoke ${token.name} of ${token.account}`}
                    onClick={() => revoke.mutate(() => api.revokeLookupToken({ sandbox, token: token.id }))}
                  >
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
