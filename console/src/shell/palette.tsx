import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { UserList } from '../control/answers.ts';
import { question, useDeed, useSandboxes } from '../control/questions.ts';
import { chooseTheme, themes } from '../control/theme.ts';
import { themeWords } from '../parts/words.ts';
import { views } from './views.ts';

/** Users that the palette offers at once. */
const usersShown = 8;

/** Goes anywhere by what is typed: a view, a user, another sandbox, a move of the clock. */
export function Palette({
  sandbox,
  open,
  onOpenChange,
}: {
  readonly sandbox: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const deed = useDeed(sandbox);
  const { data: sandboxes } = useSandboxes();
  const search = `/users?limit=${usersShown}&search=${encodeURIComponent(typed)}`;
  const { data: found } = useQuery({ ...question<UserList>(sandbox, search), enabled: open && typed.trim() !== '' });
  const box = useRef<HTMLDialogElement>(null);
  // The dialog of the browser itself keeps the focus, and ends by Escape.
  useEffect(() => {
    if (open) box.current?.showModal();
    else box.current?.close();
  }, [open]);
  const close = (then: () => void) => (): void => {
    onOpenChange(false);
    setTyped('');
    then();
  };
  const go = (path: string) => close(() => navigate(path));
  const advance = (body: Readonly<Record<string, number>>) =>
    close(() => deed.mutate({ line: 'POST /clock/advance', body }));
  return (
    <dialog ref={box} className="palette" aria-label="Go to" onClose={() => onOpenChange(false)}>
      <Command label="Go to">
        <Command.Input value={typed} onValueChange={setTyped} placeholder="A view, a user, a sandbox …" />
        <Command.List>
          <Command.Empty>Nothing is called so.</Command.Empty>
          <Command.Group heading="Views">
            {views.map(({ path, title, words }) => (
              <Command.Item
                key={path}
                value={`view ${title}`}
                keywords={[words]}
                onSelect={go(`/s/${sandbox}/${path}`)}
              >
                {title}
              </Command.Item>
            ))}
          </Command.Group>
          {found !== undefined && found.users.length > 0 && (
            <Command.Group heading="Users">
              {found.users.map(({ id, displayName, userPrincipalName }) => (
                <Command.Item
                  key={id}
                  value={`user ${id}`}
                  keywords={[typed, displayName, userPrincipalName]}
                  onSelect={go(`/s/${sandbox}/users/${encodeURIComponent(id)}`)}
                >
                  {displayName} <small>{userPrincipalName}</small>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Clock">
            <Command.Item value="advance the clock by an hour" onSelect={advance({ hours: 1 })}>
              Advance the clock by an hour
            </Command.Item>
            <Command.Item value="advance the clock by a day" onSelect={advance({ days: 1 })}>
              Advance the clock by a day
            </Command.Item>
          </Command.Group>
          <Command.Group heading="Colours">
            {themes.map((theme) => (
              <Command.Item key={theme} value={`colours ${theme}`} onSelect={close(() => chooseTheme(theme))}>
                {themeWords[theme]}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Sandboxes">
            {sandboxes?.sandboxes.map(({ id }) => (
              <Command.Item key={id} value={`sandbox ${id}`} onSelect={go(`/s/${id}/overview`)}>
                {id}
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </dialog>
  );
}
