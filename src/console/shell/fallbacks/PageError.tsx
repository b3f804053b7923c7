import type { ErrorComponentProps } from '@tanstack/react-router'
import { Centered } from '#console/ui/layout/Centered.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from '../shell.module.css'

const BrokenPage = lazyComponent(async () => (await import('./BrokenPage.tsx')).BrokenPage)

/** Errors of imports that failed to load code, as reported by the bundler; browsers word them differently. */
const withoutCode = new WeakSet<Error>()
if (typeof window !== 'undefined') {
  window.addEventListener('vite:preloadError', ({ payload }) => withoutCode.add(payload))
}

/** Shown instead of a page that failed. Part of the frame, because its own code might be what cannot be loaded. */
export function PageError(props: ErrorComponentProps) {
  return props.error instanceof Error && withoutCode.has(props.error) ? <WithoutCode /> : <BrokenPage {...props} />
}

function WithoutCode() {
  return (
    <Centered alert>
      <h1 className={css.pageErrorTitle}>This page could not be loaded</h1>
      <div className={css.explanation}>
        The console’s server is not responding, or the console was updated. Saved data is safe. Reloading discards
        unsaved changes.
      </div>
      <Button variant="contained" color="primary" onClick={() => location.reload()} className={css.reloadButton}>
        Reload
      </Button>
    </Centered>
  )
}
