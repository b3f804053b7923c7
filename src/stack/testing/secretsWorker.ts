/** Opens the secrets of a data folder, and dies by SIGKILL right before its nth request to the database. */
import { join } from 'node:path'
import { openRecords } from '../store/store.ts'
import { openSecrets } from '../store/storeSecrets.ts'

const [step = '1', dataDir = ''] = process.argv.slice(2)
let left = Number(step)

function counted<Given extends unknown[], Result>(call: (...given: Given) => Result) {
  return (...given: Given): Result => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL')
    return call(...given)
  }
}

const database = await openRecords({ file: join(dataDir, 'stack.db') })
await openSecrets(
  {
    ...database,
    rows: counted(database.rows),
    transact: (work) =>
      counted(database.transact)(async ({ rows, run }) => {
        const result = await work({ rows: counted(rows), run: counted(run) })
        return counted(() => result)()
      }),
    scrub: counted(database.scrub),
  },
  { dataDir },
)
