import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { withoutChange } from '#console/ui/ChangeTable.tsx'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { PendingChangeNotice } from '../pendingChanges/PendingChangeNotice.tsx'
import { ReviewDialog } from '../record/ReviewDialog.tsx'
import type { ScalingTarget, Sent, useScaling } from './useScaling.ts'

interface ScalingPageProps<T extends object, Form extends FieldValues, State> {
  target: ScalingTarget<T, Form, State>
  scaling: ReturnType<typeof useScaling<T, Form, State>>
  title: string
  state: ReactNode
  lead: string
  nav?: ReactNode
  actions?: ReactNode
  /** The label of the button: "Scale pipe". */
  action: string
  /** The effect of a save, in the bar: "2 changes · 1 API request". */
  summary: string
  /** The request that sends values; null if they are not valid. */
  command: (values: Sent) => string | null
  /** Additional text of the review. */
  notes: ReactNode
  back: string
  /** The deployment cannot be read. */
  unreachable: boolean
  /** The content takes the whole width. */
  wide?: boolean
  /** The fields. */
  children: ReactNode
}

/** The page that scales a pipe or a service: its fields, the pending change, the review, and a conflict with others. */
export function ScalingPage<T extends object, Form extends FieldValues, State>(
  props: ScalingPageProps<T, Form, State>,
) {
  const { target, scaling, title, action, command } = props
  const { form, changes, values, pendingChange, progress, conflict } = scaling
  const navigate = useNavigate()
  const locked = lockReason(useConnection())
  const [reviewed, setReviewed] = useState(false)
  const send = () => {
    setReviewed(false)
    void scaling.submit()
  }
  return (
    <Page title={title} state={props.state} lead={props.lead} nav={props.nav} actions={props.actions}>
      <FormPage
        wide={props.wide ?? false}
        onSubmit={send}
        submitLabel={action}
        onCancel={() => (changes.length > 0 ? scaling.discard() : void navigate({ to: props.back }))}
        loading={scaling.pending}
        submitError={scaling.error}
        dirty={changes.length > 0}
        changes={props.summary}
        disabled={locked ?? (conflict ? 'Resolve the conflict first.' : withoutChange(changes))}
        onReview={() => void form.handleSubmit(() => setReviewed(true))()}
      >
        {conflict && (
          <ConflictPanel
            noun={target.noun}
            rows={conflict}
            unseen="None of the values here shows it. Check them before you save again."
            titles={target.titles}
            formatValue={(field, size) => target.formatValue(field, size[field] ?? null)}
            onResolve={scaling.resolve}
          />
        )}
        {pendingChange && progress && (
          <PendingChangeNotice
            change={pendingChange}
            progress={progress}
            unreachable={props.unreachable}
            onRevert={locked === undefined && scaling.revert ? () => void scaling.revert?.() : undefined}
            reverting={scaling.pending}
            onClose={scaling.forget}
          />
        )}
        {props.children}
      </FormPage>
      {reviewed && (
        <ReviewDialog
          title={title}
          changes={changes}
          requests={['write']}
          command={command(values)}
          action={action}
          disabled={locked}
          onSend={send}
          onClose={() => setReviewed(false)}
        >
          {props.notes}
        </ReviewDialog>
      )}
    </Page>
  )
}
