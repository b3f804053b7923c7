import { z } from 'zod'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { saveStatement, type SavedStatement } from './statements.ts'

interface SaveStatementDialogProps {
  connectionId: string
  name: string
  text: string
  onSaved: (saved: SavedStatement) => void
  onClose: () => void
}

const schema = z.object({ name: z.string().trim().min(1).max(100) })

/** Gives a statement a name, under which this browser keeps it. */
export function SaveStatementDialog({ connectionId, name, text, onSaved, onClose }: SaveStatementDialogProps) {
  const { control, handleSubmit, formState } = useSchemaForm(schema, { name })
  const send = handleSubmit((values) => {
    onSaved(saveStatement(connectionId, values.name, text))
    onClose()
  })
  return (
    <FormDialog
      title="Save statement"
      action="Save statement"
      size="xs"
      disabled={!formState.isValid}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <TextField control={control} name="name" label="Name" required maxLength={100} />
      <Text variant="caption" color="textSecondary">
        Kept in this browser as it is written: leave out what is secret. A statement with this name is replaced.
      </Text>
    </FormDialog>
  )
}
