/**
 * Rotates the key of a data folder and dies, as by `kill -9`, right before the nth time that it changes which files there
 * are. Ends early if there are fewer. Arguments as JSON: n, folder, old and new secret.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { rotateKey } from '../connections/connectionKeyRotation.ts'

interface Order {
  killAt: number
  dataDir: string
  secret?: string
  newSecret?: string
}

const order = JSON.parse(process.argv[2] ?? '') as Order // `connectionKeyRotation.integration.spec.ts` wrote it
let left = order.killAt

/** Counts a call with a path in the folder, before it is made. */
function counted<Given extends unknown[], Result>(call: (...given: Given) => Result) {
  return (...given: Given): Result => {
    if (String(given[0]).startsWith(order.dataDir) && --left === 0) process.kill(process.pid, 'SIGKILL')
    return call(...given)
  }
}
Object.assign(fs, { renameSync: counted(fs.renameSync), rmSync: counted(fs.rmSync) })
syncBuiltinESMExports()

rotateKey(order.dataDir, order.secret, order.newSecret)
