import type { ReactNode } from 'react'
import { z } from 'zod'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { tableMapping } from '#contract/cloud/pipes/pipeSources.ts'
import * as base from '#console/ui/base/base.module.css'
import { QueryTable } from './QueryTable.tsx'
import * as css from '../pipes.module.css'

/** The field mappings of a pipe, or its table mappings. */
export function PipeTables({ pipe }: { pipe: Pipe }) {
  const fields = pipe.fieldMappings ?? []
  const types = new Map((pipe.destination?.columns ?? []).map(({ name, type }) => [name, type]))
  const tables = mappedTables(pipe)
  return (
    <>
      {fields.length > 0 && (
        <Grid
          title="Field mappings"
          heads={['Source field', 'Column', 'Type']}
          rows={fields.map(({ sourceField = '', destinationField = '' }) => [
            sourceField,
            destinationField,
            types.get(destinationField) ?? '',
          ])}
        />
      )}
      {tables.length > 0 && (
        <Grid
          title="Table mappings"
          heads={['Source table', 'Table', 'Engine']}
          rows={tables.map((mapping) => [
            `${mapping.sourceSchemaName}.${mapping.sourceTable}`,
            mapping.targetTable,
            mapping.tableEngine ?? '',
          ])}
          renderAction={(at) => {
            const target = tables[at]?.targetTable
            return target === undefined ? null : <QueryTable pipe={pipe} table={target} named />
          }}
        />
      )}
    </>
  )
}

/** Table mappings have one shape for all database source types, including those without a schema in the contract. */
function mappedTables({ source }: Pipe) {
  const withTables = z.looseObject({ tableMappings: z.array(tableMapping) })
  const arms = Object.values(source ?? {}).map((arm) => withTables.safeParse(arm))
  return arms.find((arm) => arm.success)?.data?.tableMappings ?? []
}

interface GridProps {
  title: string
  heads: readonly string[]
  rows: readonly string[][]
  /** Actions on a row. */
  renderAction?: (at: number) => ReactNode
}

function Grid({ title, heads, rows, renderAction }: GridProps) {
  return (
    <Panel title={title} aside={rows.length} flush>
      <ScrollRegion label={title} className={css.pipeMappingsScroller}>
        <table className={base.table} aria-label={title}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head}>{head}</th>
              ))}
              {renderAction && <th aria-label="Actions" />}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              <tr key={cells.join('\0')}>
                {cells.map((cell, at) => (
                  <td key={heads[at]}>
                    <code>{cell}</code>
                  </td>
                ))}
                {renderAction && <td>{renderAction(index)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  )
}
