import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NameDialog } from '#console/records/record/NameDialog.tsx'
import { maxTeamName, team } from '#contract/stack/team.ts'

/** Gives the team another name. */
export function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const connection = useConnection()
  const rename = useApiMutation(connection.id, team.rename, { onSuccess: onClose })
  return (
    <NameDialog
      title="Rename team"
      action="Rename team"
      connection={connection}
      name={name}
      isRename
      maxLength={maxTeamName}
      busy={rename.isPending}
      error={rename.error && formatError(rename.error)}
      onSubmit={(wanted) => rename.mutate({ body: { name: wanted } })}
      onClose={onClose}
    />
  )
}
