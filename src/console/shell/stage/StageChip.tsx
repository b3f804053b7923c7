/** How the stage of a connection is shown wherever the connection is named: a dot and a word, never colour alone. */
import Box from '@mui/material/Box'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Stage } from '#contract/stages.ts'
import { stageTones, stageLabels } from './stageLabels.ts'

export function StageChip({ stage }: { stage: Stage }) {
  return (
    <StatusChip tone={stageTones[stage]}>
      <Box component="span" sx={{ textTransform: 'uppercase', letterSpacing: '0.03em', fontSize: 10.5 }}>
        {stageLabels[stage]}
      </Box>
    </StatusChip>
  )
}

export function StageDot({ stage }: { stage: Stage }) {
  return (
    <Box
      component="span"
      aria-hidden
      sx={{ width: 8, height: 8, borderRadius: 9, flexShrink: 0, bgcolor: `tone.stage.${stage}` }}
    />
  )
}

/** Names the connection that a dialog is about. */
export function ConnectionLine({ connection }: { connection: Pick<Connection, 'name' | 'stage'> }) {
  return (
    <Box
      role="note"
      aria-label={`Connection: ${connection.name}, ${stageLabels[connection.stage]}`}
      sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 2, minHeight: 24 }}
    >
      <StageDot stage={connection.stage} />
      <Box component="span" sx={{ fontWeight: 550, overflowWrap: 'anywhere', minWidth: 0 }}>
        {connection.name}
      </Box>
      <StageChip stage={connection.stage} />
    </Box>
  )
}
