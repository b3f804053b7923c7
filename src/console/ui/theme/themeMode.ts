/** Light, dark, or what the system has: kept in the browser, and applied as an attribute of the document. */
import { Store, useStore } from '@tanstack/react-store'

export type ThemeMode = 'light' | 'dark' | 'system'

/** The script in `index.html` applies it before the first paint. */
const key = 'stack-console.theme'
const systemDark = matchMedia('(prefers-color-scheme: dark)')

const mode = new Store<ThemeMode>(savedMode())
const dark = new Store(isDark())

export const useThemeMode = () => useStore(mode)

/** Whether the page is dark now, for what does not follow CSS variables. */
export const useDark = () => useStore(dark)

/** Changes the theme of all tabs of this browser. */
export function setThemeMode(chosen: ThemeMode): void {
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
  mode.setState(() => chosen)
  apply()
}

systemDark.addEventListener('change', apply)
addEventListener('storage', (event) => {
  if (event.key !== key) return
  mode.setState(savedMode)
  apply()
})

function apply(): void {
  dark.setState(isDark)
  const html = document.documentElement
  html.setAttribute('data-theme', dark.state ? 'dark' : 'light')
  // Set by the script in `index.html`, for the moment before the stylesheets.
  html.style.removeProperty('color-scheme')
  html.style.removeProperty('background-color')
}

function isDark(): boolean {
  return mode.state === 'dark' || (mode.state === 'system' && systemDark.matches)
}

function savedMode(): ThemeMode {
  try {
    const saved = localStorage.getItem(key)
    return saved === 'light' || saved === 'dark' ? saved : 'system'
  } catch {
    return 'system'
  }
}
