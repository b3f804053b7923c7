import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ClipboardList, ListPlus, Pencil, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { changeStatement } from '#console/api/gateway/savedStatements.ts'
import { paths } from '#console/paths/paths.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { formatDatedMoment } from '#console/ui/time/formatTime.ts'
import type { Connection } from '#contract/console/connections.ts'
import { savedStatementLimits, type SavedStatement } from '#contract/console/savedStatements.ts'
import type { OpenStatement } from './useOpenStatement.ts'

const NameStatementDialog = lazyComponent(async () => (await import('./NameStatementDialog.tsx')).NameStatementDialog)

interface SavedMenuProps {
  connection: Connection
  statements: readonly SavedStatement[]
  /** The text in the editor, with its statement. */
  edited: OpenStatement
}

/** The statements that people keep on the connection, to open, save, rename and delete. */
export function SavedMenu({ connection, statements, edited }: SavedMenuProps) {
  const { open, text, openStatement, remove } = edited
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null)
  const { id: connectionId, writesRefused } = connection
  const navigate = useNavigate()
  const problem = writesRefused ?? problemOf(text)
  const update = useMutation({
    mutationFn: (read: SavedStatement) => changeStatement(connectionId, read, { name: read.name, text }),
    onSuccess: ({ name }) => toast({ tone: 'ok', text: `Statement ${name} saved` }),
    onError: toastFailure,
  })
  return (
    <>
      <MenuButton
        icon={ClipboardList}
        label={open ? open.name : 'Saved'}
        choices={[
          {
            icon: ListPlus,
            label: open ? 'Save as another statement' : 'Save statement',
            detail: 'for everybody who may run SQL here',
            run: () => setNaming('new'),
            disabled: problem,
          },
          ...(open
            ? [
                {
                  icon: Save,
                  label: `Save changes to “${open.name}”`,
                  detail: 'in place of its text',
                  run: () => update.mutate(open),
                  disabled: problem ?? (text === open.text ? 'The statement is not changed' : undefined),
                },
                {
                  icon: Pencil,
                  label: `Rename “${open.name}”`,
                  detail: 'its text stays',
                  run: () => setNaming('rename'),
                  disabled: writesRefused,
                },
                {
                  icon: Trash2,
                  label: `Delete “${open.name}”`,
                  detail: 'for everybody',
                  run: () => void remove(open),
                  disabled: writesRefused,
                },
              ]
            : []),
          {
            icon: ClipboardList,
            label: 'All saved statements',
            detail: 'with who saved them and when they were run',
            run: () => void navigate({ to: paths.savedStatements(connectionId) }),
          },
          ...statements.map((statement) => ({
            id: statement.id,
            icon: ClipboardList,
            label: statement.name,
            detail: `${formatBrowser(statement.changedBy ?? statement.author)}, ${formatDatedMoment(statement.updatedAt)}`,
            run: () => openStatement(statement),
          })),
        ]}
      />
      {naming && (
        <NameStatementDialog
          connection={connection}
          renamed={naming === 'rename' ? open : undefined}
          text={text}
          onSaved={(saved) => naming === 'new' && openStatement(saved)}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  )
}

function problemOf(text: string): string | undefined {
  if (text.trim() === '') return 'The statement is empty'
  return text.length > savedStatementLimits.text ? 'The statement is too long' : undefined
}
