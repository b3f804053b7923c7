/** Free ports for servers that cannot choose one themselves. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** The first port above Linux’s ephemeral range (32768 to 60999), from which it assigns ports to others. */
const lowest = 61_000
const count = 65_536 - lowest
/** Specs in other processes begin elsewhere. */
let next = randomInt(count)

/** A port of this machine that nobody listens on, another one at each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries++) {
    const port = lowest + (next++ % count)
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${lowest} on is free.`)
}

/** On all addresses: that is refused where anything listens on one of them. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}
