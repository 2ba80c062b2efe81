import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../control/control-client.ts';
import { CodeBlock } from './code-block.tsx';
import { Failure } from './query-result.tsx';
import { SelectField } from './select-field.tsx';

/** Token types that can be issued, with their permissions. */
const kinds = {
  administrator: {
    words: 'An administrator',
    body: {
      permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
      roles: ['Authentication Policy Administrator'],
    },
  },
  reader: { words: 'Policy reader', body: { permissions: ['Policy.Read.All'], roles: ['Global Reader'] } },
  nobody: { words: 'No permissions', body: {} },
} as const;
type Kind = keyof typeof kinds;

const lifetimes = [
  ['3600', 'An hour'],
  ['86400', 'A day'],
  ['1', 'A second'],
] as const;

/** Renders a form that issues tokens for the sandbox APIs, shows each token once, and revokes tokens. */
export function AccessTokens({ sandbox }: { readonly sandbox: string }) {
  const [kind, setKind] = useState<Kind>('administrator');
  const [seconds, setSeconds] = useState('3600');
  const [revoking, setRevoking] = useState('');
  const revokeId = useId();
  const issue = useMutation({
    mutationFn: () => api.issueToken({ sandbox, body: { ...kinds[kind].body, expiresInSeconds: Number(seconds) } }),
  });
  const revoke = useMutation({
    mutationFn: (token: string) => api.revokeToken({ sandbox, body: { token } }),
    onSuccess: () => setRevoking(''),
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
          label="For whom"
          value={kind}
          options={Object.entries(kinds).map(([name, { words }]) => [name, words] as const)}
          onChange={(name) => setKind(name as Kind)}
        />
        <SelectField label="Valid for" value={seconds} options={lifetimes} onChange={setSeconds} />
        <button type="submit" disabled={issue.isPending}>
          Issue token
        </button>
      </form>
      <Failure of={issue.error} />
      {issue.data !== undefined && (
        <>
          <p className="hint" role="status">
            The token is shown only once. Send it as <code>Authorization: Bearer</code>.
          </p>
          <CodeBlock text={issue.data.access_token} />
        </>
      )}
      <form
        className="filters revoke"
        onSubmit={(event) => {
          event.preventDefault();
          revoke.mutate(revoking.trim());
        }}
      >
        <div className="field">
          <label htmlFor={revokeId}>Token to revoke</label>
          <input
            id={revokeId}
            value={revoking}
            autoComplete="off"
            onChange={({ target }) => {
              revoke.reset();
              setRevoking(target.value);
            }}
          />
        </div>
        <button type="submit" disabled={revoke.isPending || revoking.trim() === ''}>
          Revoke
        </button>
      </form>
      <Failure of={revoke.error} />
      {revoke.isSuccess && (
        <p className="hint" role="status">
          Token revoked.
        </p>
      )}
      <p className="hint">Lookup API tokens are in the Lookup view. Applications receive tokens by signing users in.</p>
    </>
  );
}
