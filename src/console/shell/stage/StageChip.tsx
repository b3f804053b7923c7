/** How the stage of a connection is shown wherever the connection is named: a dot and a word, never colour alone. */
import { visibleText } from '#domain/text/visibleText.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Stage } from '#contract/console/stages.ts'
import { stageTones, stageLabels } from './stageLabels.ts'
import * as css from '../shell.module.css'

export function StageChip({ stage }: { stage: Stage }) {
  return (
    <StatusChip tone={stageTones[stage]}>
      <span className={css.stageChipLabel}>{stageLabels[stage]}</span>
    </StatusChip>
  )
}

export function StageDot({ stage }: { stage: Stage }) {
  return <span aria-hidden className={css.stageChipDot} style={{ backgroundColor: `var(--stage-${stage})` }} />
}

/** Names the connection that a dialog is about. */
export function ConnectionLine({ connection }: { connection: Pick<Connection, 'name' | 'stage'> }) {
  const name = visibleText(connection.name)
  return (
    <div
      role="note"
      aria-label={`Connection: ${name}, ${stageLabels[connection.stage]}`}
      className={css.connectionLine}
    >
      <StageDot stage={connection.stage} />
      <span className={css.connectionName}>{name}</span>
      <StageChip stage={connection.stage} />
    </div>
  )
}
