/**
 * Opens the keys of a data folder or rotates them, and dies, as by `kill -9`, right before the nth time that it changes which
 * files there are, or right before or after the nth transaction. Ends early if there are fewer. The order is JSON.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { rotateKey } from '../connections/connectionKeyRotation.ts'
import { openKeys } from '../connections/consoleKeys.ts'
import { openDatabase, type Database } from '../database/database.ts'

export interface Order {
  work: 'open' | 'rotate'
  killAt: number
  dataDir: string
  secret?: string | undefined
  newSecret?: string | undefined
}

const order = JSON.parse(process.argv[2] ?? '') as Order // `connectionKeyRotation.integration.spec.ts` wrote it
let left = order.killAt

function step(): void {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}

/** Counts a call with a path in the folder, before it is made. */
function counted<Given extends unknown[], Result>(call: (...given: Given) => Result) {
  return (...given: Given): Result => {
    if (String(given[0]).startsWith(order.dataDir)) step()
    return call(...given)
  }
}

const opened = await openDatabase(order.dataDir)
const database: Database = {
  ...opened,
  transact: async (work) => {
    step()
    const result = await opened.transact(async (transaction) => {
      const done = await work(transaction)
      step()
      return done
    })
    step()
    return result
  },
}
Object.assign(fs, { renameSync: counted(fs.renameSync), rmSync: counted(fs.rmSync) })
syncBuiltinESMExports()

const place = { database, dataDir: order.dataDir, secret: order.secret }
if (order.work === 'open') await openKeys(place)
else await rotateKey(place, order.newSecret)
await database.close()
