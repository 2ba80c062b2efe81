import { useSyncExternalStore } from 'react';

/** Color themes of the console. `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Local storage key of the selected theme. */
const themeKey = 'nudgelab-theme';

const listeners = new Set<() => void>();
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** Returns the theme that was selected in this browser. */
function chosenTheme(): Theme {
  const kept = localStorage.getItem(themeKey);
  return themes.find((theme) => theme === kept) ?? 'system';
}

/** Saves the theme for this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Applies the selected theme to the document. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = chosenTheme();
}

/** Returns the selected theme and re-renders the caller when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(listen, chosenTheme);
}

/** Returns the active color scheme, light or dark. */
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
