import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Centered } from '#console/ui/layout/Centered.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'

const BrokenPage = lazyComponent(async () => (await import('./BrokenPage.tsx')).BrokenPage)

/** Errors of imports that brought no code, as the bundler's loader tells them; each browser has other words for them. */
const withoutCode = new WeakSet<Error>()
if (typeof window !== 'undefined') {
  window.addEventListener('vite:preloadError', ({ payload }) => withoutCode.add(payload))
}

/** What stands in the place of a page that failed. It comes with the frame: code for it might be what is missing. */
export function PageError(props: ErrorComponentProps) {
  return props.error instanceof Error && withoutCode.has(props.error) ? <WithoutCode /> : <BrokenPage {...props} />
}

function WithoutCode() {
  return (
    <Centered alert>
      <Box component="h1" sx={{ typography: 'h1', m: 0 }}>
        This page could not be loaded
      </Box>
      <Box sx={{ color: 'text.secondary', maxWidth: 560 }}>
        The console’s server is not responding, or the console was updated. Saved data is safe. Reloading discards
        unsaved changes.
      </Box>
      <Button variant="contained" color="primary" onClick={() => location.reload()} sx={{ mt: 2 }}>
        Reload
      </Button>
    </Centered>
  )
}
