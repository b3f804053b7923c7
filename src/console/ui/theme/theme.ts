/** The looks: tokens to a MUI theme with CSS variables, so that switching light and dark repaints without rendering. */
import { createTheme } from '@mui/material/styles'
import { components } from './components.ts'
import { dark, light, sans, stageTones, type Tokens } from './tokens.ts'

type Tone = Pick<
  Tokens,
  'raised' | 'edge' | 'faint' | 'accentSoft' | 'accentText' | 'okSoft' | 'warnSoft' | 'badSoft'
> & { stage: Record<string, string> }

declare module '@mui/material/styles' {
  interface Palette {
    tone: Tone
  }
  interface PaletteOptions {
    tone?: Tone
  }
}

function palette(tokens: Tokens, at: 0 | 1) {
  const { raised, edge, faint, accentSoft, accentText, okSoft, warnSoft, badSoft } = tokens
  const on = tokens.onAccent
  return {
    background: { default: tokens.bg, paper: tokens.surface },
    divider: tokens.line,
    text: { primary: tokens.text, secondary: tokens.muted, disabled: tokens.faint },
    // Under the pointer: `accentText` is further from the text on it in either theme. MUI's own is too dark for dark text.
    primary: { main: tokens.accent, dark: accentText, contrastText: on },
    success: { main: tokens.ok, contrastText: on },
    warning: { main: tokens.warn, contrastText: on },
    error: { main: tokens.bad, contrastText: on },
    info: { main: tokens.accent, contrastText: on },
    action: { hover: at === 0 ? '#0000000a' : '#ffffff0d', selected: accentSoft },
    tone: {
      raised,
      edge,
      faint,
      accentSoft,
      accentText,
      okSoft,
      warnSoft,
      badSoft,
      stage: Object.fromEntries(Object.entries(stageTones).map(([name, pair]) => [name, pair[at]])),
    },
  }
}

const text = { fontSize: 13, lineHeight: 1.45 }

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data-theme', cssVarPrefix: 'sc' },
  colorSchemes: { light: { palette: palette(light, 0) }, dark: { palette: palette(dark, 1) } },
  shape: { borderRadius: 7 },
  spacing: 4,
  transitions: {
    duration: {
      shortest: 80,
      shorter: 100,
      short: 120,
      standard: 120,
      complex: 120,
      enteringScreen: 120,
      leavingScreen: 100,
    },
  },
  typography: {
    fontFamily: sans,
    fontSize: 13,
    fontWeightMedium: 550,
    fontWeightBold: 600,
    h1: { fontSize: 18, lineHeight: 1.3, fontWeight: 600, letterSpacing: '-0.01em' },
    h2: { fontSize: 15, lineHeight: 1.35, fontWeight: 600 },
    h3: { fontSize: 13, lineHeight: 1.45, fontWeight: 600 },
    body1: text,
    body2: text,
    subtitle1: text,
    subtitle2: { ...text, fontWeight: 550 },
    button: { ...text, fontWeight: 550, textTransform: 'none' },
    caption: { fontSize: 12, lineHeight: 1.4 },
    overline: { fontSize: 11, lineHeight: 1.4, fontWeight: 550, textTransform: 'none', letterSpacing: 0 },
  },
  components,
})
