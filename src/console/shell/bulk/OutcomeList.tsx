import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import type { Outcome } from '#console/api/bulk.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'

const words: Record<Outcome['state'], string> = {
  waiting: 'waiting',
  running: 'running',
  paused: 'waiting',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
}
const tones = {
  waiting: 'neutral',
  running: 'accent',
  paused: 'warn',
  done: 'ok',
  failed: 'bad',
  skipped: 'neutral',
} as const

export interface OutcomeRow {
  id: string
  name: string
  /** Shown below a failed row: what blocks it, with a link. */
  blocker?: ReactNode
}

interface OutcomeListProps {
  rows: readonly OutcomeRow[]
  outcomes: ReadonlyMap<string, Outcome>
}

/** The outcome of each row of a job. */
export function OutcomeList({ rows, outcomes }: OutcomeListProps) {
  return (
    <ScrollRegion as="ul" label="Outcomes" sx={{ maxHeight: 280 }}>
      {rows.map(({ id, name, blocker }) => {
        const outcome = outcomes.get(id) ?? { state: 'waiting' as const }
        return (
          <Box component="li" key={id} sx={{ display: 'flex', gap: 2, alignItems: 'baseline', py: 1 }}>
            <StatusChip tone={tones[outcome.state]}>{words[outcome.state]}</StatusChip>
            <Box sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
              {name}
              {outcome.state === 'failed' && (
                <>
                  : {outcome.failure.message}
                  {blocker}
                </>
              )}
            </Box>
          </Box>
        )
      })}
    </ScrollRegion>
  )
}
