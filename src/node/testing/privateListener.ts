/** A server inside of the network that no request from outside may lead to: it counts the connections that reach it. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

export interface PrivateListener {
  port: number
  /** Connections that reached it. */
  readonly connections: number
  close(): void
}

/** On all addresses of this machine, so that every spelling of one leads to it. */
export async function startPrivateListener(): Promise<PrivateListener> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '::')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    port,
    get connections() {
      return connections
    },
    close: () => void server.close(),
  }
}

/** Responses that lead to this port of this machine, as statuses and values of `Location`. */
export function redirectsTo(port: number): { status: number; location: string }[] {
  const statuses = [300, 301, 302, 303, 305, 307, 308]
  const locations = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0177.0.0.1'].flatMap(
    (host) => [`http://${host}:${port}/`, `https://${host}:${port}/`, `//${host}:${port}/`],
  )
  return statuses.flatMap((status) => locations.map((location) => ({ status, location })))
}
