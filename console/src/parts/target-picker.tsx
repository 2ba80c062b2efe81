import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../control/control-client.ts';
import type { CampaignSettings, IncludeTarget, Target } from '../control/policy.ts';
import { question, useControlQuery } from '../control/questions.ts';
import { SelectField } from './select-field.tsx';

/** Maximum number of users suggested while a name is typed. */
const offeredUsers = 8;

/** Edits the include and exclude targets of a campaign. Users and groups are found by name. */
export function TargetPicker({
  sandbox,
  wanted,
  onChange,
}: {
  readonly sandbox: string;
  readonly wanted: CampaignSettings;
  readonly onChange: (settings: Partial<CampaignSettings>) => void;
}) {
  const { data: settings } = useControlQuery('getSettings', { sandbox });
  const app = settings?.authenticatorWireName ?? 'vendorAuthenticator';
  const method = wanted.includeTargets[0]?.targetedAuthenticationMethod ?? app;
  const aim = (targetedAuthenticationMethod: string): void =>
    onChange({ includeTargets: wanted.includeTargets.map((target) => ({ ...target, targetedAuthenticationMethod })) });
  return (
    <>
      <div className="filters">
        <SelectField
          label="Authentication method"
          value={method}
          disabled={wanted.includeTargets.length === 0}
          options={[
            [app, 'Authenticator app'],
            ['fido2', 'Passkey'],
          ]}
          onChange={aim}
        />
      </div>
      <Targets
        sandbox={sandbox}
        legend="Included"
        targets={wanted.includeTargets}
        onChange={(targets) =>
          onChange({
            includeTargets: targets.map(
              (target): IncludeTarget => ({ targetedAuthenticationMethod: method, ...target }),
            ),
          })
        }
      />
      <Targets
        sandbox={sandbox}
        legend="Excluded"
        targets={wanted.excludeTargets}
        onChange={(excludeTargets) => onChange({ excludeTargets })}
      />
    </>
  );
}

function Targets({
  sandbox,
  legend,
  targets,
  onChange,
}: {
  readonly sandbox: string;
  readonly legend: string;
  readonly targets: readonly Target[];
  readonly onChange: (targets: readonly Target[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const listId = useId();
  const inputId = useId();
  const { data: tenant } = useControlQuery('getTenant', { sandbox });
  const { data: people } = useQuery({
    ...question('listUsers', { sandbox, query: { limit: offeredUsers, search: typed } }),
    enabled: typed.trim() !== '',
  });
  const groups = ['all_users', ...Object.keys(tenant?.groups ?? {})];
  const add = async (): Promise<void> => {
    const id = typed.trim();
    if (id === '' || targets.some((target) => target.id === id)) return;
    setTyped('');
    const targetType = groups.includes(id) || !(await isUser(sandbox, id)) ? 'group' : 'user';
    onChange([...targets, { targetType, id }]);
  };
  return (
    <fieldset>
      <legend>{legend}</legend>
      {targets.length === 0 && <p className="hint">None</p>}
      <ul className="chips">
        {targets.map((target) => (
          <li key={`${target.targetType} ${target.id}`}>
            {target.id} <small>{target.targetType}</small>
            <button
              type="button"
              aria-label={`Remove ${target.id} from ${legend.toLowerCase()}`}
              onClick={() => onChange(targets.filter((one) => one !== target))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className="filters">
        <div className="field">
          <label htmlFor={inputId}>User or group</label>
          <input
            id={inputId}
            list={listId}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add().catch(() => undefined);
            }}
          />
        </div>
        <datalist id={listId}>
          {groups.map((id) => (
            <option key={id} value={id}>
              group
            </option>
          ))}
          {people?.users.map(({ id, displayName }) => (
            <option key={id} value={id}>
              {displayName}
            </option>
          ))}
        </datalist>
        <button type="button" onClick={() => void add()} disabled={typed.trim() === ''}>
          Add
        </button>
      </div>
    </fieldset>
  );
}

/**
 * Returns true if an id belongs to a user. Any other id is treated as a group, because a directory can contain
 * groups that the sandbox does not know.
 */
async function isUser(sandbox: string, id: string): Promise<boolean> {
  const found = await api.listUsers({ sandbox, query: { search: id } });
  return found.users.some((user) => user.id === id);
}
