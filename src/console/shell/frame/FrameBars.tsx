import Box from '@mui/material/Box'
import { useBudget } from '#console/api/budget.ts'
import { onDemand } from '#console/ui/onDemand.tsx'
import type { Connection } from '#contract/connections.ts'

const WaitingBar = onDemand(async () => (await import('./WaitingBar.tsx')).WaitingBar)
const LiftedBar = onDemand(async () => (await import('./LiftedBar.tsx')).LiftedBar)

/** Between the top bar and the page, in sight however far the page is scrolled. */
export function FrameBars({ connection }: { connection: Connection | undefined }) {
  const until = connection?.readOnlyLiftedUntil
  const budget = useBudget(connection?.id)
  return (
    <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
      {connection && until && <LiftedBar key={`${connection.id} ${until}`} connection={connection} until={until} />}
      {budget && budget.waiting > 0 && <WaitingBar budget={budget} />}
    </Box>
  )
}
