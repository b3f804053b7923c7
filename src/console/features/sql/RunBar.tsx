import { CircleStop, ClipboardList, History, ListTree, Play, Save } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Connection } from '#contract/connections.ts'
import { removeStatement, useStatements } from './statements.ts'
import type { StatementRun } from './useStatement.ts'
import css from './Sql.module.css'

const SaveStatementDialog = lazyComponent(async () => (await import('./SaveStatementDialog.tsx')).SaveStatementDialog)

interface RunBarProps {
  connection: Connection
  text: string
  /** The ID of the saved statement that is open; empty without one. */
  saved: string
  run: StatementRun
  onRun: () => void
  onExplain: () => void
  onOpen: (statement: { id: string; text: string }) => void
}

/** Run and Stop, EXPLAIN, and the statements that this browser keeps. */
export function RunBar({ connection, text, saved, run, onRun, onExplain, onOpen }: RunBarProps) {
  const known = useStatements(connection.id)
  const [saving, setSaving] = useState(false)
  const open = known.saved.find(({ id }) => id === saved)
  const isEmpty = text.trim() === ''
  return (
    <div className={css.bar}>
      {run.isRunning ? (
        <Button variant="contained" color="error" startIcon={<CircleStop size={14} aria-hidden />} onClick={run.stop}>
          Stop
        </Button>
      ) : (
        <Button
          variant="contained"
          color="primary"
          disabled={isEmpty}
          startIcon={<Play size={14} aria-hidden />}
          onClick={onRun}
        >
          Run
        </Button>
      )}
      <Button disabled={isEmpty || run.isRunning} startIcon={<ListTree size={14} aria-hidden />} onClick={onExplain}>
        Explain
      </Button>
      <div className={css.spacer} />
      <MenuButton
        icon={History}
        label="Recent"
        choices={
          known.recent.length === 0
            ? [nothing(History, 'Nothing was run yet')]
            : known.recent.map((one) => ({
                icon: History,
                label: shortened(one),
                detail: 'in this browser, without texts that look secret',
                run: () => onOpen({ id: '', text: one }),
              }))
        }
      />
      <MenuButton
        icon={ClipboardList}
        label={open ? open.name : 'Saved'}
        choices={[
          {
            icon: Save,
            label: 'Save statement',
            detail: 'in this browser',
            run: () => setSaving(true),
            ...(isEmpty && { disabled: 'The statement is empty' }),
          },
          ...(open
            ? [
                {
                  icon: CircleStop,
                  label: `Remove “${open.name}”`,
                  detail: 'from this browser',
                  run: () => {
                    removeStatement(connection.id, open.id)
                    onOpen({ id: '', text })
                    toast({ tone: 'ok', text: `“${open.name}” was removed.` })
                  },
                },
              ]
            : []),
          ...known.saved.map((one) => ({
            icon: ClipboardList,
            label: one.name,
            detail: shortened(one.text),
            run: () => onOpen(one),
          })),
        ]}
      />
      {saving && (
        <SaveStatementDialog
          connectionId={connection.id}
          name={open?.name ?? ''}
          text={text}
          onSaved={onOpen}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  )
}

const nothing = (icon: typeof History, label: string) => ({ icon, label, detail: '', run: () => {}, disabled: label })

function shortened(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').trim()
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}
