/** Colours of both themes, in the words that the kit uses. Status colours are for status only. */
export interface Tokens {
  bg: string
  surface: string
  raised: string
  line: string
  /** Borders of controls. */
  edge: string
  text: string
  muted: string
  /** Too light for text: marks, separators, icons beside a word. */
  faint: string
  accent: string
  accentSoft: string
  accentText: string
  /** Text on the accent. */
  onAccent: string
  ok: string
  okSoft: string
  warn: string
  warnSoft: string
  bad: string
  badSoft: string
}

export const light: Tokens = {
  bg: '#f7f7f8',
  surface: '#ffffff',
  raised: '#ffffff',
  line: '#e4e4e9',
  edge: '#d3d3db',
  text: '#1c1d22',
  muted: '#62636c',
  faint: '#8b8d98',
  accent: '#4f5bd5',
  accentSoft: '#eceefc',
  accentText: '#3a44ad',
  onAccent: '#ffffff',
  ok: '#177245',
  okSoft: '#e3f4ea',
  warn: '#8f5500',
  warnSoft: '#fdf0d5',
  bad: '#c0282d',
  badSoft: '#fdeaea',
}

export const dark: Tokens = {
  bg: '#111216',
  surface: '#18191e',
  raised: '#1f2026',
  line: '#2a2c33',
  edge: '#3a3c45',
  text: '#ecedf1',
  muted: '#a3a5b0',
  faint: '#747681',
  accent: '#8b93f0',
  accentSoft: '#262a4a',
  accentText: '#b9befa',
  onAccent: '#11121a',
  ok: '#5cc48b',
  okSoft: '#163325',
  warn: '#e5ab4b',
  warnSoft: '#37290e',
  bad: '#f2777a',
  badSoft: '#3a191b',
}

/** Colours of stages, for the line over the frame and dots: light, dark. Always beside a word. `none`: no connection. */
export const stageTones: Record<string, readonly [light: string, dark: string]> = {
  production: ['#c62a2f', '#f2777a'],
  staging: ['#c2691b', '#e39a55'],
  development: ['#2f6fd0', '#6ea3ee'],
  local: ['#1a7f4b', '#5cc48b'],
  none: ['#8b8d98', '#747681'],
}

export const sans = '"Inter Variable", system-ui, sans-serif'
export const mono = '"JetBrains Mono Variable", ui-monospace, monospace'
