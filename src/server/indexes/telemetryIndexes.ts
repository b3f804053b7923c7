/**
 * `npm run telemetry-indexes`: shows the indexes of the telemetry of the running stack, how large they are, and how much of the
 * rows has them. `stop` gives up what is being built, `continue` goes on with it.
 */
import { parseArgs } from 'node:util'
import { orderIndexes } from '#stack/control/controlClient.ts'
import { indexOrders, type IndexReport } from '#stack/control/protocol.ts'
import { StartError } from '../serverSettings.ts'
import { runCommand } from '../backup/runCommand.ts'

const usage = 'Usage: stack-console telemetry-indexes [stop | continue]'

await runCommand(usage, async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const order = indexOrders.find((indexOrder) => indexOrder === (positionals[0] ?? 'show'))
  if (!order || positionals.length > 1) throw new StartError(usage)
  const dataDir = process.env['DATA_DIR'] || '.data'
  const report = await orderIndexes(dataDir, order)
  if (!report) throw new StartError(`No stack with an engine is running on DATA_DIR ${dataDir}.`)
  return [sentenceOf(report), ...tableOf(report)]
})

function sentenceOf({ state, partition, problem }: IndexReport): string {
  switch (state) {
    case 'complete':
      return 'All rows have their indexes.'
    case 'stopped':
      return 'The building of indexes is stopped. New rows get them. To go on: telemetry-indexes continue'
    case 'building':
      return partition
        ? `Building ${partition.indexes.join(', ')} of ${partition.table}, partition ${partition.id} (${partition.partsLeft} parts left).`
        : 'Building indexes.'
    default:
      return `Waiting${problem ? `: ${problem}` : ''}.`
  }
}

function tableOf({ indexes }: IndexReport): string[] {
  const rows = indexes.map(({ table, name, type, bytes, granules, indexedGranules }) => [
    table,
    name,
    type.replace(/\(.*/, ''),
    `${(bytes / 1e6).toFixed(1)} MB`,
    granules === 0 ? 'no rows' : `${Math.floor((100 * indexedGranules) / granules)} % of the rows`,
  ])
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
