/** `npm run bench [name …]`: measures, prints, and updates the table in bench/README.md. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { bundlePrograms } from '../src/bundledPrograms.ts'
import { alertPasses } from './alerts.ts'
import { backtest } from './backtest.ts'
import { bundle } from './bundle.ts'
import { charts } from './charts.ts'
import { connections } from './connections.ts'
import { consoles } from './consoles.ts'
import { dashboards } from './dashboards.ts'
import { fairness } from './fairness.ts'
import { growth } from './growth.ts'
import { history } from './history.ts'
import { ingest } from './ingest.ts'
import { kafka } from './kafka.ts'
import { kafkaMemory } from './kafkaMemory.ts'
import { kinesis } from './kinesis.ts'
import type { Row } from './support/measure.ts'
import { memory } from './memory.ts'
import { page } from './page.ts'
import { pipes } from './pipes.ts'
import { search } from './search.ts'
import { sendersUnderLoad } from './senders.ts'
import { series } from './series.ts'
import { rollups } from './rollups.ts'
import { topGroups } from './topGroups.ts'

const benches: Record<string, () => Promise<Row[]>> = {
  series,
  rollups,
  topGroups,
  growth,
  search,
  fairness,
  ingest,
  senders: sendersUnderLoad,
  memory,
  page,
  dashboards,
  charts,
  connections,
  consoles,
  bundle,
  pipes,
  kafka,
  kafkaMemory,
  kinesis,
  alerts: alertPasses,
  backtest,
  history,
}
const readme = join(import.meta.dirname, 'README.md')
const begin = '<!-- results -->'
const end = '<!-- end of results -->'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benches[name])
if (unknown.length) {
  console.error(`No bench named ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}

// As `npm start` runs them: loaded from the sources, the stack takes more memory.
const bundles = await bundlePrograms()
const rows: Row[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length && !wanted.includes(name)) continue
  console.log(`${name} …`)
  for (const row of await bench()) {
    rows.push(row)
    console.log(`  ${row.what}: ${row.result} (${row.aim})`)
  }
}

// Only the figures of a complete run belong together.
if (!wanted.length) {
  const table = [
    '| What | Measured | Aim |',
    '|---|---|---|',
    ...rows.map(({ what, result, aim }) => `| ${what} | ${result} | ${aim} |`),
  ]
  const text = readFileSync(readme, 'utf8')
  const head = text.slice(0, text.indexOf(begin) + begin.length)
  const tail = text.slice(text.indexOf(end))
  const machine = `${cpus().length} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`
  writeFileSync(readme, `${head}\n\n${machine}\n\n${table.join('\n')}\n\n${tail}`)
  // Tables are formatted like all files of the repository.
  execFileSync('npx', ['oxfmt', readme])
}
await bundles.remove()
process.exit(0)
