import { effect, signal } from '@preact/signals'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const NAME = 'registry-theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

/** What was chosen; `auto` follows the system. */
export const theme = signal<Theme>(THEMES.find((t) => t === localStorage.getItem(NAME)) ?? 'auto')

/** What is shown; drawings on canvas depend on it. */
export const shownTheme = signal<'light' | 'dark'>('light')

export function setTheme(next: Theme): void {
  localStorage.setItem(NAME, next)
  theme.value = next
}

export function startTheme(): void {
  const show = () => {
    const automatic = system.matches ? 'dark' : 'light'
    const shown = theme.value === 'auto' ? automatic : theme.value
    document.documentElement.dataset.theme = shown
    shownTheme.value = shown
  }
  effect(show)
  system.addEventListener('change', show)
}
