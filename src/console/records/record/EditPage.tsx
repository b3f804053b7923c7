import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { withoutChange, type Change } from '#console/ui/ChangeTable.tsx'
import { ChangeSummary } from '#console/ui/form/ChangeSummary.tsx'
import type { ConflictRow } from '#console/ui/form/conflict.ts'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { RecordSave } from './useRecordSave.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface EditPageProps<T, Form extends FieldValues, View extends object> {
  /** The record's name. */
  name: string
  /** The name of one record inside a sentence: "alert". */
  noun: string
  /** The record's page, where Cancel leads. */
  back: string
  form: UseFormReturn<Form>
  save: RecordSave<T>
  changes: readonly Change[]
  /** Why the record cannot be saved. */
  locked: string | undefined
  /** The write as a command; null if there is none. */
  command: string | null
  /** Every save is reviewed first, because it does more than the form shows. Otherwise a review is optional. */
  reviewFirst?: boolean
  /** Additional text of the review. */
  notes?: ReactNode
  /** Changes that somebody else saved meanwhile, field by field. */
  conflictOf: (theirs: T) => ConflictRow<View>[]
  titles: Record<keyof View & string, string>
  formatValue: (field: keyof View & string, view: View) => string
  /** Applies the form on top of the other version; its values are taken for these fields. */
  onRebase: (theirs: T, taken: (keyof View & string)[]) => void
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  children: ReactNode
}

/** The form of an existing record: fields, what a save would change, its review, and a conflict with another save. */
export function EditPage<T, Form extends FieldValues, View extends object>(props: EditPageProps<T, Form, View>) {
  const { name, noun, back, form, save, changes, locked, reviewFirst = false } = props
  const navigate = useNavigate()
  const [reviewing, setReviewing] = useState(false)
  const { theirs } = save
  const review = form.handleSubmit(() => setReviewing(true))
  const send = form.handleSubmit(() => {
    setReviewing(false)
    return save.save()
  })
  return (
    <Page title={`Edit ${name}`}>
      <FormPage
        onSubmit={() => void (reviewFirst ? review() : send())}
        submitLabel={reviewFirst ? 'Review and save' : `Save ${noun}`}
        onCancel={() => void navigate({ to: back })}
        {...(!reviewFirst && { onReview: () => void review() })}
        loading={save.pending}
        submitError={save.error}
        errorAction={save.unknown && <Button onClick={() => void save.checkOutcome()}>Check now</Button>}
        dirty={changes.length > 0}
        changes={<ChangeSummary changes={changes} requests={requests.length} />}
        wide={props.wide ?? false}
        disabled={locked ?? (theirs ? 'Resolve the conflict first.' : withoutChange(changes))}
      >
        {theirs && (
          <ConflictPanel
            noun={noun}
            rows={props.conflictOf(theirs)}
            titles={props.titles}
            formatValue={props.formatValue}
            onResolve={(taken) => {
              props.onRebase(theirs, taken)
              save.clear()
            }}
          />
        )}
        {props.children}
      </FormPage>
      {reviewing && (
        <ReviewDialog
          title={`Save ${noun} ${name}?`}
          changes={changes}
          requests={requests}
          command={props.command}
          action={`Save ${noun}`}
          disabled={locked}
          onSend={() => void send()}
          onClose={() => setReviewing(false)}
        >
          {props.notes}
        </ReviewDialog>
      )}
    </Page>
  )
}

const requests = ['read', 'write']
