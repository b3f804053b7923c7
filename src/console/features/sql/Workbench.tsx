import { useEffect, useMemo, useRef } from 'react'
import { useUrlState } from '#console/shell/urlState.ts'
import { CodeField, type CodeHandle } from '#console/ui/code/CodeField.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import type { SqlTable } from '#contract/stack/sql.ts'
import { problemOf } from './problem.ts'
import { Result } from './Result.tsx'
import { RunBar } from './RunBar.tsx'
import { sqlState } from './sqlState.ts'
import { keepRecent } from './recentStatements.ts'
import { TableBrowser } from './TableBrowser.tsx'
import { useOpenStatement } from './useOpenStatement.ts'
import { useStatement } from './useStatement.ts'
import * as css from './sql.module.css'

const example =
  'SELECT ServiceName, count() AS records\nFROM otel_logs\nWHERE Timestamp > now() - INTERVAL 1 HOUR\nGROUP BY ServiceName\nORDER BY records DESC'

interface WorkbenchProps {
  connection: Connection
  tables: readonly SqlTable[]
  /** Undefined if they could not be read. */
  statements: readonly SavedStatement[] | undefined
}

/** The browser of tables, the editor, and the result of the statement that was run last. */
export function Workbench({ connection, tables, statements }: WorkbenchProps) {
  const [{ view }, change] = useUrlState(sqlState)
  const edited = useOpenStatement(connection, statements, () => firstStatement(tables))
  const { text, edit } = edited
  const editor = useRef<CodeHandle>(null)
  const run = useStatement(connection.id)
  const problems = useMemo(
    () => (run.error && run.asked ? problemOf(run.error, run.asked.statement) : []),
    [run.error, run.asked],
  )

  const start = (statement: string, explain?: 'indexes') => {
    if (statement.trim() === '') return
    keepRecent(connection.id, statement)
    const query = { statement, ...(explain && { explain }) }
    run.start(query)
    edited.noteRun(query)
  }
  // The editor keeps the function that it was made with.
  const latest = useRef({ start, tables })
  useEffect(() => {
    latest.current = { start, tables }
  })
  const extend = useMemo(
    () => async () => {
      const { sqlExtensions } = await import('./sqlExtensions.ts')
      return sqlExtensions(
        () => latest.current.tables,
        (statement) => latest.current.start(statement),
      )
    },
    [],
  )

  return (
    <div className={css.workbench}>
      <TableBrowser tables={tables} onInsert={(name) => editor.current?.insert(name)} />
      <div className={css.main}>
        {edited.isGone && <Notice tone="warning">This saved statement does not exist any more.</Notice>}
        <CodeField
          handle={editor}
          label="SQL statement"
          language="sql"
          text={text}
          minHeight={150}
          onChange={edit}
          problems={problems}
          extend={extend}
        />
        <RunBar
          connection={connection}
          edited={edited}
          statements={statements ?? []}
          run={run}
          onRun={() => start(text)}
          onExplain={() => start(text, 'indexes')}
        />
        {run.asked ? (
          <Result
            connection={connection}
            run={run}
            view={view}
            onView={(next) => change({ view: next === 'table' ? '' : next })}
          />
        ) : (
          <Text color="textSecondary">
            Run a statement to see its rows here. Ctrl or Cmd and Enter runs what is in the editor.
          </Text>
        )}
      </div>
    </div>
  )
}

function firstStatement(tables: readonly SqlTable[]): string {
  if (tables.some(({ name }) => name === 'otel_logs')) return example
  const [first] = tables
  return first ? `SELECT *\nFROM ${first.database}.${first.name}\nLIMIT 100` : 'SELECT 1'
}
