import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useFrameConnection } from '../connection.tsx'
import css from './FrameBars.module.css'

const BreakGlassBar = lazyComponent(async () => (await import('./BreakGlassBar.tsx')).BreakGlassBar)
const WritesAllowedBar = lazyComponent(async () => (await import('./WritesAllowedBar.tsx')).WritesAllowedBar)

/** Between the top bar and the page, in sight however far the page is scrolled, and of whichever connection it is. */
export function FrameBars() {
  const { connections } = useFrameConnection()
  return (
    <div className={css.frameBars}>
      {connections.map(
        (one) => one.breakGlass && <BreakGlassBar key={one.id} connection={one} breakGlass={one.breakGlass} />,
      )}
      {connections.map((one) => {
        const until = one.readOnlyLiftedUntil
        return until && <WritesAllowedBar key={`${one.id} ${until}`} connection={one} until={until} />
      })}
    </div>
  )
}
