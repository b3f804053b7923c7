import { useMemo, type ReactNode } from 'react'
import { z } from 'zod'
import { CheckboxField } from '#console/ui/form/fields/CheckboxField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'

interface NameDialogProps {
  title: string
  /** The button that submits: "Create dashboard". */
  action: string
  /** The connection of the record, if it has one. */
  connection?: Connection
  /** The name to start with. */
  name?: string
  maxLength: number
  /** Only another name can be saved. */
  isRename?: boolean
  help?: string
  /** An additional option. */
  option?: string | undefined
  busy: boolean
  error: ErrorText | null
  onSubmit: (name: string, option: boolean) => void
  onClose: () => void
  /** Below the fields. */
  children?: ReactNode
}

/** Names what is created, copied or renamed. */
export function NameDialog(props: NameDialogProps) {
  const { title, action, connection, name = '', maxLength, isRename = false, help, option, busy, error } = props
  const schema = useMemo(
    () => z.object({ name: z.string().trim().min(1).max(maxLength), option: z.boolean() }),
    [maxLength],
  )
  const {
    control,
    formState: { isDirty, isValid },
    handleSubmit,
  } = useSchemaForm(schema, { name, option: false })
  return (
    <FormDialog
      title={title}
      size="xs"
      action={action}
      busy={busy}
      disabled={!isValid || (isRename && !isDirty)}
      onSubmit={() => void handleSubmit((form) => props.onSubmit(form.name, form.option))()}
      onClose={props.onClose}
    >
      {connection && <ConnectionLine connection={connection} />}
      {error && <SubmitError error={error} />}
      <TextField control={control} name="name" label="Name" required maxLength={maxLength} help={help} />
      {option !== undefined && <CheckboxField control={control} name="option" label={option} />}
      {props.children}
    </FormDialog>
  )
}
