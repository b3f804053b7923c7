import Box from '@mui/material/Box'
import type { Outcome } from '#console/api/bulk.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'

const words: Record<Outcome['state'], string> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  left: 'not tried',
}
const tones = { waiting: 'neutral', running: 'accent', done: 'ok', failed: 'bad', left: 'neutral' } as const

interface OutcomeListProps {
  rows: readonly { id: string; name: string }[]
  outcomes: ReadonlyMap<string, Outcome>
}

/** What became of each thing that something was done to. */
export function OutcomeList({ rows, outcomes }: OutcomeListProps) {
  return (
    <Box
      component="ul"
      aria-label="Outcomes"
      // A list that scrolls must be reached by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 280, overflow: 'auto' }}
    >
      {rows.map(({ id, name }) => {
        const outcome = outcomes.get(id) ?? { state: 'waiting' as const }
        return (
          <Box component="li" key={id} sx={{ display: 'flex', gap: 2, alignItems: 'center', py: 1 }}>
            <StatusChip tone={tones[outcome.state]}>{words[outcome.state]}</StatusChip>
            <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
              {name}
              {outcome.state === 'failed' && `: ${outcome.failure.message}`}
            </Box>
          </Box>
        )
      })}
    </Box>
  )
}
