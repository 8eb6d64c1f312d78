// Light or dark: the system's choice until the reader makes one.
const KEY = 'prehend-theme';
const listeners: (() => void)[] = [];
const system = window.matchMedia('(prefers-color-scheme: dark)');

function stored(): string | null {
  // A page from disk may be denied its storage.
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function isDark(): boolean {
  return document.documentElement.dataset.theme === 'dark';
}
export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

let onPaper = false;

function apply(): void {
  const dark = !onPaper && (stored() ?? document.documentElement.dataset.choice ?? (system.matches ? 'dark' : 'light')) === 'dark';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function toggleTheme(): void {
  const choice = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.choice = choice;
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // The choice then lasts as long as the page.
  }
  apply();
}

// Paper is light; what was chosen comes back afterwards.
export function holdLight(hold: boolean): void {
  onPaper = hold;
  apply();
}

export function startTheme(): void {
  system.addEventListener('change', apply);
  apply();
}
