import { visibleText } from '#domain/text/visibleText.ts'
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { makeReadOnly } from '#console/shell/stage/readOnly.ts'
import { StageChip } from '#console/shell/stage/StageChip.tsx'
import { CountdownBar } from './CountdownBar.tsx'
import * as css from './frame.module.css'

/** Says that a production connection accepts writes, and offers to end it. */
export function WritesAllowedBar({ connection, until }: { connection: Connection; until: string }) {
  return (
    <CountdownBar
      label="Writes allowed"
      icon={
        <>
          <LockKeyholeOpen size={14} aria-hidden className={css.icon} />
          <span className={css.stage}>
            <StageChip stage={connection.stage} />
          </span>
        </>
      }
      until={until}
      before={
        <>
          <span className={css.userText}>{visibleText(connection.name)}: </span>
          writes allowed for
        </>
      }
      endsSoon="Read-only again in less than a minute."
      action={
        <Button
          className={css.countdownAction}
          startIcon={<LockKeyhole size={14} aria-hidden />}
          onClick={() => void makeReadOnly(connection)}
        >
          Make read-only now
        </Button>
      }
    />
  )
}
