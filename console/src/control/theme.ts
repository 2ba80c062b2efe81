import { useSyncExternalStore } from 'react';

/** Which colors the console has: those of the system, or always the same. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** What a browser remembers the choice by. */
const themeKey = 'nudgelab-theme';

const listeners = new Set<() => void>();
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** The theme that was chosen in this browser. */
function chosenTheme(): Theme {
  const kept = localStorage.getItem(themeKey);
  return themes.find((theme) => theme === kept) ?? 'system';
}

/** Chooses a theme for this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Has the document show the theme that was chosen. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = chosenTheme();
}

/** The theme that was chosen; anyone who uses it is drawn again when another is. */
export function useTheme(): Theme {
  return useSyncExternalStore(listen, chosenTheme);
}

/** Whether colors are light or dark now. */
export function useScheme(): 'light' | 'dark' {
  return useSyncExternalStore(listen, () => {
    const theme = chosenTheme();
    if (theme !== 'system') return theme;
    return systemDark.matches ? 'dark' : 'light';
  });
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  systemDark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    systemDark.removeEventListener('change', listener);
  };
}
