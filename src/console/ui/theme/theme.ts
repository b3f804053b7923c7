/** MUI's theme, from the tokens of the stylesheets: with CSS variables, so that switching light and dark repaints without rendering. */
import { extendTheme } from '@mui/material/styles'
import { components } from './components.ts'
import { dark, light, type Tokens } from './tokens.ts'

interface Tone {
  raised: string
  edge: string
  faint: string
}

declare module '@mui/material/styles' {
  interface Palette {
    tone: Tone
  }
  interface PaletteOptions {
    tone?: Tone
  }
}

function palette(token: Tokens) {
  const contrastText = token('on-accent')
  const main = (name: string) => ({ main: token(name), contrastText })
  return {
    background: { default: token('bg'), paper: token('surface') },
    divider: token('line'),
    text: { primary: token('text'), secondary: token('muted'), disabled: token('faint') },
    // Under the pointer: `accent-text` is further from the text on it in either theme. MUI's own is too dark for dark text.
    primary: { ...main('accent'), dark: token('accent-text') },
    success: main('ok'),
    warning: main('warn'),
    error: main('bad'),
    info: main('accent'),
    action: { hover: token('hover'), selected: token('accent-soft') },
    tone: {
      raised: token('raised'),
      edge: token('edge'),
      faint: token('faint'),
    },
  }
}

const text = { fontSize: 13, lineHeight: 1.45 }

export const theme = extendTheme({
  colorSchemeSelector: 'data-theme',
  cssVarPrefix: 'sc',
  colorSchemes: { light: { palette: palette(light) }, dark: { palette: palette(dark) } },
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
    fontFamily: 'var(--sans)',
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
