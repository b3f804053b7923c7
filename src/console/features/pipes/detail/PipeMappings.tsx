import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { z } from 'zod'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import type { Pipe } from '#contract/pipes.ts'
import { tableMapping } from '#contract/pipeSources.ts'

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
          rows={tables.map((one) => [
            `${one.sourceSchemaName}.${one.sourceTable}`,
            one.targetTable,
            one.tableEngine ?? '',
          ])}
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

function Grid({ title, heads, rows }: { title: string; heads: readonly string[]; rows: readonly string[][] }) {
  return (
    <Panel title={title} aside={rows.length} flush>
      <ScrollRegion label={title} sx={{ maxHeight: 320 }}>
        <Table size="small" aria-label={title}>
          <TableHead>
            <TableRow>
              {heads.map((head) => (
                <TableCell key={head}>{head}</TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map((cells) => (
              <TableRow key={cells.join('\0')}>
                {cells.map((cell, at) => (
                  <TableCell key={heads[at]}>
                    <code>{cell}</code>
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </ScrollRegion>
    </Panel>
  )
}
