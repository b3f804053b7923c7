import { Redo2, Undo2 } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import { useMemo } from 'react'
import { confirm } from '#console/shell/messages/confirm.ts'
import { BottomBar } from '#console/ui/layout/BottomBar.tsx'
import { diff } from '#domain/json/diff.ts'
import { changeSummary } from '../save/formatChanges.ts'
import type { Draft } from './useDraft.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from '../dashboards.module.css'

interface DraftBarProps {
  draft: Draft
  onReview: () => void
  /** Saves without a review. */
  onSave?: () => void
  onLeave: () => void
}

/** At the foot of an edit: what changed, undo, redo, discard, review and save. */
export function DraftBar({ draft, onReview, onSave, onLeave }: DraftBarProps) {
  const { base, dashboard, dirty, persisted } = draft
  const summary = useMemo(() => changeSummary(diff(base, dashboard), base, dashboard), [base, dashboard])
  const discard = async () => {
    const sure =
      !dirty ||
      (await confirm({
        title: 'Discard changes?',
        body: `These changes will be lost: ${summary}.`,
        action: 'Discard',
        danger: true,
      }))
    if (!sure) return
    draft.restart(base)
    onLeave()
  }
  return (
    <BottomBar label="Draft">
      <BarButton label="Undo" keys="Ctrl+Z" run={draft.undo}>
        <Undo2 size={15} aria-hidden />
      </BarButton>
      <BarButton label="Redo" keys="Ctrl+Shift+Z" run={draft.redo}>
        <Redo2 size={15} aria-hidden />
      </BarButton>
      <Text color="textSecondary" className={css.draftBarStatus} aria-live="polite">
        {dirty ? summary : 'No changes yet'}
        {dirty && (persisted ? ' · draft saved in this browser' : ' · draft not saved: browser storage is unavailable')}
      </Text>
      <div className={css.draftBarActions}>
        <Button onClick={() => void discard()}>{dirty ? 'Discard' : 'Done'}</Button>
        {onSave && (
          <Button disabled={!dirty} onClick={onReview}>
            Review
          </Button>
        )}
        <Button variant="contained" color="primary" disabled={!dirty} onClick={onSave ?? onReview}>
          {onSave ? 'Save' : 'Review and save'}
        </Button>
      </div>
    </BottomBar>
  )
}

interface BarButtonProps {
  label: string
  keys: string
  run: (() => void) | null
  children: React.ReactNode
}

function BarButton({ label, keys, run, children }: BarButtonProps) {
  return (
    <span {...hint(`${label} (${keys})`)}>
      <IconButton aria-label={label} disabled={run === null} onClick={() => run?.()}>
        {children}
      </IconButton>
    </span>
  )
}
