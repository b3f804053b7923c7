/** The engine's names of group columns, by which deployments find the value of a group. */
import type { Engine } from '../engine/engine.ts'
import { checkExpression } from '../expression/expression.ts'
import { at } from '../series/chartError.ts'
import type { Plan } from '../series/seriesPlan.ts'
import { tableSql } from '../engine/tableName.ts'

/** Names of the grouping expressions of a series, in order. Rejects with ChartError for one that is no SQL. */
export function columnNames(engine: Engine, { series, path, table }: Plan): Promise<string[]> {
  return Promise.all(
    series.groupBy.map((text, index) =>
      at(`${path}.groupBy.${index}`, async () => {
        await checkExpression(engine, text, table)
        const [column] = await engine.query<{ name: string }>(`DESCRIBE (SELECT ${text} FROM ${tableSql(table)})`)
        return column?.name ?? text
      }),
    ),
  )
}
