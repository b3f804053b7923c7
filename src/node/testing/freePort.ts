/** A free port for a server that cannot choose one itself. */
import { createServer, type AddressInfo } from 'node:net'

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo // it listens on a port
      probe.close(() => resolve(port))
    })
  })
}
