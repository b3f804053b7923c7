import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { lockReason } from '#console/shell/lockReason.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { withoutChange } from '#console/ui/ChangeTable.tsx'
import { ConflictPanel } from '#console/ui/form/ConflictPanel.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { UnsavedGuard } from '#console/ui/form/UnsavedGuard.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { ServicePart } from './servicePart.ts'
import * as css from '../services.module.css'

interface PartFormProps<T extends object, Form extends FieldValues> {
  title: string
  aside?: ReactNode
  part: ServicePart<T, Form>
  submitLabel: string
  /** Why it cannot be saved, besides the connection and a form without changes. */
  problem?: string | undefined
  /** It may be saved as it is: the part is not set yet. */
  mayRepeat?: boolean
  /** Beside the button that saves. */
  actions?: ReactNode
  /** A sentence below the fields. */
  note?: ReactNode
  children: ReactNode
}

/** The panel of a part of a service: its fields, what went wrong, and the button that saves it. */
export function PartForm<T extends object, Form extends FieldValues>(props: PartFormProps<T, Form>) {
  const { title, aside, part, submitLabel, problem, mayRepeat = false, actions, note, children } = props
  const { changes, save, submit, conflict, resolve, model } = part
  const disabled =
    lockReason(useConnection()) ??
    (conflict ? 'Resolve the conflict first.' : undefined) ??
    problem ??
    (mayRepeat ? undefined : withoutChange(changes))
  return (
    <>
      {conflict && (
        <ConflictPanel
          noun={model.noun}
          rows={conflict}
          titles={model.titles}
          formatValue={model.formatValue}
          onResolve={resolve}
        />
      )}
      <Panel title={title} aside={aside}>
        <UnsavedGuard dirty={changes.length > 0} />
        <form
          noValidate
          aria-label={title}
          className={css.partForm}
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          {save.error && (
            <SubmitError
              error={save.error}
              action={save.unknown && <Button onClick={() => void save.checkOutcome()}>Check now</Button>}
            />
          )}
          {children}
          <div className={css.partActions}>
            <DisabledReason reason={disabled}>
              <Button type="submit" disabled={disabled !== undefined} loading={save.pending}>
                {submitLabel}
              </Button>
            </DisabledReason>
            {actions}
            {note && <div className={css.partNote}>{note}</div>}
          </div>
        </form>
      </Panel>
    </>
  )
}
