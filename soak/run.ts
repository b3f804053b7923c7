/** `npm run soak [name …]`: runs long tests in full size. Prints the measurements, and fails on violated limits. */
import { bundlePrograms } from '../src/bundledPrograms.ts'
import { bombs } from './bombs.ts'
import { clockSteps } from './clockSteps.ts'
import { concurrentSaves } from './concurrentSaves.ts'
import { kafkaKills, kafkaTypes } from './kafka.ts'
import { mixedLoad } from './mixedLoad.ts'
import { overload } from './overload.ts'
import { postgresKills } from './pipes/postgres.ts'
import { severalConsoles } from './severalConsoles.ts'
import { alertDay, damagedData, historyWrites, killedRuns } from './shortForms.ts'
import { textBombsScenario } from './textBombs.ts'

/** A run. Resolves to the violated limits. */
export type Scenario = () => Promise<string[]>

const scenarios: Record<string, Scenario> = {
  bombs,
  clockSteps,
  concurrentSaves,
  damagedData,
  killedRuns,
  historyWrites,
  alerts: alertDay,
  kafka: kafkaKills,
  kafkaTypes,
  postgres: postgresKills,
  severalConsoles,
  mixedLoad,
  overload,
  textBombs: textBombsScenario,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !scenarios[name])
if (unknown.length) {
  console.error(`No scenario named ${unknown.join(', ')}. There are: ${Object.keys(scenarios).join(', ')}.`)
  process.exit(1)
}

// As `npm start` runs them: loaded from the sources, the stack takes more memory.
const bundles = await bundlePrograms()
const failures: string[] = []
for (const [name, scenario] of Object.entries(scenarios)) {
  if (wanted.length && !wanted.includes(name)) continue
  console.log(`${name} …`)
  failures.push(...(await scenario()).map((failure) => `${name}: ${failure}`))
}
for (const failure of failures) console.error(failure)
console.log(failures.length ? `${failures.length} limits violated.` : 'All limits met.')
await bundles.remove()
process.exit(failures.length ? 1 : 0)
