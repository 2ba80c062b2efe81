import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ControlReply, ControlRequest } from '../../../src/client/control-client.ts';
import type { User } from '../control/answers.ts';
import { api } from '../control/control-client.ts';
import { useControlAction, useControlQuery } from '../control/questions.ts';
import { useRequestSchema } from '../control/request-schema.ts';
import { type FormSchema, type FormValue, toMergePatch } from '../form/form-schema.ts';
import { LabelledField } from '../form/labelled-field.tsx';
import { SchemaForm } from '../form/schema-form.tsx';
import { Card } from '../parts/card.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { ViewTitle } from '../shell/view-title.tsx';

/** Keys without a field: the id has its own one, and the others are derived or made on a page. */
const hidden = ['id', 'nudgeStatus', 'credentialId'];

/** Renders a form that adds a user to the sandbox. */
export function AddUserView({ sandbox }: { readonly sandbox: string }) {
  const schema = useRequestSchema('putUser');
  return (
    <>
      <ViewTitle title="Add user">
        <Link href={`/s/${sandbox}/users`}>All users</Link>
      </ViewTitle>
      <QueryResult to={schema}>{(known) => <AddForm sandbox={sandbox} schema={known} />}</QueryResult>
    </>
  );
}

function AddForm({ sandbox, schema }: { readonly sandbox: string; readonly schema: FormSchema }) {
  const [, navigate] = useLocation();
  const [id, setId] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [value, setValue] = useState<FormValue>({});
  const action = useControlAction(sandbox);
  const suggestions = useSuggestions(sandbox);
  const add = async (): Promise<void> => {
    // PUT replaces a user, and this form only adds one.
    if (await hasUser(sandbox, id)) {
      setFault(`A user with the id ${id} exists already.`);
      return;
    }
    await api.putUser({ sandbox, user: id, body: value });
    navigate(`/s/${sandbox}/users/${encodeURIComponent(id)}`);
    document.getElementById('view')?.focus();
  };
  return (
    <Card title="User">
      <SchemaForm
        label="Add user"
        schema={schema}
        value={value}
        error={action.error}
        hidden={hidden}
        suggestions={suggestions}
        before={
          <LabelledField label="Id" hint="Required. The id is in addresses and cannot be changed." message={fault}>
            {(attributes) => (
              <input
                {...attributes}
                required
                maxLength={256}
                autoComplete="off"
                spellCheck={false}
                value={id}
                onChange={({ target }) => {
                  setFault(null);
                  setId(target.value);
                }}
              />
            )}
          </LabelledField>
        }
        onChange={setValue}
        onSubmit={() => {
          if (id.trim() === '') setFault('Enter an id, such as ada.');
          else if (!action.isPending) action.mutate(add);
        }}
      >
        <button type="submit" className="primary" disabled={action.isPending}>
          Add user
        </button>
      </SchemaForm>
    </Card>
  );
}

/** Maximum length of a text to search for, and number of users on a page of the result. */
const searchCharactersMax = 200;
const pageUsers = 1_000;

/** Returns `true` if the sandbox has a user with an id, compared without regard to case. */
async function hasUser(sandbox: string, id: string): Promise<boolean> {
  const search = id.slice(0, searchCharactersMax);
  let after: string | null = null;
  do {
    const query: ControlRequest<'listUsers'>['query'] = {
      search,
      limit: pageUsers,
      ...(after === null ? {} : { after }),
    };
    const { users, next }: ControlReply<'listUsers'> = await api.listUsers({ sandbox, query });
    if (users.some((user) => user.id.toLowerCase() === id.toLowerCase())) return true;
    after = next;
  } while (after !== null);
  return false;
}

/** Renders a form that changes or deletes a user. */
export function EditUserView({ sandbox, userId }: { readonly sandbox: string; readonly userId: string }) {
  const schema = useRequestSchema('putUser');
  const user = useControlQuery('getUser', { sandbox, user: userId });
  return (
    <QueryResult to={user} title={`Edit user ${userId}`}>
      {(data) => (
        <>
          <ViewTitle title={`Edit ${data.displayName}`}>
            <Link href={`/s/${sandbox}/users/${encodeURIComponent(userId)}`}>Back to the user</Link>
          </ViewTitle>
          <QueryResult to={schema}>{(known) => <EditForm sandbox={sandbox} schema={known} user={data} />}</QueryResult>
        </>
      )}
    </QueryResult>
  );
}

function EditForm({
  sandbox,
  schema,
  user,
}: {
  readonly sandbox: string;
  readonly schema: FormSchema;
  readonly user: User;
}) {
  const [, navigate] = useLocation();
  const { id, nudgeStatus: _derived, ...stored } = user;
  // Only what was changed here is sent, so a change that was made elsewhere meanwhile is kept.
  const [beginning] = useState<FormValue>(stored);
  const [value, setValue] = useState<FormValue>(stored);
  // Counts how often the changes were discarded, which also empties inputs that hold a text of their own.
  const [discards, setDiscards] = useState(0);
  const action = useControlAction(sandbox);
  const suggestions = useSuggestions(sandbox);
  const patch = toMergePatch(beginning, value);
  const isChanged = Object.keys(patch).length > 0;
  const discard = (): void => {
    setValue(beginning);
    setDiscards(discards + 1);
    action.reset();
    // The pressed button no longer exists.
    document.getElementById('view')?.focus();
  };
  const leave = (path: string): void => {
    navigate(path);
    document.getElementById('view')?.focus();
  };
  return (
    <Card title="User" aside={<code>{id}</code>}>
      <SchemaForm
        key={discards}
        label="Edit user"
        schema={schema}
        value={value}
        error={action.error}
        hidden={hidden}
        suggestions={suggestions}
        onChange={setValue}
        onSubmit={() => {
          if (!isChanged || action.isPending) return;
          action.mutate(async () => {
            await api.patchUser({ sandbox, user: id, body: patch });
            leave(`/s/${sandbox}/users/${encodeURIComponent(id)}`);
          });
        }}
      >
        <button type="submit" className="primary" disabled={!isChanged || action.isPending}>
          Save
        </button>
        <button type="button" disabled={!isChanged} onClick={discard}>
          Discard changes
        </button>
        <DeleteButton
          name={user.displayName}
          onDelete={() =>
            action.mutate(async () => {
              await api.deleteUser({ sandbox, user: id });
              leave(`/s/${sandbox}/users`);
            })
          }
        />
      </SchemaForm>
    </Card>
  );
}

/** Renders a button that deletes the user after a confirmation in its place. */
function DeleteButton({ name, onDelete }: { readonly name: string; readonly onDelete: () => void }): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <button type="button" onClick={() => setIsAsking(true)}>
        Delete user
      </button>
    );
  }
  return (
    <>
      <button type="button" className="danger" onClick={onDelete}>
        Confirm: delete {name}
      </button>
      {/* The focus stays where the pressed button was, on the action that changes nothing. */}
      <button type="button" ref={(button) => button?.focus()} onClick={() => setIsAsking(false)}>
        Keep user
      </button>
    </>
  );
}

/** Returns the groups of the tenant as suggestions. */
function useSuggestions(sandbox: string): Readonly<Record<string, readonly string[]>> {
  const { data } = useControlQuery('getTenant', { sandbox });
  return { groups: Object.keys(data?.groups ?? {}) };
}
