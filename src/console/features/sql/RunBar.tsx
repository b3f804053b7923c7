import { CircleStop, History, ListTree, Play } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { useRecentStatements } from './recentStatements.ts'
import { SavedMenu } from './SavedMenu.tsx'
import type { OpenStatement } from './useOpenStatement.ts'
import type { StatementRun } from './useStatement.ts'
import * as css from './sql.module.css'

interface RunBarProps {
  connection: Connection
  edited: OpenStatement
  statements: readonly SavedStatement[]
  run: StatementRun
  onRun: () => void
  onExplain: () => void
}

/** Run and Stop, EXPLAIN, and the statements to open: those that were run last, and saved ones. */
export function RunBar({ connection, edited, statements, run, onRun, onExplain }: RunBarProps) {
  const recent = useRecentStatements(connection.id)
  const isEmpty = edited.text.trim() === ''
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
      <Spacer />
      <MenuButton
        icon={History}
        label="Recent"
        choices={
          recent.length === 0
            ? [emptyEntry(History, 'Nothing was run yet')]
            : recent.map((statement) => ({
                id: statement,
                icon: History,
                label: shortened(statement),
                detail: 'in this browser, without texts that look secret',
                run: () => edited.openStatement({ id: '', text: statement }),
              }))
        }
      />
      <SavedMenu connection={connection} statements={statements} edited={edited} />
    </div>
  )
}

const emptyEntry = (icon: typeof History, label: string) => ({
  icon,
  label,
  detail: '',
  run: () => {},
  disabled: label,
})

function shortened(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').trim()
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}
