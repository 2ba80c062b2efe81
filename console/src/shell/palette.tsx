import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../control/control-client.ts';
import { type ControlAction, question, useControlAction, useSandboxes } from '../control/questions.ts';
import { chooseTheme, themes } from '../control/theme.ts';
import { themeLabels } from '../parts/labels.ts';
import { views } from './views.ts';

/** Maximum number of users that the palette shows at once. */
const usersShown = 8;

/** Renders the command palette, which opens a view, a user or another sandbox, or moves the clock. */
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
  const action = useControlAction(sandbox);
  const { data: sandboxes } = useSandboxes();
  const { data: found } = useQuery({
    ...question('listUsers', { sandbox, query: { limit: usersShown, search: typed } }),
    enabled: open && typed.trim() !== '',
  });
  const box = useRef<HTMLDialogElement>(null);
  // The native dialog traps the focus and closes on Escape. A layout effect opens it before the next keystroke can be
  // lost.
  useLayoutEffect(() => {
    if (!open) box.current?.close();
    if (!open) return;
    box.current?.showModal();
    // The dialog focuses the list around the field by default, where typing has no effect.
    box.current?.querySelector('input')?.focus();
  }, [open]);
  const close = (then: () => void) => (): void => {
    onOpenChange(false);
    setTyped('');
    then();
  };
  // The view receives the focus from the palette, so the next keystroke goes to the opened view.
  const go = (path: string) =>
    close(() => {
      navigate(path);
      document.getElementById('view')?.focus();
    });
  const moves = useClockMoves(sandbox, open);
  return (
    <dialog ref={box} className="palette" aria-label="Go to" onClose={close(() => undefined)}>
      <Command label="Go to">
        <Command.Input value={typed} onValueChange={setTyped} placeholder="A view, a user, a sandbox …" />
        <Command.List>
          <Command.Empty>No results.</Command.Empty>
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
            {moves.map(({ label, keywords, call }) => (
              <Command.Item
                key={label}
                value={label.toLowerCase()}
                keywords={keywords}
                onSelect={close(() => action.mutate(call))}
              >
                {label}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Colors">
            {themes.map((theme) => (
              <Command.Item key={theme} value={`colors ${theme}`} onSelect={close(() => chooseTheme(theme))}>
                {themeLabels[theme]}
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

interface ClockMove {
  readonly label: string;
  readonly keywords: string[];
  readonly call: ControlAction;
}

/** Returns the clock actions for a sandbox. No requests are sent while the palette is closed. */
function useClockMoves(sandbox: string, open: boolean): readonly ClockMove[] {
  const { data: info } = useQuery({ ...question('getSandbox', { sandbox }), enabled: open });
  const { data: population } = useQuery({ ...question('getUserSummary', { sandbox }), enabled: open });
  const nextPromptAt = population?.nextPromptAt ?? null;
  const running = info?.clock.running ?? false;
  const move = (label: string, call: ControlAction, keywords: string[] = []): ClockMove => ({ label, call, keywords });
  return [
    move('Advance the clock by 1 hour', () => api.advanceClock({ sandbox, body: { hours: 1 } })),
    move('Advance the clock by 1 day', () => api.advanceClock({ sandbox, body: { days: 1 } })),
    move('Advance the clock by 1 week', () => api.advanceClock({ sandbox, body: { days: 7 } })),
    ...(nextPromptAt === null
      ? []
      : [move('Advance the clock to the next prompt', () => api.putClock({ sandbox, body: { now: nextPromptAt } }))]),
    move(
      running ? 'Freeze the clock' : 'Resume the clock',
      () => api.putClock({ sandbox, body: { running: !running } }),
      ['freeze stop run'],
    ),
  ];
}
