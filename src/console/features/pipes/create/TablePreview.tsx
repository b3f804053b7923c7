import { useWatch, type Control } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { RowCheckbox } from '#console/ui/table/RowCheckbox.tsx'
import type { FoundTable } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { counted } from '#domain/text/words.ts'
import type { PipeForm, TableRow } from '../forms/pipeForm.ts'
import { mappingBody, sourceTypeBody } from '../forms/sourceBody.ts'
import { rowFor, tableName } from './foundTables.ts'
import { SampleTable } from './SampleTable.tsx'
import * as css from './newPipe.module.css'

interface TablePreviewProps {
  control: Control<PipeForm>
  found: FoundTable
  /** Its mapping; undefined while it is not chosen. */
  row: TableRow | undefined
  onColumn: (column: string, on: boolean) => void
}

/** The columns of a table, which can be left out one by one, and its first rows on demand. */
export function TablePreview({ control, found, row, onColumn }: TablePreviewProps) {
  const connection = useConnection()
  const [serviceId, source] = useWatch({ control, name: ['serviceId', 'source'] })
  const sample = useApiMutation(connection.id, pipes.discover)
  const excluded = row?.excludedColumns ?? []
  const name = tableName(found)
  const read = () =>
    sample.mutate({
      params: { serviceId },
      body: {
        source: {
          postgres: { ...sourceTypeBody('postgres', source), tableMappings: [mappingBody(row ?? rowFor(found, []))] },
        },
      },
    })
  return (
    <Panel
      title={`Columns of ${name}`}
      aside={
        <div className={css.previewAside}>
          <span>
            {counted(found.columns.length, 'column')},{' '}
            {excluded.length === 0 ? 'all kept' : `${excluded.length} left out`}
          </span>
          <Button loading={sample.isPending} onClick={read}>
            Preview rows
          </Button>
        </div>
      }
    >
      <Column gap={12}>
        {row === undefined && <Text color="textSecondary">Choose the table to leave columns out.</Text>}
        <ul className={css.previewColumns}>
          {found.columns.map((column) => {
            const isKey = found.primaryKey.includes(column.name)
            return (
              <li key={column.name} className={css.previewColumn}>
                <RowCheckbox
                  label={`Keep ${column.name}`}
                  checked={!excluded.includes(column.name)}
                  disabled={row === undefined || isKey}
                  onChange={(on) => onColumn(column.name, on)}
                />
                <code className={css.previewName}>{column.name}</code>
                <Text component="span" variant="caption" color="textSecondary">
                  {isKey ? `${column.type}, key` : column.type}
                </Text>
              </li>
            )
          })}
        </ul>
        {sample.error && <SubmitError error={formatError(sample.error)} />}
        {sample.data && <SampleTable label={`First rows of ${name}`} found={sample.data} />}
      </Column>
    </Panel>
  )
}
