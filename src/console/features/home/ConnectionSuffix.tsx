import { StageDot } from '#console/shell/stage/StageChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import * as css from './home.module.css'

/** The connection that something is on, beside it. */
export function ConnectionSuffix({ connection }: { connection: Connection }) {
  return (
    <span className={css.connectionSuffix}>
      <StageDot stage={connection.stage} />
      {visibleText(connection.name)}
    </span>
  )
}
