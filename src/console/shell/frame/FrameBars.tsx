import Box from '@mui/material/Box'
import { useBudget } from '#console/api/budget.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useFrameConnection } from '../connection.tsx'

const WaitingBar = lazyComponent(async () => (await import('./WaitingBar.tsx')).WaitingBar)
const LiftedBar = lazyComponent(async () => (await import('./LiftedBar.tsx')).LiftedBar)

/** Between the top bar and the page, in sight however far the page is scrolled, and of whichever connection it is. */
export function FrameBars() {
  const { connection, inAddress, connections } = useFrameConnection()
  const budget = useBudget(inAddress ? connection?.id : undefined)
  return (
    <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
      {connections.map((one) => {
        const until = one.readOnlyLiftedUntil
        return until && <LiftedBar key={`${one.id} ${until}`} connection={one} until={until} />
      })}
      {budget && budget.waiting > 0 && <WaitingBar budget={budget} />}
    </Box>
  )
}
