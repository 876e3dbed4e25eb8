import { computed, effect, signal } from '@preact/signals'
import { en } from './en.ts'
import { es, type Text } from './es.ts'

export const LANGUAGES = { es: 'Español', en: 'English' } as const
export type Language = keyof typeof LANGUAGES

const NAME = 'registry-language'
const DICTIONARIES: Record<Language, Text> = { es, en }

/** The language of the page: the one chosen last, else the browser's, else Spanish. */
export const language = signal<Language>(chosen() ?? (isEnglish() ? 'en' : 'es'))

export const text = computed(() => DICTIONARIES[language.value])

export function setLanguage(next: Language): void {
  localStorage.setItem(NAME, next)
  language.value = next
}

effect(() => {
  document.documentElement.lang = language.value
  document.title = text.value.title
})

function chosen(): Language | null {
  const kept = localStorage.getItem(NAME)
  return kept === 'es' || kept === 'en' ? kept : null
}

/** Catalan, Basque and Galician readers are better served in Spanish. */
function isEnglish(): boolean {
  return !/^(es|ca|eu|gl)\b/.test(navigator.language)
}
