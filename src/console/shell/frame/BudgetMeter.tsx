import Box from '@mui/material/Box'
import { useEffect, useState } from 'react'
import { readBudget, useBudget, type Budget } from '#console/api/budget.ts'
import { useFrameConnection } from '../connection.tsx'
import { useSecondsUntil } from '#console/ui/useSecondsUntil.ts'
import { hint } from '#console/ui/hint/hint.ts'

/** Requests that the connection's key has left, and when it is full again. */
export function BudgetMeter() {
  const { connection } = useFrameConnection()
  const id = connection?.id
  const budget = useBudget(id)
  useEffect(() => {
    // Before the first answer, which may have to wait for the budget.
    if (id !== undefined) void readBudget(id)
  }, [id])
  return budget && <Meter budget={budget} />
}

function Meter({ budget }: { budget: Budget }) {
  const full = useFullAgain(budget.resetAt)
  const left = full ? budget.limit : budget.remaining
  const share = budget.limit === 0 ? 0 : left / budget.limit
  const color = share > 0.3 ? 'success.main' : share > 0.1 ? 'warning.main' : 'error.main'
  const next = useSecondsUntil(left === 0 ? budget.nextAt : 0)
  const words = `${left} of ${budget.limit} requests left for this key`
  return (
    <Box
      {...hint(`${words}. Background requests wait first when few are left.`)}
      role="meter"
      aria-label="Rate limit"
      aria-valuemin={0}
      aria-valuemax={budget.limit}
      aria-valuenow={left}
      aria-valuetext={words}
      sx={{
        display: { xs: 'none', lg: 'flex' },
        gap: 1.5,
        alignItems: 'center',
        color: 'text.secondary',
        fontSize: 12,
        whiteSpace: 'nowrap',
      }}
    >
      Rate limit
      <Box sx={{ width: 54, height: 5, borderRadius: 9, bgcolor: 'divider', overflow: 'hidden' }}>
        <Box sx={{ height: '100%', width: `${share * 100}%`, bgcolor: color }} />
      </Box>
      {left} of {budget.limit}
      {next > 0 && `, next in ${next} s`}
    </Box>
  )
}

/** Whether the moment of the reset has passed. */
function useFullAgain(resetAt: number): boolean {
  const [passed, setPassed] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(resetAt), Math.max(0, resetAt - Date.now()))
    return () => clearTimeout(timer)
  }, [resetAt])
  return passed === resetAt
}
