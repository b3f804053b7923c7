/** Whether the host of an address can be reached at all. The engine's errors about it say little, and differ by its clients. */
import { connect } from 'node:net'
import { plainHost } from '#node/net/addresses.ts'
import { firstAddress, type HostCheck } from './reachableHosts.ts'

const connectMs = 3000

/** @returns why no connection to the host of a URL can be opened, such as `127.0.0.1:9000 was not reached (ECONNREFUSED)`; null if one can */
export async function unreachedHost(url: string, checkHost: HostCheck): Promise<string | null> {
  // Wildcards are in the path.
  const origin = /^https?:\/\/[^/?]+/i.exec(url)?.[0] ?? ''
  if (!URL.canParse(origin)) return null
  const { hostname, port: explicitPort, protocol } = new URL(origin)
  const host = plainHost(hostname)
  const port = Number(explicitPort || (protocol === 'https:' ? 443 : 80))
  const checked = await checkHost(host)
  if (checked.problem !== null) return null
  const address = firstAddress(checked.addresses)
  if (address === undefined) return `${host} was not reached: its name cannot be resolved`
  const code = await failureOf(address, port)
  return code === null ? null : `${host}:${port} was not reached (${code})`
}

function failureOf(address: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ host: address, port, timeout: connectMs })
    const end = (failure: string | null) => {
      socket.destroy()
      done(failure)
    }
    socket.on('connect', () => end(null))
    socket.on('timeout', () => end('no response'))
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'no connection'))
  })
}
