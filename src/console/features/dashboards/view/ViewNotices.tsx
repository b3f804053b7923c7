/** The notices above the tiles of a dashboard in view mode. */
import { useState } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { deleteDraft, loadDraft } from '../model/draftStore.ts'
import * as css from './dashboardView.module.css'

interface DraftNoticeProps {
  connectionId: string
  dashboardId: string
  onContinue: () => void
}

/** Says that an edit was begun and not saved. */
export function DraftNotice({ connectionId, dashboardId, onContinue }: DraftNoticeProps) {
  const [draft, setDraft] = useState(() => loadDraft(connectionId, dashboardId))
  if (!draft) return null
  const discard = () => {
    deleteDraft(connectionId, dashboardId)
    setDraft(null)
  }
  return (
    <div className={css.viewNotice}>
      <Notice
        tone="info"
        action={
          <div className={css.viewActions}>
            <Button onClick={discard}>Discard</Button>
            <Button onClick={onContinue}>Continue editing</Button>
          </div>
        }
      >
        You have an unsaved draft, last changed <Timestamp iso={new Date(draft.at).toISOString()} />.
      </Notice>
    </div>
  )
}

interface NoDataNoticeProps {
  /** Why this connection has no data. */
  reason: string
  /** Other connections are not known yet. */
  disabled: boolean
  onChoose: () => void
}

/** Leads to a connection that has the data. */
export function NoDataNotice({ reason, disabled, onChoose }: NoDataNoticeProps) {
  const { variant } = useConnection()
  return (
    <div className={css.viewNotice}>
      <Notice
        tone="info"
        action={
          <Button disabled={disabled} onClick={onChoose}>
            Choose query connection
          </Button>
        }
      >
        {reason} To see data, choose {variant === 'openSource' ? 'another' : 'an'} open-source connection to the same
        data.
      </Notice>
    </div>
  )
}
