/** The surroundings of MUI's parts. They come with the first of them: pages and frame are drawn without. */
import createCache from '@emotion/cache'
import { CacheProvider, Global, ThemeContext } from '@emotion/react'
import DefaultPropsProvider from '@mui/material/DefaultPropsProvider'
import type { ComponentProps, ReactNode } from 'react'
import { nonce } from '../base/nonce.ts'
import { components } from './components.ts'
import { theme } from './theme.ts'

const cache = createCache({ key: 'sc', nonce, prepend: true })
// Its type names the props alone, its code reads `defaultProps` of the theme's components.
const defaults = components as ComponentProps<typeof DefaultPropsProvider>['value']
const variables = theme.generateStyleSheets()

/**
 * Wraps every part with components of MUI. Not their own ThemeProvider, which would keep the mode a second time: the
 * attribute of the document selects the theme (`themeMode.ts`).
 */
export function MuiProvider({ children }: { children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <Global styles={variables} />
      <ThemeContext value={theme}>
        <DefaultPropsProvider value={defaults}>{children}</DefaultPropsProvider>
      </ThemeContext>
    </CacheProvider>
  )
}
