/** Entry point of the console. */
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadInitialState } from './api/initialState.ts'
import { queryClient } from './api/queryClient.ts'
import { router } from './routes.tsx'
import { extractLinkToken } from './shell/session/linkToken.ts'
import { nonce } from './ui/nonce.ts'
import './ui/theme/fonts.css'
import './ui/theme/outline.css'
import { theme } from './ui/theme/theme.ts'

// zod's compiled parsers need eval, which the page's security policy forbids. It reads this
// setting before its first schema is created; `z.config({ jitless: true })` would come too late.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
extractLinkToken()
loadInitialState()

const styles = createCache({ key: 'sc', nonce, prepend: true })

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
createRoot(container).render(
  <StrictMode>
    <CacheProvider value={styles}>
      <ThemeProvider
        theme={theme}
        defaultMode="system"
        modeStorageKey="stack-console.theme"
        colorSchemeStorageKey="stack-console.scheme"
      >
        <CssBaseline />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ThemeProvider>
    </CacheProvider>
  </StrictMode>,
)
