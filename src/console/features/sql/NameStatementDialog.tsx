import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import { changeStatement, saveStatement } from '#console/api/gateway/savedStatements.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ConnectionLine } from '#console/shell/stage/StageChip.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FormDialog } from '#console/ui/form/FormDialog.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { Connection } from '#contract/console/connections.ts'
import { savedStatementInput, savedStatementLimits, type SavedStatement } from '#contract/console/savedStatements.ts'

interface NameStatementDialogProps {
  connection: Connection
  /** The statement that gets another name; absent for a new one. */
  renamed: SavedStatement | undefined
  /** The text of a new statement. */
  text: string
  onSaved: (saved: SavedStatement) => void
  onClose: () => void
}

const schema = z.object({ name: savedStatementInput.shape.name })

/** Saves a statement under a name, or gives a saved one another name. */
export function NameStatementDialog({ connection, renamed, text, onSaved, onClose }: NameStatementDialogProps) {
  const { control, handleSubmit, formState } = useSchemaForm(schema, { name: renamed?.name ?? '' })
  const save = useMutation({
    mutationFn: ({ name }: z.output<typeof schema>) =>
      renamed
        ? changeStatement(connection.id, renamed, { name, text: renamed.text })
        : saveStatement(connection.id, { name, text }),
    onSuccess: (saved) => {
      onSaved(saved)
      onClose()
      toast({ tone: 'ok', text: `Statement ${saved.name} saved` })
    },
  })
  const send = handleSubmit((values) => save.mutate(values))
  const title = renamed ? 'Rename statement' : 'Save statement'
  return (
    <FormDialog
      title={title}
      action={title}
      size="xs"
      busy={save.isPending}
      disabled={!formState.isValid}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <ConnectionLine connection={connection} />
      {save.isError && <SubmitError error={formatError(save.error, location.pathname)} />}
      <TextField control={control} name="name" label="Name" required maxLength={savedStatementLimits.name} />
      <Text variant="caption" color="textSecondary">
        Everybody who may run SQL on this connection sees it as it is written: leave out what is secret.
      </Text>
    </FormDialog>
  )
}
